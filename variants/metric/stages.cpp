// SPDX-License-Identifier: Apache-2.0
#include "variants/metric/stages.h"

#include "variants/families.h"

namespace alsbench {
namespace {

Work rmse_work(const Shape& shape, const WorkOptions&) {
  const auto rows = static_cast<double>(shape.rows), cols = static_cast<double>(shape.cols);
  const auto nnz = static_cast<double>(shape.nnz), f = static_cast<double>(shape.rank);
  return {nnz * (2 * f + 3), 0, nnz * (8 + 8 * f), 8 * nnz + 4 * f * (rows + cols), 4 * nnz * f};
}

}  // namespace

const StageInfo stages::rmse{.name = "rmse",
                             .work = rmse_work,
                             .bounds = {Bound::arithmetic, Bound::reading, Bound::gather}};

void add_metric_stages(Catalog& catalog) { catalog.add(&stages::rmse); }

}  // namespace alsbench
