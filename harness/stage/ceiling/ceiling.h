// SPDX-License-Identifier: Apache-2.0
// Shared by the fixtures and checks of the ceilings.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/device/device.h"

namespace alsbench {

// Fills a device buffer with uniform floats in [-0.5, 0.5]: one host block, repeated on the device.
void fill_random(Device& device, const Buffer& buffer, uint64_t seed);

// At most `count` numbers of [0, limit), ascending, the first and the last among them; others with
// each draw.
std::vector<int64_t> sampled_numbers(int64_t limit, int64_t count,
                                     std::optional<uint64_t> draw = std::nullopt);

}  // namespace alsbench
