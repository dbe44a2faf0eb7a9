// SPDX-License-Identifier: Apache-2.0
// The roof of FLOP/s: batched GEMM at equal row lengths, the dense counterpart of the stage
// hermitian.
#include "kernels/cpu/roof/gemm.h"
#include "variants/core/cpu_resources.h"
#include "variants/families.h"
#include "variants/roof/sizes.h"

#if ALSBENCH_WITH_CUDA
#include "kernels/vendor/gemm.h"
#include "variants/core/pointer_array.h"
#endif

namespace alsbench {
namespace {

Work work(const Shape& shape, const WorkOptions& options) {
  const GemmShape gemm = gemm_shape(shape);
  const auto batch = static_cast<double>(gemm.batch), k = static_cast<double>(gemm.k);
  const auto f = static_cast<double>(shape.rank);
  const double bytes = batch * (k * f * static_cast<double>(size_of(options.factors)) + 4 * f * f);
  return {batch * k * f * (f + 1), 2 * batch * k * f * f, bytes, bytes};
}

const StageInfo kGemm{.name = "gemm_batched", .work = work, .roof = true, .limit = Limit::flops};

const Parameter kPrecision{"precision",
                           {"fp32", "tf32", "fp16"},
                           "FP32 exactly, TF32 tensor cores, or half inputs with FP32 sums"};

#if ALSBENCH_WITH_CUDA

constexpr int kInputSlot = 0, kOutputSlot = 1;

vendor::GemmPrecision precision_of(const Config& config) {
  if (config.is("precision", "tf32")) return vendor::GemmPrecision::tf32;
  if (config.is("precision", "fp16")) return vendor::GemmPrecision::fp16;
  return vendor::GemmPrecision::fp32;
}

void run_gemm_strided(const Config& config, const Shape&, const StageParams& params,
                      const RunContext& context) {
  vendor::gemm_strided_batched(context.cublas, params.as<GemmParams>(), precision_of(config));
}

void run_gemm_pointer(const Config& config, const Shape&, const StageParams& params,
                      const RunContext& context) {
  const auto& p = params.as<GemmParams>();
  void** a = pointer_array(context, kInputSlot, p.a, p.k * p.m * size_of(factors_storage(config)),
                           p.batch);
  void** c = pointer_array(context, kOutputSlot, p.c, int64_t{4} * p.m * p.m, p.batch);
  vendor::gemm_pointer_batched(context.cublas, p, precision_of(config), a, c);
}

#endif

Variant on_cuda(const char* name, const char* summary) {
  return {.stage = &kGemm,
          .name = name,
          .backend = Backend::cuda,
          .summary = summary,
          .space = {kPrecision}};
}

}  // namespace

void add_gemm_batched(Catalog& catalog) {
  catalog.add(&kGemm);
  catalog.add({.stage = &kGemm,
               .name = "strided",
               .summary = "OpenBLAS sgemm, an item of the batch per thread",
               .space = {{"precision", {"fp32"}, "of the inputs"}},
               .run = run_on_cpu<GemmParams, gemm_strided>});
  Variant pointer = on_cuda("pointer", "cublasGemmBatchedEx");
  Variant strided = on_cuda("strided", "cublasGemmStridedBatchedEx");
#if ALSBENCH_WITH_CUDA
  pointer.run = run_gemm_pointer;
  strided.run = run_gemm_strided;
#endif
  catalog.add(std::move(pointer));
  catalog.add(std::move(strided));
}

}  // namespace alsbench
