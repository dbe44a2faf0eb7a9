// SPDX-License-Identifier: Apache-2.0
// The check of stages that go from ratings to solutions, whatever their equations are.
#pragma once

#include <functional>

#include "harness/stage/als/reference_rows.h"
#include "harness/stage/check.h"

namespace alsbench {

// The rows to check, ascending: their equations with the factors as a configuration reads them, and
// with exact ones.
struct UpdateReference {
  const std::vector<ReferenceRow>& rows;
  const std::vector<ReferenceRow>& exact;
  std::function<double(int64_t count)> diagonal;  // of a row with ratings: no eigenvalue is less
};
Verification check_update(const CheckRequest& request, UpdateFixture& fixture,
                          const UpdateReference& reference);

using Rounding = float (*)(float);
// To the values of a type of factors that has no scales.
Rounding rounding_to(Scalar type);

}  // namespace alsbench
