// SPDX-License-Identifier: Apache-2.0
// Splits ratings into train and test by a hash of each cell: exact in number, the same for any
// order of the input and any number of threads.
#pragma once

#include <cstdint>

#include "harness/data/csr.h"

namespace alsbench {

struct Split {
  Csr train;
  Csr test;
};

// `test_count` of the ratings of `all` (rows ascending, no cell twice) become the test set.
Split split_ratings(const Csr& all, int64_t test_count, uint64_t seed);

// `share` of the ratings of set.by_user, which is the whole, become set.test. finish_set follows.
void split_set(RatingSet& set, double share, uint64_t seed);

// Completes a set whose by_user and test are there: by_item, mean, content hash.
void finish_set(RatingSet& set);

// A matrix of this shape without ratings.
Csr empty_csr(int64_t rows, int64_t cols);

}  // namespace alsbench
