// SPDX-License-Identifier: Apache-2.0
// The energy of an execution: a window of executions in a row, long enough for a counter that has a
// new value a few times a second.
#pragma once

#include <cstdint>
#include <functional>

#include "harness/device/energy_meter.h"

namespace alsbench {

inline constexpr double kEnergyWindow = 0.5;  // seconds; at least 0.1 tell anything

// `execute` runs a number of executions and waits for them. A thread of its own reads the source
// meanwhile, as NVML takes some 5 ms for it: the device never waits. The window begins and ends
// where the counter has a new value, so its steps are no error. Throws EnvironmentError where there
// is no source, or where it stands still.
EnergyRecord measure_energy(const EnergyMeter& meter, const std::function<void(int64_t)>& execute,
                            double window_seconds = kEnergyWindow);

}  // namespace alsbench
