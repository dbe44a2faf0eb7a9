// SPDX-License-Identifier: Apache-2.0
// The stages of ALS with biases.
#include "variants/als/stages.h"

namespace alsbench {
namespace {

// An index, a rating and a level of each, and what is left of it.
Work centre_work(const Shape& shape, const WorkOptions&) {
  const auto nnz = static_cast<double>(shape.nnz);
  const double levels = 4 * static_cast<double>(shape.cols);
  return {2 * nnz, 0, 16 * nnz, 12 * nnz + levels, 4 * nnz, levels};
}

// A level and two columns, read or written.
Work columns_work(const Shape& shape, const WorkOptions&) {
  const auto rows = static_cast<double>(shape.rows);
  return {2 * rows, 0, 20 * rows, 20 * rows};
}

}  // namespace

const StageInfo stages::centre{.name = "centre", .work = centre_work, .bounds = {Bound::memory}};
const StageInfo stages::level_columns{
    .name = "level_columns", .work = columns_work, .bounds = {Bound::memory}};

}  // namespace alsbench
