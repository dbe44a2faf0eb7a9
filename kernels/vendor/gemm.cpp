// SPDX-License-Identifier: Apache-2.0
#include "kernels/vendor/gemm.h"

#include "kernels/vendor/check.h"
#include "kernels/vendor/libraries.h"

namespace alsbench::vendor {
namespace {

constexpr float kOne = 1, kZero = 0;

cudaDataType input_type(GemmPrecision precision) {
  return precision == GemmPrecision::fp16 ? CUDA_R_16F : CUDA_R_32F;
}

cublasComputeType_t compute_type(GemmPrecision precision) {
  return precision == GemmPrecision::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
}

// The default mode keeps CUBLAS_COMPUTE_32F in FP32, whatever mode the handle had.
cublasHandle_t prepared(void* cublas) {
  const auto handle = static_cast<cublasHandle_t>(cublas);
  VENDOR_CHECK(libcublas().cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));
  return handle;
}

}  // namespace

// Row-major A (k x m) is column-major m x k, so A^T A is that matrix times its transpose.
void gemm_strided_batched(void* cublas, const GemmParams& p, GemmPrecision precision) {
  const cudaDataType type = input_type(precision);
  const auto handle = prepared(cublas);
  VENDOR_CHECK(libcublas().cublasGemmStridedBatchedEx(
      handle, CUBLAS_OP_N, CUBLAS_OP_T, p.m, p.m, static_cast<int>(p.k), &kOne, p.a, type, p.m,
      p.k * p.m, p.a, type, p.m, p.k * p.m, &kZero, p.c, CUDA_R_32F, p.m, int64_t{p.m} * p.m,
      static_cast<int>(p.batch), compute_type(precision), CUBLAS_GEMM_DEFAULT));
}

void gemm_pointer_batched(void* cublas, const GemmParams& p, GemmPrecision precision,
                          const void* const* a, void* const* c) {
  const cudaDataType type = input_type(precision);
  const auto handle = prepared(cublas);
  VENDOR_CHECK(libcublas().cublasGemmBatchedEx(
      handle, CUBLAS_OP_N, CUBLAS_OP_T, p.m, p.m, static_cast<int>(p.k), &kOne, a, type, p.m, a,
      type, p.m, &kZero, c, CUDA_R_32F, p.m, static_cast<int>(p.batch), compute_type(precision),
      CUBLAS_GEMM_DEFAULT));
}

// Row-major X V is column-major V^T X^T.
void rotate(void* cublas, const RotateParams& p) {
  const int64_t rank = p.source.rank;
  if (p.source.rows == 0) return;
  VENDOR_CHECK(libcublas().cublasSgemm_64(
      prepared(cublas), CUBLAS_OP_N, CUBLAS_OP_N, rank, p.source.rows, rank, &kOne, p.basis, rank,
      static_cast<const float*>(p.source.data), p.source.pitch, &kZero,
      static_cast<float*>(p.target.data), p.target.pitch));
}

}  // namespace alsbench::vendor
