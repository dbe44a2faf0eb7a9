// SPDX-License-Identifier: Apache-2.0
// A comparison of FLOP/s: batched GEMM at equal row lengths, the dense counterpart of the stage
// hermitian. Variants pass it where the library is slow.
#include "variants/ceiling/gemm_batched.h"

#include "kernels/cpu/ceiling/gemm.h"
#include "variants/ceiling/sizes.h"
#include "variants/core/cpu_resources.h"
#include "variants/families.h"

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
  const double bytes =
      batch * (k * f * static_cast<double>(size_of(options.storage.factors)) + 4 * f * f);
  return {batch * k * f * (f + 1), 2 * batch * k * f * f, bytes, bytes};
}

const StageInfo kGemm{
    .name = "gemm_batched", .work = work, .ceiling = true, .reference_rate = Count::useful_flops};

// A product in TF32 reads floats as they are.
Parameter inputs(std::vector<Value> types, std::string description) {
  return {.name = "precision",
          .values = std::move(types),
          .description = std::move(description),
          .effect = Effect::storage,
          .operand = Operand::factors};
}

#if ALSBENCH_WITH_CUDA

constexpr int kInputSlot = 0, kOutputSlot = 1;

vendor::GemmPrecision precision_of(const Config& config) {
  switch (gemm_precision(config)) {
    case Scalar::tf32:
      return vendor::GemmPrecision::tf32;
    case Scalar::fp16:
      return vendor::GemmPrecision::fp16;
    default:
      return vendor::GemmPrecision::fp32;
  }
}

void run_gemm_strided(const Config& config, const Shape&, const StageParams& params,
                      const RunContext& context) {
  vendor::gemm_strided_batched(context.cublas, params.as<GemmParams>(), precision_of(config));
}

void run_gemm_pointer(const Config& config, const Shape&, const StageParams& params,
                      const RunContext& context) {
  const auto& p = params.as<GemmParams>();
  const int64_t element = gemm_precision(config) == Scalar::fp16 ? 2 : 4;
  void** a = pointer_array(context, kInputSlot, p.a, p.k * p.m * element, p.batch);
  void** c = pointer_array(context, kOutputSlot, p.c, int64_t{4} * p.m * p.m, p.batch);
  vendor::gemm_pointer_batched(context.cublas, p, precision_of(config), a, c);
}

#else

const Variant::Run run_gemm_strided, run_gemm_pointer;

#endif

}  // namespace

Scalar gemm_precision(const Config& config) {
  return scalar_named(config.get("precision")).value_or(Scalar::fp32);
}

void add_gemm_batched(Catalog& catalog) {
  catalog.add(&kGemm);
  catalog.add({.stage = &kGemm,
               .name = "strided",
               .summary = "OpenBLAS sgemm, an item of the batch per thread",
               .space = {inputs({"fp32"}, "of the inputs")},
               .run = run_on_cpu<GemmParams, gemm_strided>});
  const Parameter precision =
      inputs({"fp32", Value("tf32", Scalar::fp32), "fp16"},
             "FP32 exactly, TF32 tensor cores, or half inputs with FP32 sums");
  catalog.add({.stage = &kGemm,
               .name = "pointer",
               .backend = Backend::cuda,
               .summary = "cublasGemmBatchedEx",
               .space = {precision},
               .run = run_gemm_pointer});
  catalog.add({.stage = &kGemm,
               .name = "strided",
               .backend = Backend::cuda,
               .summary = "cublasGemmStridedBatchedEx",
               .space = {precision},
               .run = run_gemm_strided});
}

}  // namespace alsbench
