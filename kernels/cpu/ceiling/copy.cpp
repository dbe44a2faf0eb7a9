// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/ceiling/copy.h"

#include <algorithm>
#include <cstring>
#include <numeric>

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

void read_chunks(const ReadParams& params, const CpuResources& resources) {
  const auto* source = static_cast<const uint32_t*>(params.source);
  const int64_t words = params.bytes / 4;
  const auto sum_chunk = [&](int64_t task, int) {
    const int64_t begin = words * task / params.tasks, end = words * (task + 1) / params.tasks;
    uint32_t sum = 0;
    for (int pass = 0; pass < params.passes; ++pass)
      sum = std::accumulate(source + begin, source + end, sum);
    params.sums[task] = sum;
  };
  parallel_rows(params.tasks, resources.threads, sum_chunk, 1);
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
