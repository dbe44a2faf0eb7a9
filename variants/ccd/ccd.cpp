// SPDX-License-Identifier: Apache-2.0
#include "variants/ccd/ccd.h"

#include "kernels/shared/params/ccd.h"
#include "variants/families.h"

namespace alsbench {
namespace {

constexpr double kValues = sizeof(CcdValues);

// Of a rating: a change of its residual takes 4 operations, its term of both sums 6. Its index and
// its residual are read, the residual is written, and a column's values are read by index: a whole
// sector of 32 bytes.
Work update_work(const Shape& shape, const WorkOptions&) {
  constexpr double kSector = 32;
  const auto nnz = static_cast<double>(shape.nnz), rows = static_cast<double>(shape.rows);
  const double ratings = 12 * nnz + (8 + kValues + 4) * rows;
  const double table = kValues * static_cast<double>(shape.cols);
  return {10 * nnz,      0,     ratings + kValues * nnz, ratings + table,
          kValues * nnz, table, ratings + kSector * nnz};
}

// A value and a feature of each row are read and written.
Work next_work(const Shape& shape, const WorkOptions&) {
  const double bytes = (2 * kValues + 8) * static_cast<double>(shape.rows);
  return {0, 0, bytes, bytes};
}

std::vector<RuledPipeline> by_rule(const Shape&, const DeviceTraits&) { return {{"fused"}}; }

}  // namespace

const StageInfo stages::ccd_update{
    .name = "ccd_update", .work = update_work, .bounds = {Bound::memory, Bound::gather}};
const StageInfo stages::ccd_next{.name = "ccd_next", .work = next_work, .bounds = {Bound::memory}};

const PipelineGrammar& ccd_pipelines() {
  constexpr const char* kExact = "residuals, then values: a pass each, in FP32";
  constexpr const char* kFused = "residuals and values in one pass, in FP32";
  static const PipelineGrammar grammar{
      .forms = {{&stages::ccd_update}},
      .presets = {{"exact", Backend::cuda, "ccd_update:separate", kExact},
                  {"fused", Backend::cuda, "ccd_update:fused", kFused},
                  {"exact", Backend::cpu, "ccd_update:separate", kExact},
                  {"fused", Backend::cpu, "ccd_update:fused", kFused}},
      .by_rule = by_rule};
  return grammar;
}

void add_ccd(Catalog& catalog) {
  catalog.add(&stages::ccd_update);
  catalog.add(&stages::ccd_next);
  catalog.add(&ccd_pipelines());
}

}  // namespace alsbench
