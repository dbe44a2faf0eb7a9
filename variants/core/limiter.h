// SPDX-License-Identifier: Apache-2.0
// Limiter: what keeps an execution from being faster.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace alsbench {

enum class Limiter {
  tensor,  // tensor cores
  fp32,    // FP32 units; of a CPU its vector units
  l1,      // L1 and shared memory
  l2,
  dram,
  issue,    // instructions that schedulers issue
  latency,  // no unit is busy: warps wait
  launch,   // multiprocessors are empty: too few blocks, or too little work
};
inline constexpr std::array kLimiters{Limiter::tensor,  Limiter::fp32,  Limiter::l1,
                                      Limiter::l2,      Limiter::dram,  Limiter::issue,
                                      Limiter::latency, Limiter::launch};

std::string_view name_of(Limiter limiter);  // "tensor"
std::optional<Limiter> limiter_named(std::string_view name);

}  // namespace alsbench
