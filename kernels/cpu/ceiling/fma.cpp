// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/ceiling/fma.h"

#include <array>
#include <numeric>

#include "kernels/cpu/simd/simd.h"

namespace alsbench {
namespace {

constexpr size_t kMaxChains = 16 * kWidestVector;

}  // namespace

int32_t fma_chains_of_task() { return simd().chains; }

void fma_chains(const FmaParams& params, const CpuResources& resources) {
  const auto step = [&](int64_t task, int) {
    std::array<float, kMaxChains> x{};
    const int64_t first = task * params.chains;
    for (int32_t i = 0; i < params.chains; ++i) x[i] = fma_start(static_cast<uint32_t>(first + i));
    simd().step_chains(x.data(), params.steps);
    for (int32_t i = 0; i < params.chains; i += kFmaSummed)
      params.target[(first + i) / kFmaSummed] = std::accumulate(&x[i], &x[i] + kFmaSummed, 0.0f);
  };
  parallel_rows(params.tasks, resources.threads, step, 1);
}

}  // namespace alsbench
