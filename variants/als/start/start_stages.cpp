// SPDX-License-Identifier: Apache-2.0
// The stages that begin and speed up a training.
#include "variants/als/stages.h"

namespace alsbench {
namespace {

// An index and a value of every cell of the subsample, read and written.
Work subsample_work(const Shape& shape, const WorkOptions&) {
  const double cells = kMeasuredShare * static_cast<double>(shape.nnz);
  const double bytes = 16 * cells + 16 * static_cast<double>(shape.rows);
  return {2 * cells, 0, bytes, bytes};
}

Work blend_work(const Shape& shape, const WorkOptions&) {
  const double elements = static_cast<double>(shape.rows) * static_cast<double>(shape.rank);
  return {3 * elements, 0, 12 * elements, 12 * elements};
}

}  // namespace

const StageInfo stages::subsample{
    .name = "subsample", .work = subsample_work, .bounds = {Bound::memory}};
const StageInfo stages::blend{.name = "blend", .work = blend_work, .bounds = {Bound::memory}};

}  // namespace alsbench
