// SPDX-License-Identifier: Apache-2.0
// Splits ratings into train and test, by a hash of each cell or by their times. The split is exact
// in number, and independent of the order of cells and of threads.
#pragma once

#include <cstdint>
#include <span>

#include "harness/data/csr.h"
#include "harness/data/data_request.h"

namespace alsbench {

struct Split {
  Csr train;
  Csr test;
};

// `test_count` of the ratings of `all` (rows ascending, no cell twice) become the test set.
Split split_ratings(const Csr& all, int64_t test_count, uint64_t seed);

// Which ratings are held out, and how many: a share of all or of each user's, or one of each user.
// A user keeps at least one rating, unless the share is of all.
struct Holdout {
  SplitBy by = SplitBy::random;
  double share = 0;  // of ways that take one
  uint64_t seed = 0;
};

// Moves ratings of set.by_user, which is the whole, to set.test. `ages` has the age of each of its
// cells (ages_of_cells) for ways that need times. Times that the set has move along. finish_set
// follows.
void split_set(RatingSet& set, const Holdout& holdout, std::span<const int64_t> ages = {});

// Completes a set whose by_user and test are there: by_item, mean, content hash.
void finish_set(RatingSet& set);

// A matrix of this shape without ratings.
Csr empty_csr(int64_t rows, int64_t cols);

}  // namespace alsbench
