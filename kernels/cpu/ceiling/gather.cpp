// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/ceiling/gather.h"

#include <unistd.h>

#include "kernels/cpu/simd/simd.h"

namespace alsbench {

void sum_streams(const GatherParams& params, const CpuResources& resources) {
  const auto sum = [&](int64_t stream, int) {
    params.target[stream] = simd().sum_rows(
        params.source, params.row_bits, gather_start(static_cast<uint32_t>(stream)), params.rows);
  };
  parallel_rows(params.streams, resources.threads, sum, 1);
}

int64_t second_cache_bytes() {
  constexpr int64_t kUsual = int64_t{512} << 10;
  const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? bytes : kUsual;
}

}  // namespace alsbench
