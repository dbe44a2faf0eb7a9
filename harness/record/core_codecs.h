// SPDX-License-Identifier: Apache-2.0
// The fields of what variants and plans know of a problem and a device: shape, configuration, work,
// device traits.
#pragma once

#include "harness/record/fields/fields.h"
#include "variants/core/backend.h"
#include "variants/core/config.h"
#include "variants/core/device_traits.h"
#include "variants/core/limiter.h"
#include "variants/core/shape.h"
#include "variants/core/work.h"

namespace alsbench {

const Type& type_for(const Limiter*);

void describe(Fields<Shape>& fields);
void describe(Fields<Work>& fields);
void describe(Fields<DeviceTraits>& fields);
const Type& type_for(const Config*);  // {"tile": "8", ...}

}  // namespace alsbench
