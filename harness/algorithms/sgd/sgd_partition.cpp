// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/sgd/sgd_partition.h"

#include <algorithm>
#include <utility>

#include "harness/data/csr_rows.h"
#include "harness/problem/row_partition.h"

namespace alsbench {
namespace {

const Csr& matrix_of(const RatingSet& set, Side side) { return set.side(side == Side::x); }

// Where the ratings of a row with these columns begin and end.
struct Span {
  int64_t begin, end;
};

Span span_of(const Csr& matrix, int64_t row, RowRange cols) {
  const int32_t* const first = matrix.indices.data() + matrix.offsets[row];
  const int32_t* const last = matrix.indices.data() + matrix.offsets[row + 1];
  const int32_t* const begin = std::lower_bound(first, last, cols.first);
  return {begin - matrix.indices.data(),
          std::lower_bound(begin, last, cols.end()) - matrix.indices.data()};
}

// The ratings of these rows and columns, in a matrix of the same size.
Csr part_of(const Csr& matrix, RowRange rows, RowRange cols) {
  ArrayBuilder<int64_t> lengths(matrix.rows + 1);
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t row = 0; row < matrix.rows; ++row) {
    const bool inside = row >= rows.first && row < rows.end();
    const Span span = inside ? span_of(matrix, row, cols) : Span{0, 0};
    lengths[row + 1] = span.end - span.begin;
  }
  CsrRows part(std::move(lengths));
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t row = rows.first; row < rows.end(); ++row) {
    const Span span = span_of(matrix, row, cols);
    std::copy(matrix.indices.data() + span.begin, matrix.indices.data() + span.end,
              part.indices.data() + part.offsets[row]);
    std::copy(matrix.values.data() + span.begin, matrix.values.data() + span.end,
              part.values.data() + part.offsets[row]);
  }
  return part.matrix(matrix.cols);
}

// The range of each row.
std::vector<int32_t> range_of_rows(const std::vector<int64_t>& bounds) {
  std::vector<int32_t> ranges(static_cast<size_t>(bounds.back()));
  for (size_t range = 1; range < bounds.size(); ++range)
    std::fill(ranges.begin() + bounds[range - 1], ranges.begin() + bounds[range],
              static_cast<int32_t>(range - 1));
  return ranges;
}

}  // namespace

SgdPartition::SgdPartition(const RatingSet& set, int members)
    : set_(&set),
      kept_(set.by_user.rows >= set.by_item.rows ? Side::x : Side::theta),
      x_bounds_(partition_rows(set.by_user.offsets, {.members = members})),
      theta_bounds_(partition_rows(set.by_item.offsets, {.members = members})) {}

RowRange SgdPartition::rows(Side side, int member, int step) const {
  const int range = side == kept_ ? member : (member + step) % members();
  const int64_t* const bound = bounds_of(side).data() + range;
  return {bound[0], bound[1] - bound[0]};
}

Csr SgdPartition::ratings(Side side, int member, int step) const {
  const Csr& matrix = matrix_of(*set_, side);
  if (members() == 1) return matrix;
  return part_of(matrix, rows(side, member, step), rows(other(side), member, step));
}

std::vector<int64_t> SgdPartition::ratings_of_blocks() const {
  const Csr& matrix = matrix_of(*set_, kept_);
  const std::vector<int32_t> range = range_of_rows(bounds_of(kept_));
  const std::vector<int32_t> passed_range = range_of_rows(bounds_of(passed()));
  const auto count = static_cast<int64_t>(members());
  std::vector<int64_t> ratings(static_cast<size_t>(count * count), 0);
  int64_t* const counts = ratings.data();
  const auto blocks = static_cast<int64_t>(ratings.size());
#pragma omp parallel for schedule(static) reduction(+ : counts[:blocks])  // cannot throw
  for (int64_t row = 0; row < matrix.rows; ++row)
    for (int64_t at = matrix.offsets[row]; at < matrix.offsets[row + 1]; ++at)
      ++counts[range[row] * count + passed_range[matrix.indices[at]]];
  return ratings;
}

double SgdPartition::largest_share() const {
  const int64_t all = set_->by_user.nnz();
  if (members() == 1 || all == 0) return 1;
  const std::vector<int64_t> ratings = ratings_of_blocks();
  int64_t longest = 0;
  for (int step = 0; step < steps(); ++step) {
    int64_t of_step = 0;
    for (int member = 0; member < members(); ++member)
      of_step = std::max(of_step, ratings[member * members() + (member + step) % members()]);
    longest += of_step;
  }
  return static_cast<double>(longest) / static_cast<double>(all);
}

}  // namespace alsbench
