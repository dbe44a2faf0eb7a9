// SPDX-License-Identifier: Apache-2.0
// CopyLane: copies between host memory and a GPU on a stream of its own, concurrent with the GPU's
// work. The host's may be any memory: what is copied goes through pinned buffers, which all cores
// fill and empty. A plain copy of other memory is one core's work, and waits for each page that is
// new.
#pragma once

#include <array>
#include <cstdint>

#include "harness/device/cuda/handles.h"

namespace alsbench {

class CopyLane {
 public:
  // `work`: the stream that it runs concurrently with. Takes 128 MiB of host memory.
  explicit CopyLane(cudaStream_t work) : work_(work) {}

  // After `after`, unless it is null. Later work on `work` waits for the copy. Returns when the
  // source has been read.
  void upload(void* target, const void* source, int64_t bytes, cudaEvent_t after);
  // After all that `work` was given. Returns when the target has been written.
  void download(void* target, const void* source, int64_t bytes);

 private:
  static constexpr int64_t kSlotBytes = int64_t{32} << 20;
  struct Slot {
    PinnedBytes pinned{kSlotBytes};
    CudaEvent copied;  // when it may be used again
  };

  cudaStream_t work_;
  CudaStream stream_;
  CudaEvent all_copied_, work_done_;
  std::array<Slot, 4> slots_;
  size_t next_ = 0;
};

}  // namespace alsbench
