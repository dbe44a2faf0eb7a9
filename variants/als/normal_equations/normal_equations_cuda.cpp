// SPDX-License-Identifier: Apache-2.0
// The CUDA variants of the stage normal_equations: A_u and b_u in one pass on tensor cores (mma).
#include <fmt/format.h>

#include "kernels/cuda/normal_equations/mma_parameters.cuh"
#include "variants/als/parameters.h"
#include "variants/als/stages.h"
#include "variants/als/tensor_cores.h"
#include "variants/families.h"

namespace alsbench {
namespace {

int strip_bytes(const Config& config, const Shape& shape) {
  return mma_strip_bytes(shape.rank, parameters::matrices_type(config) == Scalar::fp16 ? 2 : 4,
                         tensor_cores::team_of(shape));
}

std::optional<std::string> mma_objection(const Config& config, const Shape& shape,
                                         const DeviceTraits& traits) {
  return tensor_cores::objection(
      config, shape, traits, tensor_cores::layout_of(config, shape, strip_bytes(config, shape)));
}

KernelPlan mma_plan(const Config& config, const Shape& shape, const DeviceTraits& traits) {
  const MmaLayout layout = tensor_cores::layout_of(config, shape, strip_bytes(config, shape));
  const std::string last = fmt::format("alsbench::MmaPhase::{}, {}", config.get("phase"),
                                       element_type(parameters::matrices_type(config)));

  KernelLaunch multiply = tensor_cores::stream_launch(traits, layout);
  multiply.source = "kernels/cuda/normal_equations/mma.cuh";
  multiply.instance = fmt::format("alsbench::mma_multiply<{}, {}>",
                                  tensor_cores::stream_arguments(config, traits, layout), last);

  KernelLaunch cut_rows = tensor_cores::cut_rows_launch(traits, layout);
  cut_rows.source = "kernels/cuda/normal_equations/mma_cut_rows.cuh";
  cut_rows.instance = fmt::format("alsbench::mma_write_cut_rows<{}, {}>",
                                  tensor_cores::cut_rows_arguments(config, traits, layout), last);
  return tensor_cores::plan(config, shape, traits, {multiply, cut_rows});
}

Variant mma() {
  return {.stage = &stages::normal_equations,
          .name = "mma",
          .backend = Backend::cuda,
          .summary =
              "A_u and b_u in one pass on tensor cores, a warp (or a team) a row, A_u in registers",
          .space = {tensor_cores::kStream,
                    {parameters::output(),
                     {.name = "phase",
                      .values = {"all", "multiply"},
                      .description = "all, or without the write of A_u, for timing",
                      .effect = Effect::diagnostic}}},
          .objection = mma_objection,
          .plan = mma_plan,
          .multiplies = tensor_cores::multiplied};
}

}  // namespace

void add_normal_equations_cuda(Catalog& catalog) { catalog.add(mma()); }

}  // namespace alsbench
