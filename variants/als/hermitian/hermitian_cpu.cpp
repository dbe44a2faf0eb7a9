// SPDX-License-Identifier: Apache-2.0
// CPU variants of the stage hermitian.
#include "kernels/cpu/hermitian.h"
#include "variants/als/parameters.h"
#include "variants/als/stages.h"
#include "variants/core/cpu_resources.h"
#include "variants/families.h"

namespace alsbench {
namespace {

const Parameter kStore{
    "store", {"streaming", "cached"}, "FP32 matrices past the caches, or through them"};
const Parameter kBin{
    "bin", {64, 16, 32, 48, 96, 128, 192, 256}, "factor rows gathered before they are used"};

HermitianOptions options_of(const Config& config) {
  HermitianOptions options;
  options.half_factors = parameters::factors_type(config) == Scalar::fp16;
  options.half_output = parameters::matrices_type(config) == Scalar::fp16;
  if (config.has("bin")) options.bin = config.integer("bin");
  if (config.has("tile")) options.tile.rows = config.integer("tile");
  options.streaming = !config.is("store", "cached");
  options.half_product = !config.is("routine", "sgemm");
  return options;
}

std::optional<std::string> store_objection(const Config& config, const Shape&,
                                           const DeviceTraits&) {
  if (config.is("store", "cached") && parameters::matrices_type(config) == Scalar::fp16)
    return "FP16 matrices always pass through the caches: store makes no difference";
  return std::nullopt;
}

// `kernel` as a variant's run.
template <auto kernel>
void run(const Config& config, const Shape&, const StageParams& params, const RunContext& context) {
  kernel(params.as<UpdateParams>(), options_of(config), cpu_resources(context));
}

}  // namespace

void add_hermitian_cpu(Catalog& catalog) {
  catalog.add({.stage = &stages::hermitian,
               .name = "naive",
               .summary = "every rating adds its outer product to the whole matrix",
               .space = {parameters::factors(), parameters::output()},
               .run = run<hermitian_naive>});
  catalog.add(
      {.stage = &stages::hermitian,
       .name = "blocked",
       .summary = "gathers a bin of factor rows, then updates the lower triangle from registers",
       .space = {{"tile", {6, 4, 8, 12}, "rows of a register tile two vectors wide"},
                 kBin,
                 kStore,
                 parameters::factors(),
                 parameters::output()},
       .objection = store_objection,
       .run = run<hermitian_blocked>});
  catalog.add({.stage = &stages::hermitian,
               .name = "sgemm",
               .summary = "gathers a bin of factor rows, then OpenBLAS",
               .space = {{"routine", {"ssyrk", "sgemm"}, "ssyrk does half of the products"},
                         kBin,
                         kStore,
                         parameters::factors(),
                         parameters::output()},
               .objection = store_objection,
               .run = run<hermitian_blas>});
}

}  // namespace alsbench
