// SPDX-License-Identifier: Apache-2.0
// UploadLane: copies from host memory to a GPU on a stream of its own, beside the GPU's work. The
// source may be any memory: it goes through pinned buffers, which are filled on all cores.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "harness/device/cuda/handles.h"

namespace alsbench {

class UploadLane {
 public:
  // `work`: the stream whose later work needs what is copied. Takes 128 MiB of host memory.
  explicit UploadLane(cudaStream_t work);

  // After `after`, unless it is null. What `work` gets from now on waits for the copy. Returns when
  // the source has been read.
  void upload(void* target, const void* source, int64_t bytes, cudaEvent_t after);

 private:
  struct Unpin {
    void operator()(void* data) const { cudaFreeHost(data); }
  };
  struct Slot {
    std::unique_ptr<void, Unpin> pinned;
    CudaEvent copied;  // when it may be filled again
  };

  cudaStream_t work_;
  CudaStream stream_;
  CudaEvent all_copied_;
  std::array<Slot, 4> slots_;
  size_t next_ = 0;
};

}  // namespace alsbench
