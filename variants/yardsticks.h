// SPDX-License-Identifier: Apache-2.0
// Yardsticks: what the rates of a variant are compared with. A roof is one that no variant passes;
// a comparison is one that some do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "variants/core/variant.h"

namespace alsbench {

struct Yardstick {
  std::string name;  // "copy", "mma fp16"
  Count count = Count::useful_flops;
  bool roof = false;  // to whom it is held against

  friend bool operator==(const Yardstick&, const Yardstick&) = default;
};

// The name of the yardstick that a point of a variant measures, or nothing: the variant is none.
std::optional<std::string> yardstick_measured_by(const Variant& variant, const Config& config);

// What the units that do a point's arithmetic multiply.
Scalar multiplied_type(const Variant& variant, const Config& config);

// What a point that does this work is held against. The table stands in docs/measuring.md, too.
std::vector<Yardstick> yardsticks_of(const Variant& variant, const Config& config, const Work& work,
                                     const DeviceTraits& traits);

}  // namespace alsbench
