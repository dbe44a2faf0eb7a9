// SPDX-License-Identifier: Apache-2.0
#include "kernels/vendor/memory.h"

#include <stdexcept>
#include <vector>

#include "kernels/vendor/check.h"

namespace alsbench::vendor {

void copy(void* stream, void* target, const void* source, int64_t bytes) {
  VENDOR_CHECK(cudaMemcpyAsync(target, source, static_cast<size_t>(bytes), cudaMemcpyDeviceToDevice,
                               static_cast<cudaStream_t>(stream)));
}

void upload_pointers(void* stream, void* target, const void* base, int64_t stride_bytes,
                     int64_t count) {
  std::vector<const char*> pointers(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i)
    pointers[static_cast<size_t>(i)] = static_cast<const char*>(base) + i * stride_bytes;
  const size_t bytes = pointers.size() * sizeof(void*);
  const auto cuda_stream = static_cast<cudaStream_t>(stream);
  VENDOR_CHECK(
      cudaMemcpyAsync(target, pointers.data(), bytes, cudaMemcpyHostToDevice, cuda_stream));
  VENDOR_CHECK(cudaStreamSynchronize(cuda_stream));  // `pointers` is read until here
}

RebasedRows rebase_offsets(void* stream, int32_t* target, const int64_t* offsets, int64_t rows) {
  const auto cuda_stream = static_cast<cudaStream_t>(stream);
  const size_t count = static_cast<size_t>(rows) + 1;
  std::vector<int64_t> absolute(count);
  VENDOR_CHECK(cudaMemcpyAsync(absolute.data(), offsets, count * sizeof(int64_t),
                               cudaMemcpyDeviceToHost, cuda_stream));
  VENDOR_CHECK(cudaStreamSynchronize(cuda_stream));
  const RebasedRows batch{absolute.front(), absolute.back() - absolute.front()};
  if (batch.nnz > INT32_MAX)
    throw std::runtime_error("a batch of " + std::to_string(batch.nnz) +
                             " ratings exceeds the 32-bit offsets of the library");
  std::vector<int32_t> relative(count);
  for (size_t i = 0; i < count; ++i) relative[i] = static_cast<int32_t>(absolute[i] - batch.begin);
  VENDOR_CHECK(cudaMemcpyAsync(target, relative.data(), count * sizeof(int32_t),
                               cudaMemcpyHostToDevice, cuda_stream));
  VENDOR_CHECK(cudaStreamSynchronize(cuda_stream));
  return batch;
}

}  // namespace alsbench::vendor
