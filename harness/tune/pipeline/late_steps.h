// SPDX-License-Identifier: Apache-2.0
// Fewer CG steps in a training's late iterations, once everything else is chosen.
#pragma once

#include <optional>

#include "harness/train/recipe.h"

namespace alsbench {

// The recipe with a step less from the fourth iteration on, in each pipeline that has more than
// one; nothing where none has.
std::optional<Recipe> with_fewer_late_steps(const Recipe& recipe);

}  // namespace alsbench
