// SPDX-License-Identifier: Apache-2.0
// The energy of an executable on its fixture, hot, with what puts back its inputs.
#pragma once

#include "harness/record/energy_record.h"
#include "harness/stage/stage_fixture.h"

namespace alsbench {

// Throws EnvironmentError where the device tells neither energy nor power.
EnergyRecord measure_energy(StageFixture& fixture, const Variant& variant, Executable& executable);

}  // namespace alsbench
