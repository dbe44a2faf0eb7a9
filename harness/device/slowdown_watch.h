// SPDX-License-Identifier: Apache-2.0
// SlowdownWatch: whether the driver slowed a device down while some work ran.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/device/nvml.h"

namespace alsbench {

class SlowdownWatch {
 public:
  // Begins now; `nvml` must outlive it.
  explicit SlowdownWatch(const NvmlDevice& nvml);
  // Until now, by work of so many seconds. NVML counts the time under a power cap or a thermal one,
  // in steps of some 100 ms. Reasons tell where it does not: they stay for half a second after
  // their cause, so those of before count for no shorter work.
  bool slowed(double seconds) const;

 private:
  const NvmlDevice& nvml_;
  std::optional<uint64_t> counted_;  // nanoseconds
  uint64_t reasons_;
};

}  // namespace alsbench
