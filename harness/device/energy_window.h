// SPDX-License-Identifier: Apache-2.0
// The energy of an execution: a window of executions in a row, long enough for a counter that has a
// new value a few times a second.
#pragma once

#include <cstdint>
#include <functional>

#include "harness/device/energy_meter.h"

namespace alsbench {

inline constexpr double kEnergyWindow = 0.5;  // seconds; at least 0.1 tell anything

struct EnergyClock {
  std::function<double()> seconds;  // of a steady clock
  std::function<double()> read;     // EnergyMeter::read
};

// `execute` runs a number of executions and waits for them. The window begins and ends where the
// counter has a new value, so its steps are no error. Of a source that stands still the window ends
// after three times its length. Throws EnvironmentError where it stood still.
EnergyRecord measure_energy(EnergySource source, const EnergyClock& clock,
                            const std::function<void(int64_t)>& execute,
                            double window_seconds = kEnergyWindow);

// By the host's clock. Throws EnvironmentError where there is no source, too.
EnergyRecord measure_energy(const EnergyMeter& meter, const std::function<void(int64_t)>& execute,
                            double window_seconds = kEnergyWindow);

}  // namespace alsbench
