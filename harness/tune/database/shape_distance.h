// SPDX-License-Identifier: Apache-2.0
// How far tuned shapes are from another shape, and which of them are near enough to answer for it.
#pragma once

#include <vector>

#include "harness/tune/database/tuned_entry.h"

namespace alsbench {

// Doublings between two shapes: the Euclidean distance of the logarithms to base 2 of rank, rows,
// cols and mean row length (nnz follows from rows and mean). A zero counts as one half.
double shape_distance(const Shape& a, const Shape& b);

// Whether rows, cols, nnz and mean row length each differ by at most kMostDoublings, and the ranks
// by at most kMostRankDoublings: the rules of the default beat a tuning of another rank
// (docs/explanation/tuning.md, "Which level served").
inline constexpr double kMostDoublings = 2, kMostRankDoublings = 0.25;
bool within_reach(const Shape& a, const Shape& b);
// A pipeline of variants that no rule weighs at a shape answers for it from this distance at most:
// nothing says how its time goes with the size.
inline constexpr double kMostDoublingsUnweighed = 1;

// Those within reach in order of distance, equally near ones in the order given. Entries of the
// nearest rank come first: a kernel's registers and shared memory follow the rank more than any
// size.
std::vector<const TunedEntry*> nearest_first(const Shape& shape,
                                             const std::vector<const TunedEntry*>& entries);

}  // namespace alsbench
