// The CUDA variants of the stage update: a half-iteration on tensor cores with CG in registers
// (fused).
#include <fmt/format.h>

#include <bit>

#include "variants/families.h"
#include "variants/tensor_cores.h"

namespace alsbench {
namespace {

MmaLayout layout_of(const Config& config, const Shape& shape) {
  return tensor_cores::layout_of(config, shape, MmaLayout{shape.rank}.vectors_bytes());
}

std::optional<std::string> fused_objection(const Config& config, const Shape& shape,
                                           const DeviceTraits& traits) {
  if (config.number("steps") != config.integer("steps")) return "steps must be a whole number";
  return tensor_cores::objection(config, shape, traits, layout_of(config, shape));
}

KernelPlan fused_plan(const Config& config, const Shape& shape, const DeviceTraits& traits) {
  const MmaLayout layout = layout_of(config, shape);
  const auto tolerance = std::bit_cast<uint32_t>(static_cast<float>(config.number("tolerance")));
  const std::string solver =
      fmt::format("{}, {}u, {}", config.integer("steps"), tolerance, config.is("warm", "on"));
  KernelPlan plan = tensor_cores::prelude(config, shape, traits);

  KernelLaunch update = tensor_cores::stream_launch(traits, layout);
  update.source = "kernels/cuda/update/fused.cuh";
  update.instance = fmt::format("alsbench::fused_update<{}, {}>",
                                tensor_cores::stream_arguments(config, traits, layout), solver);
  plan.launches.push_back(update);

  KernelLaunch pieces = update;
  pieces.source = "kernels/cuda/update/fused_pieces.cuh";
  pieces.instance = fmt::format("alsbench::fused_update_pieces<{}, {}>",
                                tensor_cores::pieces_arguments(config, traits, layout), solver);
  pieces.shared_bytes = layout.warps * layout.vectors_bytes();
  plan.launches.push_back(pieces);
  return plan;
}

Variant fused() {
  Variant variant;
  variant.stage = Stage::update;
  variant.name = "fused";
  variant.backend = Backend::cuda;
  variant.summary = "tensor cores and CG in one kernel, a warp a row; A_u never leaves registers";
  variant.space = {
      tensor_cores::kStages,
      tensor_cores::kL1,
      tensor_cores::kChunk,
      tensor_cores::kWarps,
      tensor_cores::kPacked,
      tensor_cores::kOrder,
      tensor_cores::kFactors,
      tensor_cores::kSums,
      {"warm", {"on", "off"}, "start from the previous solution, or from zero"},
      {.name = "steps", .values = {6}, .description = "at most, the paper's f_s", .open = true},
      {.name = "tolerance",
       .values = {0},
       .description = "stop when ||r|| <= tolerance ||b||",
       .open = true}};
  variant.objection = fused_objection;
  variant.plan = fused_plan;
  variant.measures_cg_steps = true;
  return variant;
}

}  // namespace

void add_update_cuda(std::vector<Variant>& list) { list.push_back(fused()); }

}  // namespace alsbench
