// SPDX-License-Identifier: Apache-2.0
#include "harness/measure/energy.h"

#include "harness/device/energy_window.h"

namespace alsbench {

EnergyRecord measure_energy(StageFixture& fixture, const Variant& variant, Executable& executable) {
  Device& device = fixture.problem().device();
  return measure_energy(device.energy_meter(), [&](int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      fixture.restore(variant);
      fixture.launch(executable);
    }
    device.synchronize();
  });
}

}  // namespace alsbench
