// SPDX-License-Identifier: Apache-2.0
// Storage: the types that a configuration keeps the operands of its stage in.
#pragma once

#include <compare>

#include "variants/core/scalar.h"

namespace alsbench {

// The operands whose type variants choose.
enum class Operand {
  factors,   // those that a stage reads
  matrices,  // A_u, that a stage writes or reads
};

struct Storage {
  Scalar factors = Scalar::fp32;
  Scalar matrices = Scalar::fp32;
  friend auto operator<=>(const Storage&, const Storage&) = default;
};

}  // namespace alsbench
