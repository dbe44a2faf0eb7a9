// SPDX-License-Identifier: Apache-2.0
// How far tuned shapes are from another shape, and whether that one lies between them. Look-ups in
// the tuning database need both in order not to extrapolate.
#pragma once

#include <vector>

#include "harness/tune/database/tuned_entry.h"

namespace alsbench {

// Doublings between two shapes: the Euclidean distance of the logarithms to base 2 of rank, rows,
// cols and mean row length (nnz follows from rows and mean). A zero counts as one half.
double shape_distance(const Shape& a, const Shape& b);

// Whether rank, rows, cols, nnz and mean row length each lie between the least and the greatest of
// the entries, to the whole power of two (the rank exactly). Never true without entries.
bool inside_range(const Shape& shape, const std::vector<const TunedEntry*>& entries);

// In order of distance, equally near ones in the order given. Entries of the nearest rank come
// first: a kernel's registers and shared memory follow the rank more than any size.
std::vector<const TunedEntry*> nearest_first(const Shape& shape,
                                             const std::vector<const TunedEntry*>& entries);

}  // namespace alsbench
