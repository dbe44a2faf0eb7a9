// SPDX-License-Identifier: Apache-2.0
// JSON of what variants and plans know of a problem and a device: shape, configuration, work,
// device traits.
#pragma once

#include "harness/record/json.h"
#include "variants/core/config.h"
#include "variants/core/device_traits.h"
#include "variants/core/shape.h"
#include "variants/core/work.h"

namespace alsbench {

Json to_json(const Shape& shape);
Shape shape_from_json(const JsonField& json);

Json to_json(const Config& config);  // {"tile": "8", ...}
Config config_from_json(const JsonField& json);

Json to_json(const Work& work);
Work work_from_json(const JsonField& json);

Json to_json(const DeviceTraits& traits);
DeviceTraits device_traits_from_json(const JsonField& json);

}  // namespace alsbench
