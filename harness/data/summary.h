// SPDX-License-Identifier: Apache-2.0
// Summary of a rating set, as JSON: for `alsbench data info` and for records.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "harness/data/csr.h"

namespace alsbench {

// Shape, density, quantiles of the ratings a user and an item (train and test together), empty
// users and items (of training), value range, mean, hash.
nlohmann::ordered_json summary_of(const RatingSet& set);

}  // namespace alsbench
