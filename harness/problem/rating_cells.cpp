// SPDX-License-Identifier: Apache-2.0
#include "harness/problem/rating_cells.h"

namespace alsbench {
namespace {

constexpr int64_t kAligned = 64;  // ratings: cells keep their alignment within the matrix

// Ratings before the first one in the buffer that holds it.
int64_t lead_of(int64_t first) { return first % kAligned; }

}  // namespace

int64_t ratings_before(const Csr& matrix, int64_t row) {
  return matrix.nnz() > 0 ? matrix.offsets[row] : 0;
}

int64_t ratings_of(const Csr& matrix, RowRange rows) {
  return ratings_before(matrix, rows.end()) - ratings_before(matrix, rows.first);
}

RatingCells allocate_cells(Device& device, int64_t ratings) {
  const int64_t count = ratings + kAligned;  // with what lies before the first
  return {device.allocate(count * int64_t{sizeof(int32_t)}),
          device.allocate(count * int64_t{sizeof(float)})};
}

int32_t* index_of(const RatingCells& cells, int64_t first) {
  return cells.indices.as<int32_t>() + lead_of(first);
}

float* value_of(const RatingCells& cells, int64_t first) {
  return cells.values.as<float>() + lead_of(first);
}

RatingCells uploaded_cells(Device& device, const Csr& matrix, int64_t first, int64_t end) {
  RatingCells cells = allocate_cells(device, end - first);
  if (end == first) return cells;
  device.upload(index_of(cells, first), matrix.indices.data() + first,
                (end - first) * int64_t{sizeof(int32_t)});
  device.upload(value_of(cells, first), matrix.values.data() + first,
                (end - first) * int64_t{sizeof(float)});
  return cells;
}

RatingsView with_cells(RatingsView view, const RatingCells& cells, int64_t first, int64_t end) {
  view.indices = index_of(cells, first) - first;
  view.values = value_of(cells, first) - first;
  view.nnz = end;  // what lies behind is not there
  return view;
}

}  // namespace alsbench
