// SPDX-License-Identifier: Apache-2.0
// Exchange of GPUs, on their streams: rows by copies from one's memory to another's, which take no
// multiprocessor; the largest of words through NCCL. Members meet before anything is enqueued that
// waits for another, so none waits for a member that has failed; what one leaves undone afterwards,
// abort() ends.
#include <fmt/format.h>

#include <atomic>

#include "base/error.h"
#include "harness/device/cuda/cuda_device.h"
#include "harness/device/cuda/nccl.h"
#include "harness/device/cuda_backend.h"
#include "harness/device/thread_exchange.h"

namespace alsbench {
namespace {

// Where a member sends its blocks, and moments of that for which others wait.
struct Lane {
  CudaStream stream;
  CudaEvent ready;  // its buffer may be written, and its block is there
  CudaEvent sent;   // its blocks are at all others
};

class GpuExchange : public ThreadExchange {
 public:
  explicit GpuExchange(const std::vector<Device*>& devices)
      : ThreadExchange(static_cast<int>(devices.size())), library_(nccl::library()) {
    for (Device* device : devices) devices_.push_back(static_cast<CudaDevice*>(device));
    connect();
    for (CudaDevice* device : devices_) {
      device->use();
      lanes_.push_back(std::make_unique<Lane>());
      for (const CudaDevice* other : devices_)
        if (other != device) reach(*other);
    }
    devices_.front()->use();
  }

  ~GpuExchange() override {
    if (aborted_) return;
    for (nccl::Communicator communicator : communicators_) library_.ncclCommDestroy(communicator);
  }

  // Each member writes its block into the memory of each other one, on a stream of its own.
  void send(int member, void* data, const std::vector<Block>& blocks) override {
    const Lane& own = *lanes_[member];
    CUDA_CHECK(cudaEventRecord(own.ready.get(), devices_[member]->stream()));
    const std::vector<void*> all = barrier().arrive_and_wait(member, data);
    const Block& block = blocks[member];
    const int count = static_cast<int>(devices_.size());
    CUDA_CHECK(cudaStreamWaitEvent(own.stream.get(), own.ready.get()));
    for (int step = 1; step < count && block.size > 0; ++step) {
      const int other = (member + step) % count;  // so that all do not write to one
      CUDA_CHECK(cudaStreamWaitEvent(own.stream.get(), lanes_[other]->ready.get()));
      CUDA_CHECK(cudaMemcpyPeerAsync(
          static_cast<char*>(all[other]) + block.begin, devices_[other]->ordinal(),
          static_cast<char*>(data) + block.begin, devices_[member]->ordinal(),
          static_cast<size_t>(block.size), own.stream.get()));
    }
    CUDA_CHECK(cudaEventRecord(own.sent.get(), own.stream.get()));
    barrier().arrive_and_wait(member);  // all wait for this `ready`, which may be recorded again
  }

  void wait_for_blocks(int member) override {
    for (const auto& lane : lanes_)
      CUDA_CHECK(cudaStreamWaitEvent(devices_[member]->stream(), lane->sent.get()));
    barrier().arrive_and_wait(member);  // likewise for `sent`
  }

  std::vector<void*> addresses(int member, void* own) override {
    std::vector<void*> all = barrier().arrive_and_wait(member, own);
    return reach_each_other_ ? all : std::vector<void*>();
  }

  // Of 130 us at 390 GB/s: a launch ends with idle warps.
  int64_t bytes_of_a_launch() const override { return 50'000'000; }

  void wait_for_all(int member) override {
    CUDA_CHECK(cudaEventRecord(lanes_[member]->ready.get(), devices_[member]->stream()));
    barrier().arrive_and_wait(member);
    for (const auto& lane : lanes_)
      CUDA_CHECK(cudaStreamWaitEvent(devices_[member]->stream(), lane->ready.get()));
    barrier().arrive_and_wait(member);  // `ready` may be recorded again
  }

  void all_reduce_max(int member, uint32_t* words, int64_t count) override {
    barrier().arrive_and_wait(member);
    nccl::all_reduce_max(words, count, communicators_[member], devices_[member]->stream());
  }

  void abort() noexcept override {
    ThreadExchange::abort();
    if (aborted_.exchange(true)) return;
    for (nccl::Communicator communicator : communicators_) library_.ncclCommAbort(communicator);
  }

 private:
  // Lets the current device write into the memory of another one.
  void reach(const CudaDevice& other) {
    const cudaError_t status = cudaDeviceEnablePeerAccess(other.ordinal(), 0);
    cudaGetLastError();  // copies then go through the host
    if (status != cudaSuccess && status != cudaErrorPeerAccessAlreadyEnabled)
      reach_each_other_ = false;
  }

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
  std::vector<std::unique_ptr<Lane>> lanes_;
  bool reach_each_other_ = true;
  std::atomic<bool> aborted_ = false;
};

}  // namespace

std::unique_ptr<Exchange> open_gpu_exchange(const std::vector<Device*>& devices) {
  return std::make_unique<GpuExchange>(devices);
}

}  // namespace alsbench
