// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/basis.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/cpu/blas.h"
#include "kernels/cpu/simd/simd.h"

namespace alsbench {
namespace {

constexpr int64_t kRanges = 64;  // of rows, summed by themselves
constexpr int kBin = 64;         // rows at a time
constexpr int kRangesSlot = 1;   // of scratch memory

const float* row_of(const FactorsView& factors, int64_t row) {
  return static_cast<const float*>(factors.data) + row * factors.pitch;
}

// The lower triangle of the sum over rows [begin, end), as of SimdKernels::rank_update. `bin`: kBin
// rows of rank_update_pitch, zero from the rank on.
void add_range(const GramParams& params, int64_t begin, int64_t end, float* bin, float* lower) {
  const int rank = params.factors.rank;
  const int64_t ld = rank_update_pitch(rank);
  std::fill_n(lower, rank_update_rows(rank) * ld, 0.0f);
  for (int64_t first = begin; first < end; first += kBin) {
    const int count = static_cast<int>(std::min<int64_t>(kBin, end - first));
    for (int i = 0; i < count; ++i) {
      const int64_t* offsets = params.ratings.offsets + first + i;
      const float weight = std::sqrt(static_cast<float>(offsets[1] - offsets[0]));
      const float* row = row_of(params.factors, first + i);
      std::transform(row, row + rank, bin + i * ld, [=](float y) { return weight * y; });
    }
    simd().rank_update(RegisterTile{}, bin, count, rank, ld, lower, true);
  }
}

}  // namespace

void gram_blocked(const GramParams& params, const CpuResources& resources) {
  const int rank = params.factors.rank;
  const int64_t ld = rank_update_pitch(rank), rows = params.factors.rows;
  const int64_t triangle = CpuResources::padded(rank_update_rows(rank) * ld), bin = kBin * ld;
  auto* triangles = static_cast<float*>(
      resources.scratch(kRangesSlot, kRanges * triangle * static_cast<int64_t>(sizeof(float))));
  float* bins = resources.thread_scratch(bin);
  std::fill_n(bins, CpuResources::padded(bin) * resources.threads, 0.0f);
  const auto add = [&](int64_t range, int thread) {
    add_range(params, range * rows / kRanges, (range + 1) * rows / kRanges,
              bins + thread * CpuResources::padded(bin), triangles + range * triangle);
  };
  parallel_rows(kRanges, resources.threads, add, 1);
  for (int64_t i = 0; i < rank; ++i)
    for (int64_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (int64_t range = 0; range < kRanges; ++range)
        sum += triangles[range * triangle + i * ld + j];
      params.gram[i * rank + j] = params.gram[j * rank + i] = static_cast<float>(sum);
    }
}

void rotate_rows(const RotateParams& params, const CpuResources& resources) {
  const int rank = params.source.rank;
  parallel_rows(params.source.rows, resources.threads, [&](int64_t row, int) {
    const float* from = row_of(params.source, row);
    float* to = static_cast<float*>(params.target.data) + row * params.target.pitch;
    std::fill_n(to, params.target.pitch, 0.0f);
    for (int64_t k = 0; k < rank; ++k) simd().axpy(from[k], params.basis + k * rank, to, rank);
  });
}

bool eigenvectors(const float* matrix, int rank, float* basis) {
  const int64_t elements = int64_t{rank} * rank;
  if (!std::all_of(matrix, matrix + elements, [](float value) { return std::isfinite(value); }))
    return false;
  std::vector<double> a(matrix, matrix + elements), values(static_cast<size_t>(rank));
  const SingleThreadedBlas single;  // its bits are then always the same
  int info = 0, work_size = -1, integers_size = -1, wanted_integers = 0;
  double wanted_work = 0;
  blas().dsyevd_("V", "L", &rank, a.data(), &rank, values.data(), &wanted_work, &work_size,
                 &wanted_integers, &integers_size, &info);
  work_size = static_cast<int>(wanted_work);
  integers_size = wanted_integers;
  std::vector<double> work(static_cast<size_t>(work_size));
  std::vector<int> integers(static_cast<size_t>(integers_size));
  blas().dsyevd_("V", "L", &rank, a.data(), &rank, values.data(), work.data(), &work_size,
                 integers.data(), &integers_size, &info);
  if (info != 0) return false;
  for (int64_t i = 0; i < rank; ++i)  // LAPACK's columns are rows here
    for (int64_t j = 0; j < rank; ++j) basis[i * rank + j] = static_cast<float>(a[j * rank + i]);
  return true;
}

}  // namespace alsbench
