// SPDX-License-Identifier: Apache-2.0
// RatingList: the ratings of a matrix in another order than by row, for algorithms that go through
// them one by one. Equal seeds give equal lists, whatever the number of threads.
#pragma once

#include <string>

#include "harness/data/csr.h"

namespace alsbench {

struct RatingList {
  Array<int32_t> rows, cols;  // of each rating
  Array<float> values;
  // Where the list is a grid x grid matrix of blocks, in the order of (row block, column block):
  // grid^2 + 1 offsets.
  Array<int64_t> blocks;
  int32_t grid = 0;
  int64_t count() const { return values.size(); }
};

// The ratings of each row are shuffled and cut into runs of at most `run`; then the runs are
// shuffled. With run = 1 that shuffles the ratings. run >= 1.
RatingList shuffled_runs(const Csr& matrix, int64_t run, uint64_t seed);

// Rows and columns are dealt to `grid` parts each, so parts have about equally many ratings; ties
// are dealt at random. In a block the ratings of a row stand together. grid >= 1.
RatingList rating_blocks(const Csr& matrix, int32_t grid, uint64_t seed);

// The list that a name such as "run=16" or "grid=512" (Storage::order) stands for. Throws
// std::invalid_argument for any other: a defect of the caller.
RatingList rating_list(const Csr& matrix, const std::string& order, uint64_t seed);

}  // namespace alsbench
