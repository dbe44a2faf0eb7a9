// SPDX-License-Identifier: Apache-2.0
// Storage: how a configuration keeps the operands of its stage: their types, and the ratings'
// order.
#pragma once

#include <compare>
#include <string>

#include "variants/core/scalar.h"

namespace alsbench {

// The operands whose storage variants choose.
enum class Operand {
  factors,   // those that a stage reads
  matrices,  // A_u, that a stage writes or reads
  ratings,   // in another order than by row
};

struct Storage {
  Scalar factors = Scalar::fp32;
  Scalar matrices = Scalar::fp32;
  std::string order = {};    // of the ratings: "run=16"; by row where it is empty
  std::string text() const;  // "fp16:fp32", with ":run=16" where there is an order
  friend auto operator<=>(const Storage&, const Storage&) = default;
};

}  // namespace alsbench
