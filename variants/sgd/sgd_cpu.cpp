// SPDX-License-Identifier: Apache-2.0
// CPU variants of the stage sgd_epoch.
#include "kernels/cpu/sgd/epoch.h"
#include "variants/core/cpu_resources.h"
#include "variants/families.h"
#include "variants/sgd/sgd.h"

namespace alsbench {
namespace {

void run_lock_free(const Config& config, const Shape&, const StageParams& params,
                   const RunContext& context) {
  sgd_lock_free(params.as<SgdParams>(), config.is("factors", "fp16"), config.integer("batch"),
                cpu_resources(context));
}

void run_blocked(const Config& config, const Shape&, const StageParams& params,
                 const RunContext& context) {
  sgd_blocked(params.as<SgdParams>(), config.is("factors", "fp16"), cpu_resources(context));
}

}  // namespace

void add_sgd_cpu(Catalog& catalog) {
  catalog.add(
      {.stage = &stages::sgd_epoch,
       .name = "blocked",
       .summary = "blocks without a common row or column side by side, a thread a block",
       .space = {sgd_parameters::factors({"fp32", "fp16"}), sgd_parameters::grid({64, 16, 128})},
       .run = run_blocked});
  catalog.add({.stage = &stages::sgd_epoch,
               .name = "lock_free",
               .summary = "a thread a batch of shuffled runs, without locks",
               .space = {sgd_parameters::factors({"fp32", "fp16"}), sgd_parameters::kRun,
                         sgd_parameters::kBatch},
               .run = run_lock_free,
               .nondeterminism = sgd_parameters::kRaces});
}

}  // namespace alsbench
