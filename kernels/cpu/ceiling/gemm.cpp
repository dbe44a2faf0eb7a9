// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/ceiling/gemm.h"

#include "kernels/cpu/blas.h"

namespace alsbench {

void gemm_strided(const GemmParams& params, const CpuResources& resources) {
  const auto* a = static_cast<const float*>(params.a);
  const int k = static_cast<int>(params.k);
  auto* c = static_cast<float*>(params.c);
  const SingleThreadedBlas single;
  const auto multiply = [&](int64_t item, int) {
    const float* factors = a + item * params.a_stride();
    blas().cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, params.m, params.m, k, 1.0f,
                       factors, params.padded_m, factors, params.padded_m, 0.0f,
                       c + item * params.c_stride(), params.padded_m);
  };
  parallel_rows(params.batch, resources.threads, multiply, 1);
}

}  // namespace alsbench
