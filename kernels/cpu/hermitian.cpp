#include "kernels/cpu/hermitian.h"

#include "kernels/cpu/blas.h"
#include "kernels/cpu/factor_rows.h"

namespace alsbench {
namespace {

constexpr int kBlock = 16;  // elements: a block of either triangle fits the L1 while mirrored

// Copies the lower triangle (leading dimension ld) to the upper, block by block.
void mirror(float* c, int rank, int64_t ld) {
  for (int row = 0; row < rank; row += kBlock)
    for (int column = 0; column <= row; column += kBlock)
      for (int j = column; j < std::min(column + kBlock, rank); ++j)
        for (int i = std::max(row, j + 1); i < std::min(row + kBlock, rank); ++i)
          c[j * ld + i] = c[i * ld + j];
}

// Adds lambda n_u to the diagonal of the lower triangle in `c` (leading dimension ld) and writes
// the whole matrix as the batch's matrix number `item`.
void write_matrix(const UpdateParams& params, bool half, int64_t item, float* c, int64_t ld,
                  int64_t count) {
  const int rank = params.factors.rank;
  const int64_t begin = item * rank * rank;
  for (int i = 0; i < rank; ++i)
    c[i * ld + i] = count > 0 ? c[i * ld + i] + params.lambda * static_cast<float>(count) : 1.0f;
  mirror(c, rank, ld);
  const float scale = count > 0 ? 1.0f / static_cast<float>(count) : 1.0f;
  for (int i = 0; i < rank; ++i) {
    const int64_t target = begin + static_cast<int64_t>(i) * rank;
    if (half)
      simd().to_half(c + i * ld, scale, static_cast<uint16_t*>(params.matrices) + target, rank);
    else
      std::copy_n(c + i * ld, rank, static_cast<float*>(params.matrices) + target);
  }
}

// The scheme that blocked and blas share. update(g, count, c, accumulate) does the arithmetic of
// one bin.
template <class Update>
void hermitian_binned(const UpdateParams& params, const HermitianOptions& options,
                      const CpuResources& resources, const Update& update) {
  const int rank = params.factors.rank;
  const int64_t ld = rank_update_pitch(rank);
  const int64_t bin_floats = options.bin * ld;
  const int64_t floats = CpuResources::padded(bin_floats + rank_update_rows(rank) * ld);
  float* scratch = resources.thread_scratch(floats);
  std::fill_n(scratch, floats * resources.threads, 0.0f);
  parallel_rows(params.row_count, resources.threads, [&](int64_t item, int thread) {
    float* g = scratch + thread * floats;
    float* c = g + bin_floats;
    const RatingRow row = rating_row(params.ratings, params.first_row + item);
    if (row.count == 0) std::fill_n(c, rank * ld, 0.0f);
    for (int64_t k = 0; k < row.count; k += options.bin) {
      const int count = static_cast<int>(std::min<int64_t>(options.bin, row.count - k));
      for (int i = 0; i < count; ++i)
        read_factor_row(params.factors, options.half_factors, row.indices[k + i], g + i * ld);
      update(g, count, c, k > 0);
    }
    write_matrix(params, options.half_output, item, c, ld, row.count);
  });
}

}  // namespace

void hermitian_naive(const UpdateParams& params, const HermitianOptions& options,
                     const CpuResources& resources) {
  const int rank = params.factors.rank;
  const int64_t floats = CpuResources::padded(static_cast<int64_t>(rank + 1) * rank);
  float* scratch = resources.thread_scratch(floats);
  parallel_rows(params.row_count, resources.threads, [&](int64_t item, int thread) {
    float* c = scratch + thread * floats;
    float* buffer = c + static_cast<int64_t>(rank) * rank;
    std::fill_n(c, static_cast<int64_t>(rank) * rank, 0.0f);
    const RatingRow row = rating_row(params.ratings, params.first_row + item);
    for (int64_t k = 0; k < row.count; ++k) {
      const float* theta = factor_row(params.factors, options.half_factors, row.indices[k], buffer);
      for (int i = 0; i < rank; ++i)
        for (int j = 0; j < rank; ++j) c[i * rank + j] += theta[i] * theta[j];
    }
    write_matrix(params, options.half_output, item, c, rank, row.count);
  });
}

void hermitian_blocked(const UpdateParams& params, const HermitianOptions& options,
                       const CpuResources& resources) {
  const int rank = params.factors.rank;
  const int64_t ld = rank_update_pitch(rank);
  hermitian_binned(params, options, resources, [&](const float* g, int count, float* c, bool add) {
    simd().rank_update(options.tile, g, count, rank, ld, c, add);
  });
}

void hermitian_blas(const UpdateParams& params, const HermitianOptions& options,
                    const CpuResources& resources) {
  const int rank = params.factors.rank;
  const int ld = static_cast<int>(rank_update_pitch(rank));
  const SingleThreadedBlas single;
  hermitian_binned(params, options, resources, [&](const float* g, int count, float* c, bool add) {
    const float beta = add ? 1.0f : 0.0f;
    if (options.half_product)
      cblas_ssyrk(CblasRowMajor, CblasLower, CblasTrans, rank, count, 1.0f, g, ld, beta, c, ld);
    else
      cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, rank, rank, count, 1.0f, g, ld, g, ld,
                  beta, c, ld);
  });
}

}  // namespace alsbench
