// SPDX-License-Identifier: Apache-2.0
#include "harness/device/slowdown_watch.h"

namespace alsbench {

SlowdownWatch::SlowdownWatch(const NvmlDevice& nvml)
    : nvml_(nvml), counted_(nvml.slowed_nanoseconds()), reasons_(nvml.clock_reasons()) {}

bool SlowdownWatch::slowed(double seconds) const {
  constexpr double kReasonStays = 0.5;  // seconds
  uint64_t reasons = nvml_.clock_reasons();
  if (seconds < kReasonStays) reasons &= ~reasons_;
  const auto counted = nvml_.slowed_nanoseconds();
  if (!counted_ || !counted) return NvmlDevice::is_throttled(reasons);
  return *counted > *counted_ || NvmlDevice::is_throttled(reasons & ~NvmlDevice::kCountedReasons);
}

}  // namespace alsbench
