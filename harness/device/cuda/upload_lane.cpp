// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/upload_lane.h"

#include <algorithm>
#include <cstring>

namespace alsbench {
namespace {

constexpr int64_t kSlotBytes = int64_t{32} << 20;
constexpr int64_t kPartBytes = int64_t{1} << 20;  // that a thread copies at a time

void fill(void* target, const char* source, int64_t bytes) {
#pragma omp parallel for schedule(dynamic)  // cannot throw
  for (int64_t at = 0; at < bytes; at += kPartBytes)
    std::memcpy(static_cast<char*>(target) + at, source + at, std::min(kPartBytes, bytes - at));
}

}  // namespace

UploadLane::UploadLane(cudaStream_t work) : work_(work) {
  for (Slot& slot : slots_) {
    void* pinned = nullptr;
    CUDA_CHECK(cudaMallocHost(&pinned, kSlotBytes));
    slot.pinned.reset(pinned);
  }
}

void UploadLane::upload(void* target, const void* source, int64_t bytes, cudaEvent_t after) {
  if (after != nullptr) CUDA_CHECK(cudaStreamWaitEvent(stream_.get(), after));
  for (int64_t at = 0; at < bytes; at += kSlotBytes) {
    Slot& slot = slots_[next_++ % slots_.size()];
    CUDA_CHECK(cudaEventSynchronize(slot.copied.get()));  // at once where it never was recorded
    const int64_t count = std::min(kSlotBytes, bytes - at);
    fill(slot.pinned.get(), static_cast<const char*>(source) + at, count);
    CUDA_CHECK(cudaMemcpyAsync(static_cast<char*>(target) + at, slot.pinned.get(), count,
                               cudaMemcpyHostToDevice, stream_.get()));
    CUDA_CHECK(cudaEventRecord(slot.copied.get(), stream_.get()));
  }
  CUDA_CHECK(cudaEventRecord(all_copied_.get(), stream_.get()));
  CUDA_CHECK(cudaStreamWaitEvent(work_, all_copied_.get()));
}

}  // namespace alsbench
