// SPDX-License-Identifier: Apache-2.0
// Exchange of GPUs that are of a process each: rows by broadcasts of NCCL on a stream of their own,
// what lies on the hosts by MPI. NCCL waits for a lost process for ever, and the host with it: once
// this process was told to end, a thread ends what does not end by itself.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/error.h"
#include "harness/device/cuda/cuda_device.h"
#include "harness/device/cuda/nccl.h"
#include "harness/device/cuda_backend.h"
#include "harness/device/process_exchange.h"

namespace alsbench {
namespace {

class GpuProcessExchange : public ProcessExchange {
 public:
  GpuProcessExchange(CudaDevice& device, const MpiCalls& calls,
                     const std::atomic<bool>& stop_requested)
      : ProcessExchange(calls, stop_requested), library_(nccl::library()), device_(device) {
    require_same_device(device.traits().name);
    nccl::UniqueId id{};
    if (calls.rank == 0) check(library_.ncclGetUniqueId(&id), "ncclGetUniqueId");
    share(&id, sizeof id);
    check(library_.ncclCommInitRank(&communicator_, calls.size, id, calls.rank),
          "ncclCommInitRank");
    CUDA_CHECK(cudaEventRecord(arrived_.get(), stream_.get()));
    guard_ = std::jthread([this](const std::stop_token& stop) { guard(stop); });
  }

  ~GpuProcessExchange() override {
    guard_.request_stop();
    guard_.join();
    if (!aborted_) library_.ncclCommDestroy(communicator_);
  }

  void send(int /*member*/, void* data, const std::vector<Block>& blocks) override {
    expect_all();
    CUDA_CHECK(cudaEventRecord(ready_.get(), device_.stream()));
    CUDA_CHECK(cudaStreamWaitEvent(stream_.get(), ready_.get()));
    check(library_.ncclGroupStart(), "ncclGroupStart");
    for (size_t root = 0; root < blocks.size(); ++root) {
      const Block& block = blocks[root];
      char* const begin = static_cast<char*>(data) + block.begin;
      if (block.size > 0)
        check(library_.ncclBroadcast(begin, begin, static_cast<size_t>(block.size), nccl::kChar,
                                     static_cast<int>(root), communicator_, stream_.get()),
              "ncclBroadcast");
    }
    check(library_.ncclGroupEnd(), "ncclGroupEnd");
    CUDA_CHECK(cudaEventRecord(arrived_.get(), stream_.get()));
  }

  void wait_for_blocks(int /*member*/) override {
    expect_all();
    CUDA_CHECK(cudaStreamWaitEvent(device_.stream(), arrived_.get()));
  }

  void all_reduce_max(int /*member*/, uint32_t* words, int64_t count) override {
    expect_all();
    nccl::all_reduce_max(words, count, communicator_, device_.stream());
  }

  void abort() noexcept override {
    if (!aborted_.exchange(true)) library_.ncclCommAbort(communicator_);
  }

 private:
  void check(int status, const char* call) const {
    if (status != nccl::kSuccess)
      throw EnvironmentError(fmt::format("{}: {}; NCCL_DEBUG=INFO says more", call,
                                         library_.ncclGetErrorString(status)));
  }

  void expect_all() const {
    if (aborted_) throw EnvironmentError("NCCL lost another process of the training");
  }

  // Also the host waits where the device does, and cannot look itself.
  void guard(const std::stop_token& stop) {
    constexpr std::chrono::milliseconds kPollInterval{20};
    cudaSetDevice(device_.ordinal());
    std::chrono::milliseconds waited{0};
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(kPollInterval);
      const bool waits = stop_requested() && cudaStreamQuery(device_.stream()) == cudaErrorNotReady;
      waited = waits ? waited + kPollInterval : std::chrono::milliseconds{0};
      if (waited > 2 * kPatience) return abort();
    }
  }

  const nccl::Library& library_;
  CudaDevice& device_;
  nccl::Communicator communicator_ = nullptr;
  CudaStream stream_;
  CudaEvent ready_;    // its buffer may be written, and its block is there
  CudaEvent arrived_;  // all that was sent is there
  std::jthread guard_;
};

}  // namespace

std::unique_ptr<Exchange> open_gpu_process_exchange(Device& device, const MpiCalls& calls,
                                                    const std::atomic<bool>& stop_requested) {
  return std::make_unique<GpuProcessExchange>(static_cast<CudaDevice&>(device), calls,
                                              stop_requested);
}

}  // namespace alsbench
