// SPDX-License-Identifier: Apache-2.0
// Yardsticks: what the rates of a variant are compared with. A roof is one that no variant passes;
// a comparison is one that some do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "variants/core/limiter.h"
#include "variants/core/variant.h"

namespace alsbench {

struct Yardstick {
  std::string name;  // "copy", "mma fp16"
  Count count = Count::useful_flops;
  bool roof = false;                // to whom it is held against
  Limiter limiter = Limiter::fp32;  // what it measures the rate of

  friend bool operator==(const Yardstick&, const Yardstick&) = default;
};

// The name of the yardstick that a point of a variant measures, or nothing: the variant is none.
std::optional<std::string> yardstick_measured_by(const Variant& variant, const Config& config);

// What the units that do a point's arithmetic multiply.
Scalar multiplied_type(const Variant& variant, const Config& config);

// Whether work moves so much that what a cache of so many bytes may keep of it is no large part.
bool passes_through_memory(const Work& work, double cache_bytes);

// What a point that does this work is held against. The table stands in
// docs/explanation/measuring.md, too.
std::vector<Yardstick> yardsticks_of(const Variant& variant, const Config& config, const Work& work,
                                     const DeviceTraits& traits);

}  // namespace alsbench
