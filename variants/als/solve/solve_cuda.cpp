// SPDX-License-Identifier: Apache-2.0
// The CUDA variants of the stage solve: batched LU (cuBLAS), Cholesky (cuSOLVER, and ours in shared
// memory), and the paper's CG (section IV).
#include <fmt/format.h>

#include "kernels/cuda/solve/cg_layout.cuh"
#include "kernels/cuda/solve/packed_layout.cuh"
#include "kernels/cuda/solve/register_layout.cuh"
#include "variants/als/parameters.h"
#include "variants/als/stages.h"
#include "variants/families.h"

#if ALSBENCH_WITH_CUDA
#include "kernels/vendor/batched_solvers.h"
#include "kernels/vendor/memory.h"
#include "variants/core/pointer_array.h"
#endif

namespace alsbench {
namespace {

constexpr int kMaxHeldWords = 160;  // of a thread: what 255 registers leave for the matrix

#if ALSBENCH_WITH_CUDA

constexpr int kMatricesSlot = 0, kSolutionsSlot = 1, kInfoSlot = 2, kPivotsSlot = 3;

// The systems of a batch; b is copied to the solution's place, where the libraries solve in place.
vendor::BatchedSystems systems_of(const UpdateParams& p, const RunContext& context) {
  const int64_t rank = p.solution.rank, pitch_bytes = int64_t{4} * p.solution.pitch;
  float* solutions = static_cast<float*>(p.solution.data) + p.first_row * p.solution.pitch;
  vendor::copy(context.stream, solutions, p.bias, p.row_count * pitch_bytes);
  auto* info = static_cast<int32_t*>(context.scratch(kInfoSlot, (p.row_count + 1) * int64_t{4}));
  vendor::BatchedSystems systems;
  systems.rank = p.solution.rank;
  systems.batch = static_cast<int32_t>(p.row_count);
  systems.matrices = reinterpret_cast<float**>(
      pointer_array(context, kMatricesSlot, p.matrices, 4 * rank * rank, p.row_count));
  systems.right_sides = reinterpret_cast<float**>(
      pointer_array(context, kSolutionsSlot, solutions, pitch_bytes, p.row_count));
  systems.right_side_pitch = p.solution.pitch;
  systems.info = p.status != nullptr ? p.status : info + 1;
  systems.solve_info = info;
  return systems;
}

void run_lu(const Config& config, const Shape&, const StageParams& params,
            const RunContext& context) {
  const auto& p = params.as<UpdateParams>();
  vendor::BatchedSystems systems = systems_of(p, context);
  if (config.is("pivot", "on"))
    systems.pivots = static_cast<int32_t*>(
        context.scratch(kPivotsSlot, p.row_count * p.solution.rank * int64_t{4}));
  vendor::lu_factorize(context.cublas, systems);
  vendor::lu_solve(context.cublas, systems);
}

void run_cholesky(const Config&, const Shape&, const StageParams& params,
                  const RunContext& context) {
  const vendor::BatchedSystems systems = systems_of(params.as<UpdateParams>(), context);
  vendor::cholesky_factorize(context.cusolver, systems);
  vendor::cholesky_solve(context.cusolver, systems);
}

#else

const Variant::Run run_lu, run_cholesky;

#endif

Variant lu() {
  return {.stage = &stages::solve,
          .name = "lu",
          .backend = Backend::cuda,
          .summary = "cuBLAS getrfBatched and getrsBatched",
          .space = {{"pivot",
                     {"off", "on"},
                     "A_u is positive definite: pivoting is not needed, but can be had"}},
          .run = run_lu,
          .destroys_matrices = true};
}

Variant cholesky() {
  return {.stage = &stages::solve,
          .name = "cholesky",
          .backend = Backend::cuda,
          .summary = "cuSOLVER potrfBatched and potrsBatched",
          .run = run_cholesky,
          .destroys_matrices = true};
}

std::optional<std::string> packed_objection(const Config&, const Shape& shape,
                                            const DeviceTraits& traits) {
  const int64_t bytes = PackedLayout{shape.rank}.shared_bytes();
  if (bytes <= traits.shared_bytes_per_block) return std::nullopt;
  return fmt::format("needs {} bytes of shared memory a block, the device has {}; use cholesky",
                     bytes, traits.shared_bytes_per_block);
}

KernelPlan packed_plan(const Config& config, const Shape& shape, const DeviceTraits&) {
  KernelLaunch launch;
  const PackedLayout layout{shape.rank};
  launch.source = "kernels/cuda/solve/packed_cholesky.cuh";
  launch.instance = fmt::format("alsbench::packed_cholesky_solve<{}, {}>", shape.rank,
                                element_type(parameters::matrices_type(config)));
  launch.grid = (shape.launch_rows() + layout.warps() - 1) / layout.warps();
  launch.block = 32 * layout.warps();
  launch.shared_bytes = layout.shared_bytes();
  return {{launch}, 0};
}

Variant packed_cholesky() {
  return {.stage = &stages::solve,
          .name = "packed_cholesky",
          .backend = Backend::cuda,
          .summary = "Cholesky of ours: a warp a system, its packed triangle in shared memory",
          .space = {parameters::matrix()},
          .objection = packed_objection,
          .plan = packed_plan};
}

KernelPlan register_plan(const Config& config, const Shape& shape, const DeviceTraits&) {
  KernelLaunch launch;
  launch.source = "kernels/cuda/solve/register_cholesky.cuh";
  launch.instance = fmt::format("alsbench::register_cholesky_solve<{}, {}>", shape.rank,
                                element_type(parameters::matrices_type(config)));
  launch.grid = (shape.launch_rows() + RegisterLayout::kWarps - 1) / RegisterLayout::kWarps;
  launch.block = 32 * RegisterLayout::kWarps;
  return {{launch}, 0};
}

std::optional<std::string> register_objection(const Config&, const Shape& shape,
                                              const DeviceTraits&) {
  const int elements = RegisterLayout{shape.rank}.elements();
  if (elements <= RegisterLayout::kMaxElements) return std::nullopt;
  return fmt::format(
      "holds {} elements of A_u a thread, and the code of more than {} does not fit "
      "the instruction cache; use packed_cholesky",
      elements, RegisterLayout::kMaxElements);
}

Variant register_cholesky() {
  return {.stage = &stages::solve,
          .name = "register_cholesky",
          .backend = Backend::cuda,
          .summary = "Cholesky of ours: a warp a system, its triangle in registers",
          .space = {parameters::matrix()},
          .objection = register_objection,
          .plan = register_plan};
}

CgLayout layout_of(const Config& config, const Shape& shape) {
  return {shape.rank, config.integer("threads"),
          parameters::matrices_type(config) == Scalar::fp16 ? 2 : 4};
}

int64_t cached_bytes(const Config& config, const Shape& shape) {
  const int64_t element = parameters::matrices_type(config) == Scalar::fp16 ? 2 : 4;
  return config.is("cache", "shared") ? element * shape.rank * shape.rank : 0;
}

std::optional<std::string> cg_objection(const Config& config, const Shape& shape,
                                        const DeviceTraits& traits) {
  const CgLayout layout = layout_of(config, shape);
  if (config.is("cache", "registers") && layout.words() > kMaxHeldWords)
    return fmt::format("needs {} registers a thread for A_u, {} are to be had; use more threads",
                       layout.words(), kMaxHeldWords);
  const int64_t vectors = int64_t{4} * (layout.groups() + 1) * shape.rank + 256;
  const int64_t bytes = cached_bytes(config, shape) + vectors;
  if (bytes > traits.shared_bytes_per_block)
    return fmt::format("needs {} bytes of shared memory a block, the device has {}", bytes,
                       traits.shared_bytes_per_block);
  return std::nullopt;
}

KernelPlan cg_plan(const Config& config, const Shape& shape, const DeviceTraits&) {
  KernelLaunch launch;
  launch.source = "kernels/cuda/solve/cg.cuh";
  launch.instance = fmt::format(
      "alsbench::cg_solve<{}, {}, {}, {}, {}, alsbench::MatrixCache::{}, {}{}>", shape.rank,
      config.get("threads"), parameters::stops_early(config), config.is("l1", "on"),
      config.is("warm", "on"), config.get("cache"), element_type(parameters::matrices_type(config)),
      parameters::precondition_argument(config));
  launch.grid = shape.launch_rows();
  launch.block = config.integer("threads");
  launch.shared_bytes = cached_bytes(config, shape);
  return parameters::with_cg_arguments({{launch}, 0}, *parameters::cg_options(config));
}

Variant cg() {
  return {
      .stage = &stages::solve,
      .name = "cg",
      .backend = Backend::cuda,
      .summary = "batched conjugate gradients, a block a system (paper, section IV)",
      .space =
          {parameters::matrix(),
           {"l1", {"on", "off"}, "reads of A_u through L1 or past it"},
           {"cache",
            {"none", "shared", "registers"},
            "where A_u stays between the steps; none reads it again in each (the paper's solver)"},
           parameters::kBlockThreads,
           parameters::kWarm,
           parameters::kSteps,
           parameters::kLateSteps,
           parameters::kTolerance,
           parameters::kPrecondition},
      .objection = cg_objection,
      .plan = cg_plan,
      .measures_solver_steps = true};
}

}  // namespace

void add_solve_cuda(Catalog& catalog) {
  catalog.add(lu());
  catalog.add(cholesky());
  catalog.add(packed_cholesky());
  catalog.add(register_cholesky());
  catalog.add(cg());
}

}  // namespace alsbench
