// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/ceiling/copy.h"

#include <algorithm>
#include <cstring>

namespace alsbench {

void copy_chunks(const CopyParams& params, const CpuResources& resources) {
  constexpr int64_t kChunk = int64_t{1} << 20;
  const auto* source = static_cast<const char*>(params.source);
  auto* target = static_cast<char*>(params.target);
  const auto copy_chunk = [&](int64_t chunk, int) {
    const int64_t begin = chunk * kChunk;
    const auto bytes = static_cast<size_t>(std::min(kChunk, params.bytes - begin));
    std::memcpy(target + begin, source + begin, bytes);
  };
  parallel_rows((params.bytes + kChunk - 1) / kChunk, resources.threads, copy_chunk, 1);
}

void gather_rows(const CopyParams& params, const CpuResources& resources) {
  const auto* source = static_cast<const char*>(params.source);
  auto* target = static_cast<char*>(params.target);
  const auto copy_row = [&](int64_t row, int) {
    std::memcpy(target + row * params.bytes, source + params.indices[row] * params.bytes,
                static_cast<size_t>(params.bytes));
  };
  parallel_rows(params.rows, resources.threads, copy_row, 256);
}

}  // namespace alsbench
