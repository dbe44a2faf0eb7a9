// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/copy_lane.h"

#include <algorithm>
#include <cstring>

namespace alsbench {
namespace {

constexpr int64_t kPartBytes = int64_t{1} << 20;  // that a thread copies at a time

void copy_on_all_cores(void* target, const void* source, int64_t bytes) {
#pragma omp parallel for schedule(dynamic)  // cannot throw
  for (int64_t at = 0; at < bytes; at += kPartBytes)
    std::memcpy(static_cast<char*>(target) + at, static_cast<const char*>(source) + at,
                std::min(kPartBytes, bytes - at));
}

}  // namespace

void CopyLane::upload(void* target, const void* source, int64_t bytes, cudaEvent_t after) {
  if (after != nullptr) CUDA_CHECK(cudaStreamWaitEvent(stream_.get(), after));
  for (int64_t at = 0; at < bytes; at += kSlotBytes) {
    Slot& slot = slots_[next_++ % slots_.size()];
    CUDA_CHECK(cudaEventSynchronize(slot.copied.get()));  // at once where it never was recorded
    const int64_t count = std::min(kSlotBytes, bytes - at);
    copy_on_all_cores(slot.pinned.data(), static_cast<const char*>(source) + at, count);
    CUDA_CHECK(cudaMemcpyAsync(static_cast<char*>(target) + at, slot.pinned.data(), count,
                               cudaMemcpyHostToDevice, stream_.get()));
    CUDA_CHECK(cudaEventRecord(slot.copied.get(), stream_.get()));
  }
  CUDA_CHECK(cudaEventRecord(all_copied_.get(), stream_.get()));
  CUDA_CHECK(cudaStreamWaitEvent(work_, all_copied_.get()));
}

void CopyLane::download(void* target, const void* source, int64_t bytes) {
  CUDA_CHECK(cudaEventRecord(work_done_.get(), work_));
  CUDA_CHECK(cudaStreamWaitEvent(stream_.get(), work_done_.get()));
  const auto ahead = static_cast<int64_t>(slots_.size()) * kSlotBytes;
  const auto slot_of = [&](int64_t at) -> Slot& { return slots_[at / kSlotBytes % slots_.size()]; };
  const auto bring = [&](int64_t at) {
    if (at >= bytes) return;
    Slot& slot = slot_of(at);
    CUDA_CHECK(cudaMemcpyAsync(slot.pinned.data(), static_cast<const char*>(source) + at,
                               std::min(kSlotBytes, bytes - at), cudaMemcpyDeviceToHost,
                               stream_.get()));
    CUDA_CHECK(cudaEventRecord(slot.copied.get(), stream_.get()));
  };
  for (int64_t at = 0; at < ahead; at += kSlotBytes) bring(at);
  for (int64_t at = 0; at < bytes; at += kSlotBytes) {
    CUDA_CHECK(cudaEventSynchronize(slot_of(at).copied.get()));
    copy_on_all_cores(static_cast<char*>(target) + at, slot_of(at).pinned.data(),
                      std::min(kSlotBytes, bytes - at));
    bring(at + ahead);
  }
}

}  // namespace alsbench
