// SPDX-License-Identifier: Apache-2.0
#include "variants/core/limiter.h"

namespace alsbench {

std::string_view name_of(Limiter limiter) {
  constexpr std::array<std::string_view, kLimiters.size()> kNames{
      "tensor", "fp32", "l1", "l2", "dram", "issue", "latency", "launch"};
  return kNames[static_cast<size_t>(limiter)];
}

std::optional<Limiter> limiter_named(std::string_view name) {
  for (const Limiter limiter : kLimiters)
    if (name_of(limiter) == name) return limiter;
  return std::nullopt;
}

}  // namespace alsbench
