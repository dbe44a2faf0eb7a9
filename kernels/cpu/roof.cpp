#include "kernels/cpu/roof.h"

#include <algorithm>
#include <cstring>

#include "kernels/cpu/blas.h"
#include "kernels/shared/spin.h"

namespace alsbench {

void copy_chunks(const CopyParams& params, const CpuResources& resources) {
  constexpr int64_t kChunk = int64_t{1} << 20;
  const auto* source = static_cast<const char*>(params.source);
  auto* target = static_cast<char*>(params.target);
  const auto copy_chunk = [&](int64_t chunk, int) {
    const int64_t begin = chunk * kChunk;
    const auto bytes = static_cast<size_t>(std::min(kChunk, params.bytes - begin));
    std::memcpy(target + begin, source + begin, bytes);
  };
  parallel_rows((params.bytes + kChunk - 1) / kChunk, resources.threads, copy_chunk, 1);
}

void gather_rows(const CopyParams& params, const CpuResources& resources) {
  const auto* source = static_cast<const char*>(params.source);
  auto* target = static_cast<char*>(params.target);
  const auto copy_row = [&](int64_t row, int) {
    std::memcpy(target + row * params.bytes, source + params.indices[row] * params.bytes,
                static_cast<size_t>(params.bytes));
  };
  parallel_rows(params.rows, resources.threads, copy_row, 256);
}

void spin(const SpinParams& params, const CpuResources& resources) {
  const auto run_chain = [&](int64_t chain, int) {
    params.target[chain] = spin_chain(static_cast<uint32_t>(chain));
  };
  parallel_rows(params.chains, resources.threads, run_chain, 1);
}

void gemm_strided(const GemmParams& params, const CpuResources& resources) {
  const auto* a = static_cast<const float*>(params.a);
  const int k = static_cast<int>(params.k);
  const int64_t m = params.m;
  const SingleThreadedBlas single;
  const auto multiply = [&](int64_t item, int) {
    const float* factors = a + item * params.k * m;
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, params.m, params.m, k, 1.0f, factors,
                params.m, factors, params.m, 0.0f, params.c + item * m * m, params.m);
  };
  parallel_rows(params.batch, resources.threads, multiply, 1);
}

}  // namespace alsbench
