// SPDX-License-Identifier: Apache-2.0
// How far tuned shapes are from another shape, and which of them are near enough to answer for it.
#pragma once

#include <vector>

#include "harness/tune/database/tuned_entry.h"

namespace alsbench {

// Doublings between two shapes: the Euclidean distance of the base-2 logarithms of rank, rows, cols
// and mean row length. (nnz follows from rows and mean.) A zero counts as one half.
double shape_distance(const Shape& a, const Shape& b);

// Whether rows, cols, nnz and mean row length each differ by at most kMaxDoublings, and the ranks
// by at most kMaxRankDoublings. The default's rules beat a tuning of another rank
// (docs/explanation/tuning-algorithm.md, "Which level served").
inline constexpr double kMaxDoublings = 2, kMaxRankDoublings = 0.25;
bool is_near(const Shape& a, const Shape& b);
// Maximum distance for a pipeline that no rule covers at a shape: nothing predicts its scaling.
inline constexpr double kMaxDoublingsWithoutRule = 1;

// Those within reach in order of distance, equally near ones in the order given. Entries of the
// nearest rank come first: a kernel's registers and shared memory follow the rank more than any
// size.
std::vector<const TunedEntry*> nearest_first(const Shape& shape,
                                             const std::vector<const TunedEntry*>& entries);

}  // namespace alsbench
