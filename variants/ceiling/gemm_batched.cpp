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
    case Scalar::int8:
      return vendor::GemmPrecision::int8;
    default:
      return vendor::GemmPrecision::fp32;
  }
}

vendor::GemmForm form_of(const Config& config) {
  return {precision_of(config), config.integer("padding")};
}

void run_gemm_strided(const Config& config, const Shape&, const StageParams& params,
                      const RunContext& context) {
  vendor::gemm_strided_batched(context.cublas, params.as<GemmParams>(), form_of(config));
}

void run_gemm_pointer(const Config& config, const Shape&, const StageParams& params,
                      const RunContext& context) {
  const auto& p = params.as<GemmParams>();
  const Scalar type = gemm_precision(config);
  const int64_t element = type == Scalar::tf32 ? 4 : static_cast<int64_t>(size_of(type));
  void** a = pointer_array(context, kInputSlot, p.a, p.a_stride() * element, p.batch);
  void** c = pointer_array(context, kOutputSlot, p.c, 4 * p.c_stride(), p.batch);
  vendor::gemm_pointer_batched(context.cublas, p, form_of(config), a, c);
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
      inputs({"fp32", Value("tf32", Scalar::fp32), "fp16", "int8"},
             "FP32 exactly, TF32 tensor cores, half inputs with FP32 sums, or bytes with integers");
  const Parameter padding{
      .name = "padding",
      .values = {1, 8, 16},
      .description = "rank and row length rounded up to a multiple, with zeros"};
  catalog.add({.stage = &kGemm,
               .name = "pointer",
               .backend = Backend::cuda,
               .summary = "cublasGemmBatchedEx",
               .space = {precision, padding},
               .run = run_gemm_pointer});
  catalog.add({.stage = &kGemm,
               .name = "strided",
               .backend = Backend::cuda,
               .summary = "cublasGemmStridedBatchedEx",
               .space = {precision, padding},
               .run = run_gemm_strided});
}

}  // namespace alsbench
