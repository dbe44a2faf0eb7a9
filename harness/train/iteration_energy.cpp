// SPDX-License-Identifier: Apache-2.0
#include "harness/train/iteration_energy.h"

#include <fmt/format.h>

#include "base/error.h"
#include "harness/device/energy_window.h"

namespace alsbench {

TrainingEnergy energy_of_iteration(const Member& member, Training& training,
                                   const IterationRecord& last) {
  if (!member.alone()) return {{}, "a team of devices; train on one"};
  const EnergyMeter meter = member.device().energy_meter();
  if (!meter.source()) return {{}, meter.remedy()};
  if (last.wall_seconds > kLongestForEnergy)
    return {{},
            fmt::format("an iteration takes {:.0f} s, and of more than {:g} s none is repeated",
                        last.wall_seconds, kLongestForEnergy)};
  int iteration = last.iteration;
  const auto iterate = [&](int64_t count) {
    for (int64_t i = 0; i < count; ++i) training.iterate(++iteration);
  };
  try {
    return {measure_energy(meter, iterate, kIterationEnergyWindow), ""};
  } catch (const EnvironmentError& error) {
    return {{}, error.what()};
  } catch (const NonFiniteError& error) {  // the training itself ended well
    return {{}, error.what()};
  }
}

}  // namespace alsbench
