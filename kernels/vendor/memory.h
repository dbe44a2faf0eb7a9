// SPDX-License-Identifier: Apache-2.0
// Memory operations around the library calls, enqueued on a stream (an opaque cudaStream_t): used
// by the vendor variants and by the baseline `copy`.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench::vendor {

// Device to device.
void copy(void* stream, void* target, const void* source, int64_t bytes);

// Fills `target` (device, `count` pointers) with base, base + stride_bytes, ...: the pointer arrays
// of the batched calls.
void upload_pointers(void* stream, void* target, const void* base, int64_t stride_bytes,
                     int64_t count);

// A batch of rows of a CSR matrix as one that begins at cell 0.
struct RebasedRows {
  int64_t begin = 0;  // cell the batch begins at
  int64_t nnz = 0;
};
// Writes the `rows` + 1 offsets of the batch, less the first, to `target` (device). Waits for the
// stream, since the library needs the batch's nnz on the host.
RebasedRows rebase_offsets(void* stream, int32_t* target, const int64_t* offsets, int64_t rows);

}  // namespace alsbench::vendor
