// SPDX-License-Identifier: Apache-2.0
// ReferenceRates: what the rates of a variant are compared with. A ceiling is one that no variant
// passes; a comparison is one that some do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "variants/core/limiter.h"
#include "variants/core/variant.h"

namespace alsbench {

struct ReferenceRate {
  std::string name;  // "copy", "mma fp16"
  Count count = Count::useful_flops;
  bool ceiling = false;             // to whom it is held against
  Limiter limiter = Limiter::fp32;  // what it measures the rate of
  std::string stand_in = {};  // that takes its place where it was not measured, as in older files

  friend bool operator==(const ReferenceRate&, const ReferenceRate&) = default;
};

// The name of the reference that a point of a variant measures, or nothing: the variant is none.
std::optional<std::string> reference_rate_measured_by(const Variant& variant, const Config& config);

// The type that the units which do a point's arithmetic multiply.
Scalar multiplied_type(const Variant& variant, const Config& config);

// Whether work moves so much that what a cache of so many bytes may keep of it is no large part.
bool exceeds_cache(const Work& work, double cache_bytes);

// The references that a point with this work is compared with. The table stands in
// docs/explanation/measuring.md, too.
std::vector<ReferenceRate> reference_rates_of(const Variant& variant, const Config& config,
                                              const Work& work, const DeviceTraits& traits);

}  // namespace alsbench
