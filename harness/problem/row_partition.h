// SPDX-License-Identifier: Apache-2.0
// How the rows of a side are dealt to the members of a team: contiguous ranges of equal cost.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/data/csr.h"

namespace alsbench {

struct RowPartition {
  int members = 1;
  int64_t row_cost = 0;  // in ratings: what a row costs in addition to its own
  int64_t step = 1;      // ranges begin at multiples of so many rows
};

// members + 1 rows: where each range begins, and the last one's end. Ranges may be empty.
std::vector<int64_t> partition_rows(const Array<int64_t>& offsets, const RowPartition& rule);

// The cost of the dearest range over that of all.
double largest_share(const Array<int64_t>& offsets, const RowPartition& rule);

}  // namespace alsbench
