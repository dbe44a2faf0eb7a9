// SPDX-License-Identifier: Apache-2.0
// Shared by the variants that cut long rows into pieces (kernels/cuda/rows).
#pragma once

#include <optional>
#include <string>

#include "kernels/cuda/rows/pieces.cuh"
#include "variants/core/variant.h"

namespace alsbench::pieces {

// The pieces' workspace must leave room for everything else.
std::optional<std::string> objection(const PieceWorkspace& workspace, const DeviceTraits& traits);

// The launches that come first, and the workspace: they list the pieces of long rows of a batch of
// `rows`, or all rows where the workspace says so. `ordered`: pieces in the order of columns.
KernelPlan prelude(const PieceWorkspace& workspace, bool ordered, int64_t rows,
                   const DeviceTraits& traits);

}  // namespace alsbench::pieces
