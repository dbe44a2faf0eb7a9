// SPDX-License-Identifier: Apache-2.0
// SgdPartition: which ratings a member of a team updates by, and when. As Gemulla et al. have it
// (KDD 2011), both sides are dealt to ranges of about equally many ratings, a range a member. A
// member keeps its range of one side. In each step of an epoch it has another range of the other
// side, and no two members have the same.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/data/dataset.h"
#include "harness/data/side.h"
#include "harness/problem/row_range.h"

namespace alsbench {

class SgdPartition {
 public:
  SgdPartition(const RatingSet& set, int members);

  int members() const { return static_cast<int>(bounds_of(kept_).size()) - 1; }
  int steps() const { return members(); }
  // The side whose ranges stay: it has more rows.
  Side kept() const { return kept_; }
  Side passed() const { return other(kept_); }
  // The rows of a side that a member has in a step from 0 on.
  RowRange rows(Side side, int member, int step) const;
  // The ratings of these rows of both sides, as a matrix of all rows of `side`.
  Csr ratings(Side side, int member, int step) const;
  // An epoch takes as long as the longest block of each step: these blocks' share of the ratings.
  double largest_share() const;

 private:
  const std::vector<int64_t>& bounds_of(Side side) const {
    return side == Side::x ? x_bounds_ : theta_bounds_;
  }
  // By range of the kept side and of the other.
  std::vector<int64_t> ratings_of_blocks() const;

  const RatingSet* set_;
  Side kept_;
  std::vector<int64_t> x_bounds_, theta_bounds_;
};

}  // namespace alsbench
