// SPDX-License-Identifier: Apache-2.0
#include "kernels/vendor/gemm.h"

#include <algorithm>

#include "kernels/vendor/check.h"
#include "kernels/vendor/libraries.h"

namespace alsbench::vendor {
namespace {

constexpr float kOne = 1, kZero = 0;

constexpr int32_t kIntegerOne = 1, kIntegerZero = 0;

// Arguments of cuBLAS beside the operands.
struct Product {
  cublasOperation_t first, second;
  int m, k, pitch, c_pitch;
  cudaDataType input, output;
  cublasComputeType_t compute;
  const void *one, *zero;
};

cudaDataType input_type(GemmPrecision precision) {
  if (precision == GemmPrecision::int8) return CUDA_R_8I;
  return precision == GemmPrecision::fp16 ? CUDA_R_16F : CUDA_R_32F;
}

int rounded_up(int64_t size, int multiple) {
  return static_cast<int>((size + multiple - 1) / multiple * multiple);
}

// Row-major A (k x m) is column-major m x k, so A^T A is that matrix times its transpose. Of bytes
// k is the dimension without stride, and the first operand is transposed: the form that is fast.
Product product_of(const GemmParams& p, const GemmForm& form) {
  constexpr int kBytePadding = 4;  // that cuBLAS asks for
  const bool bytes = form.precision == GemmPrecision::int8;
  const int padding = bytes ? std::max(form.padding, kBytePadding) : form.padding;
  Product product{bytes ? CUBLAS_OP_T : CUBLAS_OP_N,
                  bytes ? CUBLAS_OP_N : CUBLAS_OP_T,
                  rounded_up(p.m, padding),
                  rounded_up(p.k, padding),
                  bytes ? static_cast<int>(p.padded_k) : p.padded_m,
                  p.padded_m,
                  input_type(form.precision),
                  bytes ? CUDA_R_32I : CUDA_R_32F,
                  bytes ? CUBLAS_COMPUTE_32I : CUBLAS_COMPUTE_32F,
                  bytes ? static_cast<const void*>(&kIntegerOne) : &kOne,
                  bytes ? static_cast<const void*>(&kIntegerZero) : &kZero};
  if (form.precision == GemmPrecision::tf32) product.compute = CUBLAS_COMPUTE_32F_FAST_TF32;
  return product;
}

// The default mode keeps CUBLAS_COMPUTE_32F in FP32, whatever mode the handle had.
cublasHandle_t prepared(void* cublas) {
  const auto handle = static_cast<cublasHandle_t>(cublas);
  VENDOR_CHECK(libcublas().cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));
  return handle;
}

}  // namespace

void gemm_strided_batched(void* cublas, const GemmParams& p, const GemmForm& form) {
  const Product g = product_of(p, form);
  VENDOR_CHECK(libcublas().cublasGemmStridedBatchedEx(
      prepared(cublas), g.first, g.second, g.m, g.m, g.k, g.one, p.a, g.input, g.pitch,
      p.a_stride(), p.a, g.input, g.pitch, p.a_stride(), g.zero, p.c, g.output, g.c_pitch,
      p.c_stride(), static_cast<int>(p.batch), g.compute, CUBLAS_GEMM_DEFAULT));
}

void gemm_pointer_batched(void* cublas, const GemmParams& p, const GemmForm& form,
                          const void* const* a, void* const* c) {
  const Product g = product_of(p, form);
  VENDOR_CHECK(libcublas().cublasGemmBatchedEx(
      prepared(cublas), g.first, g.second, g.m, g.m, g.k, g.one, a, g.input, g.pitch, a, g.input,
      g.pitch, g.zero, c, g.output, g.c_pitch, static_cast<int>(p.batch), g.compute,
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
