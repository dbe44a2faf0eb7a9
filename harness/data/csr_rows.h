// SPDX-License-Identifier: Apache-2.0
// CsrRows: a matrix whose rows are filled, in parallel if one likes, once their lengths are known.
#pragma once

#include <cstdint>
#include <utility>

#include "harness/data/array_builder.h"
#include "harness/data/csr.h"

namespace alsbench {

struct CsrRows {
  // lengths[row + 1] is that of a row; lengths[0] is not read.
  explicit CsrRows(ArrayBuilder<int64_t> lengths)
      : offsets(std::move(lengths)), indices(summed(offsets)), values(indices.size()) {}

  int64_t nnz() const { return indices.size(); }
  // A cell at a place that a row has; the place moves on.
  void put(int64_t& place, int32_t col, float value) {
    indices[place] = col;
    values[place++] = value;
  }
  // Leaves this empty.
  Csr matrix(int64_t cols) {
    const int64_t rows = offsets.size() - 1;
    return {rows, cols, offsets.freeze(), indices.freeze(), values.freeze()};
  }

  ArrayBuilder<int64_t> offsets;  // of rows; and the number of cells
  ArrayBuilder<int32_t> indices;
  ArrayBuilder<float> values;

 private:
  static int64_t summed(ArrayBuilder<int64_t>& lengths) {
    lengths[0] = 0;
    for (int64_t row = 1; row < lengths.size(); ++row) lengths[row] += lengths[row - 1];
    return lengths[lengths.size() - 1];
  }
};

}  // namespace alsbench
