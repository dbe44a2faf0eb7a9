// SPDX-License-Identifier: Apache-2.0
// Exchange through NCCL, on the streams of the devices. Members meet before each call, so that none
// is enqueued for a member that has failed; what one leaves undone afterwards, abort() ends.
#include <fmt/format.h>

#include <atomic>

#include "harness/device/cuda/cuda_device.h"
#include "harness/device/cuda/nccl.h"
#include "harness/device/cuda_backend.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

void check_nccl(int status, const char* call) {
  if (status != nccl::kSuccess)
    throw CudaError(fmt::format("{}: {}", call, nccl::library().ncclGetErrorString(status)));
}
#define NCCL_CHECK(call) check_nccl(library_.call, #call)

class NcclExchange : public Exchange {
 public:
  explicit NcclExchange(const std::vector<Device*>& devices)
      : library_(nccl::library()), communicators_(devices.size()) {
    std::vector<int> ordinals;
    for (Device* device : devices) {
      devices_.push_back(static_cast<CudaDevice*>(device));
      ordinals.push_back(devices_.back()->ordinal());
    }
    const int status = library_.ncclCommInitAll(communicators_.data(),
                                                static_cast<int>(ordinals.size()), ordinals.data());
    devices_.front()->use();
    if (status != nccl::kSuccess)
      throw EnvironmentError(
          fmt::format("NCCL cannot connect {} GPUs: {}; NCCL_DEBUG=INFO says more", ordinals.size(),
                      library_.ncclGetErrorString(status)));
  }

  ~NcclExchange() override {
    if (aborted_) return;
    for (const nccl::Communicator communicator : communicators_)
      library_.ncclCommDestroy(communicator);
  }

  // Each member sends its bytes to each other one.
  void gather(Meeting& meeting, int member, void* data,
              const std::vector<int64_t>& bounds) override {
    meeting.come(member);
    const auto size = [&](int of) { return static_cast<size_t>(bounds[of + 1] - bounds[of]); };
    char* const bytes = static_cast<char*>(data);
    const nccl::Communicator communicator = communicators_[member];
    const cudaStream_t stream = devices_[member]->stream();
    NCCL_CHECK(ncclGroupStart());
    for (int other = 0; other < static_cast<int>(devices_.size()); ++other) {
      if (other == member) continue;
      if (size(member) > 0)
        NCCL_CHECK(ncclSend(bytes + bounds[member], size(member), nccl::kUint8, other, communicator,
                            stream));
      if (size(other) > 0)
        NCCL_CHECK(ncclRecv(bytes + bounds[other], size(other), nccl::kUint8, other, communicator,
                            stream));
    }
    NCCL_CHECK(ncclGroupEnd());
  }

  void raise(Meeting& meeting, int member, uint32_t* words, int64_t count) override {
    meeting.come(member);
    NCCL_CHECK(ncclAllReduce(words, words, static_cast<size_t>(count), nccl::kUint32, nccl::kMax,
                             communicators_[member], devices_[member]->stream()));
  }

  void abort() noexcept override {
    if (aborted_.exchange(true)) return;
    for (const nccl::Communicator communicator : communicators_)
      library_.ncclCommAbort(communicator);
  }

 private:
  const nccl::Library& library_;
  std::vector<CudaDevice*> devices_;
  std::vector<nccl::Communicator> communicators_;
  std::atomic<bool> aborted_ = false;
};

}  // namespace

std::unique_ptr<Exchange> open_nccl_exchange(const std::vector<Device*>& devices) {
  return std::make_unique<NcclExchange>(devices);
}

}  // namespace alsbench
