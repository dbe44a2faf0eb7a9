// SPDX-License-Identifier: Apache-2.0
// What the variants that cut long rows into pieces (kernels/cuda/rows) have in common.
#pragma once

#include <optional>
#include <string>

#include "kernels/cuda/rows/pieces.cuh"
#include "variants/core/variant.h"

namespace alsbench::pieces {

// The pieces' workspace must leave room for everything else.
std::optional<std::string> objection(const PieceWorkspace& workspace, const DeviceTraits& traits);

// The launches that come first, and the workspace: cut rows; order pieces by column, or sort rows
// by length where some are short.
KernelPlan prelude(const PieceWorkspace& workspace, bool ordered, const DeviceTraits& traits);

}  // namespace alsbench::pieces
