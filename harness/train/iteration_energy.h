// SPDX-License-Identifier: Apache-2.0
// The energy of an iteration of a training.
#pragma once

#include "harness/device/team.h"
#include "harness/record/training_record.h"
#include "harness/train/training.h"

namespace alsbench {

// At least 20 steps of a counter that has a new value every 0.1 s.
inline constexpr double kIterationEnergyWindow = 2;  // seconds
// Of a longer iteration the energy is not measured: no worker is silent for so many of them.
inline constexpr double kLongestForEnergy = 10;  // seconds

// Goes on with a training whose last iteration this was, for a window of iterations in a row that
// nothing is evaluated between. Nothing is asked of the training any more.
TrainingEnergy energy_of_iteration(const Member& member, Training& training,
                                   const IterationRecord& last);

}  // namespace alsbench
