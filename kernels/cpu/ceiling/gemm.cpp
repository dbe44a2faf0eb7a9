// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/ceiling/gemm.h"

#include "kernels/cpu/blas.h"

namespace alsbench {

void gemm_strided(const GemmParams& params, const CpuResources& resources) {
  const auto* a = static_cast<const float*>(params.a);
  const int k = static_cast<int>(params.k);
  const int64_t m = params.m;
  const SingleThreadedBlas single;
  const auto multiply = [&](int64_t item, int) {
    const float* factors = a + item * params.k * m;
    blas().cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, params.m, params.m, k, 1.0f,
                       factors, params.m, factors, params.m, 0.0f, params.c + item * m * m,
                       params.m);
  };
  parallel_rows(params.batch, resources.threads, multiply, 1);
}

}  // namespace alsbench
