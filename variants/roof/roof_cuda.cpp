// The CUDA baselines, measured beside the variants: copies, batched GEMM and batched
// factorisations.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/shared/spin.h"
#include "variants/families.h"

#if ALSBENCH_WITH_CUDA
#include "kernels/vendor/batched_solvers.h"
#include "kernels/vendor/gemm.h"
#include "kernels/vendor/memory.h"
#include "variants/core/pointer_array.h"
#endif

namespace alsbench {
namespace {

Variant baseline(Stage stage, const char* name, const char* summary) {
  Variant variant;
  variant.stage = stage;
  variant.name = name;
  variant.backend = Backend::cuda;
  variant.summary = summary;
  return variant;
}

Variant gather_copy() {
  Variant variant = baseline(Stage::gather_copy, "rows", "factor rows by index, in target order");
  variant.space = {{"l1", {"on", "off"}, "reads through L1 or past it"},
                   {"threads", {256, 512}, "threads of a block"}};
  variant.plan = [](const Config& config, const Shape& shape, const DeviceTraits& traits) {
    const int vectors = factor_pitch(shape.rank) * 4 / 16;
    KernelLaunch launch;
    launch.source = "kernels/cuda/roof/gather_copy.cuh";
    launch.instance = fmt::format("alsbench::gather_copy<{}, {}, {}>", vectors,
                                  config.get("threads"), config.is("l1", "on"));
    launch.block = config.integer("threads");
    launch.grid = std::max(1, traits.multiprocessors) *
                  int64_t{std::max(1, traits.threads_per_multiprocessor / launch.block)};
    return KernelPlan{{launch}, 0};
  };
  return variant;
}

Variant spin() {
  Variant variant = baseline(Stage::spin, "chain",
                             "chains of dependent steps in registers: the canary of the clock");
  variant.plan = [](const Config&, const Shape&, const DeviceTraits& traits) {
    KernelLaunch launch;
    launch.source = "kernels/cuda/roof/spin.cuh";
    launch.instance = "alsbench::spin";
    launch.block = kSpinChains;
    launch.grid = std::max(1, traits.multiprocessors);
    return KernelPlan{{launch}, 0};
  };
  return variant;
}

#if ALSBENCH_WITH_CUDA

constexpr int kInputSlot = 0, kOutputSlot = 1, kInfoSlot = 2;

void run_copy(const Config&, const Shape&, const StageParams& params, const RunContext& context) {
  const auto& p = std::get<CopyParams>(params);
  vendor::copy(context.stream, p.target, p.source, p.bytes);
}

vendor::GemmPrecision precision_of(const Config& config) {
  if (config.is("precision", "tf32")) return vendor::GemmPrecision::tf32;
  if (config.is("precision", "fp16")) return vendor::GemmPrecision::fp16;
  return vendor::GemmPrecision::fp32;
}

void run_gemm_strided(const Config& config, const Shape&, const StageParams& params,
                      const RunContext& context) {
  vendor::gemm_strided_batched(context.cublas, std::get<GemmParams>(params), precision_of(config));
}

void run_gemm_pointer(const Config& config, const Shape&, const StageParams& params,
                      const RunContext& context) {
  const auto& p = std::get<GemmParams>(params);
  void** a = pointer_array(context, kInputSlot, p.a, p.k * p.m * size_of(factors_storage(config)),
                           p.batch);
  void** c = pointer_array(context, kOutputSlot, p.c, int64_t{4} * p.m * p.m, p.batch);
  vendor::gemm_pointer_batched(context.cublas, p, precision_of(config), a, c);
}

vendor::BatchedSystems matrices_of(const StageParams& params, const RunContext& context) {
  const auto& p = std::get<UpdateParams>(params);
  const int64_t rank = p.solution.rank;
  vendor::BatchedSystems systems;
  systems.rank = p.solution.rank;
  systems.batch = static_cast<int32_t>(p.row_count);
  systems.matrices = reinterpret_cast<float**>(
      pointer_array(context, kInputSlot, p.matrices, 4 * rank * rank, p.row_count));
  systems.info = p.status != nullptr
                     ? p.status
                     : static_cast<int32_t*>(context.scratch(kInfoSlot, p.row_count * int64_t{4}));
  return systems;
}

void run_factorize_lu(const Config&, const Shape&, const StageParams& params,
                      const RunContext& context) {
  vendor::lu_factorize(context.cublas, matrices_of(params, context));
}

void run_factorize_cholesky(const Config&, const Shape&, const StageParams& params,
                            const RunContext& context) {
  vendor::cholesky_factorize(context.cusolver, matrices_of(params, context));
}

#endif

}  // namespace

void add_baseline_cuda(std::vector<Variant>& list) {
  Variant copy = baseline(Stage::copy, "memcpy", "cudaMemcpyAsync, device to device");
  Variant strided = baseline(Stage::gemm_batched, "strided", "cublasGemmStridedBatchedEx");
  strided.space = {{"precision",
                    {"fp32", "tf32", "fp16"},
                    "FP32 exactly, TF32 tensor cores, or half inputs with FP32 sums"}};
  Variant pointer = baseline(Stage::gemm_batched, "pointer", "cublasGemmBatchedEx");
  pointer.space = strided.space;
  Variant lu = baseline(Stage::factorize_batched, "lu", "cuBLAS getrfBatched, without pivoting");
  Variant cholesky = baseline(Stage::factorize_batched, "cholesky", "cuSOLVER potrfBatched");
  lu.destroys_matrices = cholesky.destroys_matrices = true;
#if ALSBENCH_WITH_CUDA
  copy.run = run_copy;
  strided.run = run_gemm_strided;
  pointer.run = run_gemm_pointer;
  lu.run = run_factorize_lu;
  cholesky.run = run_factorize_cholesky;
#endif
  list.push_back(std::move(copy));
  list.push_back(gather_copy());
  list.push_back(spin());
  list.push_back(std::move(pointer));
  list.push_back(std::move(strided));
  list.push_back(std::move(lu));
  list.push_back(std::move(cholesky));
}

}  // namespace alsbench
