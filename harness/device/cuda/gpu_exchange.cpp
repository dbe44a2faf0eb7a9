// SPDX-License-Identifier: Apache-2.0
// Exchange of GPUs, on their streams: rows by copies from one's memory to another's, which take no
// multiprocessor; the largest of words through NCCL. Members meet before anything is enqueued that
// waits for another, so that none waits for a member that has failed; what one leaves undone
// afterwards, abort() ends.
#include <fmt/format.h>

#include <atomic>

#include "harness/device/cuda/cuda_device.h"
#include "harness/device/cuda/nccl.h"
#include "harness/device/cuda_backend.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

// A moment on the stream of a member, for which other streams wait.
struct Moments {
  CudaEvent ready;  // its buffer may be written
  CudaEvent sent;   // its bytes are at all others
};

class GpuExchange : public Exchange {
 public:
  explicit GpuExchange(const std::vector<Device*>& devices) : library_(nccl::library()) {
    for (Device* device : devices) devices_.push_back(static_cast<CudaDevice*>(device));
    connect();
    for (CudaDevice* device : devices_) {
      device->use();
      moments_.push_back(std::make_unique<Moments>());
      for (const CudaDevice* other : devices_)
        if (other != device) cudaDeviceEnablePeerAccess(other->ordinal(), 0);
      cudaGetLastError();  // enabled before, or copies go through the host
    }
    devices_.front()->use();
  }

  ~GpuExchange() override {
    if (aborted_) return;
    for (const nccl::Communicator communicator : communicators_)
      library_.ncclCommDestroy(communicator);
  }

  // Each member writes its bytes into the memory of each other one.
  void gather(Meeting& meeting, int member, void* data,
              const std::vector<int64_t>& bounds) override {
    const cudaStream_t stream = devices_[member]->stream();
    CUDA_CHECK(cudaEventRecord(moments_[member]->ready.get(), stream));
    const std::vector<void*> all = meeting.come(member, data);
    const int64_t begin = bounds[member], size = bounds[member + 1] - begin;
    const int count = static_cast<int>(devices_.size());
    for (int step = 1; step < count && size > 0; ++step) {
      const int other = (member + step) % count;  // so that all do not write to one
      CUDA_CHECK(cudaStreamWaitEvent(stream, moments_[other]->ready.get()));
      CUDA_CHECK(cudaMemcpyPeerAsync(static_cast<char*>(all[other]) + begin,
                                     devices_[other]->ordinal(), static_cast<char*>(data) + begin,
                                     devices_[member]->ordinal(), static_cast<size_t>(size),
                                     stream));
    }
    CUDA_CHECK(cudaEventRecord(moments_[member]->sent.get(), stream));
    meeting.come(member);
    for (int other = 0; other < count; ++other)
      if (other != member) CUDA_CHECK(cudaStreamWaitEvent(stream, moments_[other]->sent.get()));
  }

  void raise(Meeting& meeting, int member, uint32_t* words, int64_t count) override {
    meeting.come(member);
    const int status =
        library_.ncclAllReduce(words, words, static_cast<size_t>(count), nccl::kUint32, nccl::kMax,
                               communicators_[member], devices_[member]->stream());
    if (status != nccl::kSuccess)
      throw CudaError(fmt::format("ncclAllReduce: {}", library_.ncclGetErrorString(status)));
  }

  void abort() noexcept override {
    if (aborted_.exchange(true)) return;
    for (const nccl::Communicator communicator : communicators_)
      library_.ncclCommAbort(communicator);
  }

 private:
  void connect() {
    std::vector<int> ordinals;
    for (const CudaDevice* device : devices_) ordinals.push_back(device->ordinal());
    communicators_.resize(ordinals.size());
    const int status = library_.ncclCommInitAll(communicators_.data(),
                                                static_cast<int>(ordinals.size()), ordinals.data());
    if (status == nccl::kSuccess) return;
    devices_.front()->use();
    throw EnvironmentError(fmt::format("NCCL cannot connect {} GPUs: {}; NCCL_DEBUG=INFO says more",
                                       ordinals.size(), library_.ncclGetErrorString(status)));
  }

  const nccl::Library& library_;
  std::vector<CudaDevice*> devices_;
  std::vector<nccl::Communicator> communicators_;
  std::vector<std::unique_ptr<Moments>> moments_;
  std::atomic<bool> aborted_ = false;
};

}  // namespace

std::unique_ptr<Exchange> open_nccl_exchange(const std::vector<Device*>& devices) {
  return std::make_unique<GpuExchange>(devices);
}

}  // namespace alsbench
