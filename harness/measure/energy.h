// SPDX-License-Identifier: Apache-2.0
// The energy of an execution: a window of executions in a row, long enough for a counter that has a
// new value a few times a second.
#pragma once

#include <functional>

#include "harness/device/energy_meter.h"
#include "harness/record/energy_record.h"
#include "harness/stage/stage_fixture.h"

namespace alsbench {

inline constexpr double kEnergyWindow = 0.5;  // seconds; at least 0.1 tell anything

struct EnergyClock {
  std::function<double()> seconds;  // of a steady clock
  std::function<double()> read;     // EnergyMeter::read
};

// `execute` runs a number of executions and waits for them. The window begins and ends where the
// counter has a new value, so its steps are no error. Of a source that stands still the window ends
// after three times its length.
EnergyRecord measure_energy(EnergySource source, const EnergyClock& clock,
                            const std::function<void(int64_t)>& execute,
                            double window_seconds = kEnergyWindow);

// Of an executable on its fixture, hot, with what puts back its inputs. Throws EnvironmentError
// where the device tells neither energy nor power.
EnergyRecord measure_energy(StageFixture& fixture, const Variant& variant, Executable& executable,
                            EnergyMeter& meter);

}  // namespace alsbench
