// SPDX-License-Identifier: Apache-2.0
// Which variant of the stage top_k recommends on a device, and how.
#pragma once

#include "variants/core/device_traits.h"
#include "variants/core/variant.h"

namespace alsbench {

struct TopKChoice {
  const Variant* variant = nullptr;
  Config config = {};
};

// The first configuration that the device can run and that finds k items for a user. Throws
// UsageError where there is none.
TopKChoice top_k_choice(const Shape& shape, const DeviceTraits& traits, int k);

}  // namespace alsbench
