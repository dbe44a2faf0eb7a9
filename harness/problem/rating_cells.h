// SPDX-License-Identifier: Apache-2.0
// RatingCells: indices and values of consecutive rows of a matrix on a device, which need not hold
// those of other rows. Kernels find them at the offsets of the whole matrix.
#pragma once

#include <cstdint>

#include "harness/data/csr.h"
#include "harness/device/device.h"
#include "harness/problem/row_range.h"
#include "kernels/shared/views.h"

namespace alsbench {

struct RatingCells {
  Buffer indices, values;
};

// Ratings of the rows before this one, and of a range.
int64_t ratings_before(const Csr& matrix, int64_t row);
int64_t ratings_of(const Csr& matrix, RowRange rows);

// Room for so many ratings of consecutive rows. Throws OutOfMemoryError.
RatingCells allocate_cells(Device& device, int64_t ratings);

// Where the matrix's rating `first` lies in cells that begin with it: those that follow it lie
// behind, aligned as in the matrix.
int32_t* index_of(const RatingCells& cells, int64_t first);
float* value_of(const RatingCells& cells, int64_t first);

// The ratings `first` to `end` of the matrix in cells of their own. Waits. Throws OutOfMemoryError.
RatingCells uploaded_cells(Device& device, const Csr& matrix, int64_t first, int64_t end);

// The view, with cells that begin with the matrix's rating `first` and hold those before `end`.
RatingsView with_cells(RatingsView view, const RatingCells& cells, int64_t first, int64_t end);

}  // namespace alsbench
