// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/hermitian.h"

#include "kernels/cpu/blas.h"
#include "kernels/cpu/factor_rows.h"

namespace alsbench {
namespace {

// A thread's memory while it forms one matrix after another.
struct Workspace {
  float* bin;    // factor rows, options.bin x ld
  float* lower;  // the triangle, rank_update_rows x ld
  float* whole;  // the matrix, rank x rank and a vector more

  static int64_t floats(int rank, int bin) {
    const int64_t ld = rank_update_pitch(rank);
    return CpuResources::padded(bin * ld + rank_update_rows(rank) * ld) +
           CpuResources::padded(int64_t{rank} * rank + kWidestVector);
  }
  Workspace(float* memory, int rank, int bin_rows) : bin(memory) {
    const int64_t ld = rank_update_pitch(rank);
    lower = bin + bin_rows * ld;
    whole = bin + CpuResources::padded(bin_rows * ld + rank_update_rows(rank) * ld);
  }
};

// Writes `whole` as the batch's matrix number `item`, in half divided by the row's `count`.
void write_whole(const UpdateParams& params, const HermitianOptions& options, int64_t item,
                 const float* whole, int64_t count) {
  const int64_t elements = int64_t{params.factors.rank} * params.factors.rank;
  const float scale = count > 0 ? 1.0f / static_cast<float>(count) : 1.0f;
  auto* floats = static_cast<float*>(params.matrices) + item * elements;
  if (options.half_output)
    simd().to_half(whole, scale, static_cast<uint16_t*>(params.matrices) + item * elements,
                   static_cast<int>(elements));
  else if (options.streaming)
    simd().stream(whole, floats, elements);
  else
    std::copy_n(whole, elements, floats);
}

// Adds lambda n_u to the diagonal of c (leading dimension ld).
void add_diagonal(const UpdateParams& params, float* c, int64_t ld, int64_t count) {
  for (int i = 0; i < params.factors.rank; ++i)
    c[i * ld + i] = count > 0 ? c[i * ld + i] + params.lambda * static_cast<float>(count) : 1.0f;
}

// From the triangle of the sums to the batch's matrix number `item`.
void finish_matrix(const UpdateParams& params, const HermitianOptions& options, int64_t item,
                   const Workspace& work, int64_t count) {
  const int rank = params.factors.rank;
  const int64_t ld = rank_update_pitch(rank);
  add_diagonal(params, work.lower, ld, count);
  simd().unpack_lower(work.lower, ld, rank, work.whole);
  write_whole(params, options, item, work.whole, count);
}

// The scheme that blocked and blas share, for one row. update(g, count, c, accumulate) does the
// arithmetic of one bin.
template <class Update>
void binned_row(const UpdateParams& params, const HermitianOptions& options, int64_t item,
                const Workspace& work, const Update& update) {
  const int rank = params.factors.rank;
  const int64_t ld = rank_update_pitch(rank);
  const RatingRow row = rating_row(params.ratings, params.first_row + item);
  if (row.count == 0) std::fill_n(work.lower, rank * ld, 0.0f);
  for (int64_t k = 0; k < row.count; k += options.bin) {
    const int count = static_cast<int>(std::min<int64_t>(options.bin, row.count - k));
    for (int i = 0; i < count; ++i)
      read_factor_row(params.factors, options.half_factors, row.indices[k + i], work.bin + i * ld);
    // The next bin, which may be the next row's: their indices lie one behind the other.
    const int64_t next = k + count, end = std::min<int64_t>(next + options.bin, row.after);
    for (int64_t i = next; i < end; ++i)
      prefetch_factor_row(params.factors, options.half_factors, row.indices[i]);
    update(work.bin, count, work.lower, k > 0);
  }
  finish_matrix(params, options, item, work, row.count);
}

// row(item, scratch) for every row of the batch.
template <class Row>
void hermitian_rows(const UpdateParams& params, const HermitianOptions& options,
                    const CpuResources& resources, const Row& row) {
  const int64_t floats = hermitian_floats(params.factors.rank, options);
  float* scratch = resources.thread_scratch(floats);
  std::fill_n(scratch, floats * resources.threads, 0.0f);
  parallel_rows(params.row_count, resources.threads,
                [&](int64_t item, int thread) { row(item, scratch + thread * floats); });
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
    add_diagonal(params, c, rank, row.count);
    write_whole(params, options, item, c, row.count);
  });
}

int64_t hermitian_floats(int rank, const HermitianOptions& options) {
  return Workspace::floats(rank, options.bin);
}

void hermitian_blocked_row(const UpdateParams& params, const HermitianOptions& options,
                           int64_t item, float* scratch) {
  const int rank = params.factors.rank;
  const int64_t ld = rank_update_pitch(rank);
  const Workspace work(scratch, rank, options.bin);
  binned_row(params, options, item, work, [&](const float* g, int count, float* c, bool add) {
    simd().rank_update(options.tile, g, count, rank, ld, c, add);
  });
}

void hermitian_blocked(const UpdateParams& params, const HermitianOptions& options,
                       const CpuResources& resources) {
  hermitian_rows(params, options, resources, [&](int64_t item, float* scratch) {
    hermitian_blocked_row(params, options, item, scratch);
  });
}

void hermitian_blas(const UpdateParams& params, const HermitianOptions& options,
                    const CpuResources& resources) {
  const int rank = params.factors.rank;
  const int ld = static_cast<int>(rank_update_pitch(rank));
  const SingleThreadedBlas single;
  const auto update = [&](const float* g, int count, float* c, bool add) {
    const float beta = add ? 1.0f : 0.0f;
    if (options.half_product)
      blas().cblas_ssyrk(CblasRowMajor, CblasLower, CblasTrans, rank, count, 1.0f, g, ld, beta, c,
                         ld);
    else
      blas().cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, rank, rank, count, 1.0f, g, ld, g,
                         ld, beta, c, ld);
  };
  hermitian_rows(params, options, resources, [&](int64_t item, float* scratch) {
    binned_row(params, options, item, Workspace(scratch, rank, options.bin), update);
  });
}

}  // namespace alsbench
