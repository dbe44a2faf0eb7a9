// SPDX-License-Identifier: Apache-2.0
#include "variants/sgd/sgd.h"

#include "kernels/shared/params/sgd.h"
#include "variants/families.h"

namespace alsbench {
namespace {

// A dot product, and each of two rows scaled and added to: 2 f + 2 * 3 f. Both rows are read and
// written, and a rating is 12 bytes.
Work work(const Shape& shape, const WorkOptions& options) {
  const auto nnz = static_cast<double>(shape.nnz), f = static_cast<double>(shape.rank);
  const auto rows = static_cast<double>(shape.rows + shape.cols);
  const auto element = static_cast<double>(size_of(options.storage.factors));
  return {8 * nnz * f, 0, nnz * (12 + 4 * element * f), 12 * nnz + 2 * element * rows * f,
          2 * nnz * element * f};
}

std::vector<RuledPipeline> by_rule(const Shape&, const DeviceTraits& traits) {
  if (traits.backend == Backend::cuda) return {{"lock-free"}};
  return {{"blocked"}};
}

void complete(StageParams& stage_params, const KernelPlan&, void* workspace) {
  SgdParams params = stage_params.as<SgdParams>();
  params.workspace = static_cast<int32_t*>(workspace);
  stage_params = params;
}

}  // namespace

const StageInfo stages::sgd_epoch{.name = "sgd_epoch",
                                  .work = work,
                                  .bounds = {Bound::memory, Bound::gather},
                                  .complete = complete};

Parameter sgd_parameters::grid(std::vector<Value> sizes) {
  return {.name = "grid",
          .values = std::move(sizes),
          .description =
              "parts of the rows and of the columns: a worker has a block of a row and "
              "a column part at a time",
          .effect = Effect::storage,
          .operand = Operand::ratings};
}

Parameter sgd_parameters::factors(std::vector<Value> types) {
  return {.name = "factors",
          .values = std::move(types),
          .description = "storage of both factor matrices; arithmetic is in float",
          .effect = Effect::storage,
          .operand = Operand::factors};
}

const PipelineGrammar& sgd_pipelines() {
  static const PipelineGrammar grammar{
      .forms = {{&stages::sgd_epoch}},
      .presets =
          {{"exact", Backend::cuda, "sgd_epoch:blocked:factors=fp32",
            "an order without conflicts, in FP32"},
           {"lock-free", Backend::cuda, "sgd_epoch:lock_free",
            "as many workers as the device holds, without locks, in FP16"},
           {"blocked", Backend::cuda, "sgd_epoch:blocked", "an order without conflicts, in FP16"},
           {"exact", Backend::cpu, "sgd_epoch:blocked", "an order without conflicts, in FP32"},
           {"lock-free", Backend::cpu, "sgd_epoch:lock_free",
            "a thread a batch of ratings, without locks, in FP32"},
           {"blocked", Backend::cpu, "sgd_epoch:blocked", "an order without conflicts, in FP32"}},
      .by_rule = by_rule};
  return grammar;
}

void add_sgd(Catalog& catalog) {
  catalog.add(&stages::sgd_epoch);
  catalog.add(&sgd_pipelines());
}

}  // namespace alsbench
