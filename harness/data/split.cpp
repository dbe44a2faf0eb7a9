// SPDX-License-Identifier: Apache-2.0
#include "harness/data/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "harness/data/array_builder.h"
#include "harness/files/hash.h"
#include "kernels/cpu/first_error.h"
#include "kernels/shared/generate.h"

namespace alsbench {
namespace {

// Distinct for distinct cells, since mix64 is a bijection: a threshold selects an exact count.
uint64_t cell_hash(uint64_t key, int64_t row, int32_t col) {
  return mix64(key ^ (static_cast<uint64_t>(row) << 32 | static_cast<uint32_t>(col)));
}

template <class Each>
void for_each_hash(const Csr& all, uint64_t key, const Each& each) {
  FirstError error;
#pragma omp parallel for schedule(dynamic, 1024)
  for (int64_t row = 0; row < all.rows; ++row) {
    for (int64_t i = all.offsets[row]; i < all.offsets[row + 1]; ++i) {
      each(cell_hash(key, row, all.indices[i]), error);
    }
  }
  error.rethrow();
}

// The hash below which exactly `count` (< nnz) cells lie: a histogram of the leading bits finds the
// bucket, a selection inside that bucket the cell.
uint64_t threshold_for(const Csr& all, int64_t count, uint64_t key) {
  constexpr int kShift = 64 - 20;
  std::vector<int64_t> histogram(size_t{1} << 20);
  for_each_hash(all, key, [&](uint64_t hash, FirstError&) {
    int64_t& bucket = histogram[hash >> kShift];
#pragma omp atomic
    ++bucket;
  });
  int64_t before = 0;
  uint64_t bucket = 0;
  while (before + histogram[bucket] <= count) before += histogram[bucket++];
  std::vector<uint64_t> hashes;
  for_each_hash(all, key, [&](uint64_t hash, FirstError& error) {
    if (hash >> kShift != bucket) return;
#pragma omp critical(alsbench_split)
    error.run([&] { hashes.push_back(hash); });
  });
  const auto nth = hashes.begin() + (count - before);
  std::nth_element(hashes.begin(), nth, hashes.end());
  return *nth;
}

// The cells of `all` that `wanted` selects.
template <class Wanted>
Csr select_cells(const Csr& all, const Wanted& wanted) {
  FreshArray<int64_t> offsets(all.rows + 1);
  offsets[0] = 0;
#pragma omp parallel for schedule(dynamic, 1024)  // cannot throw
  for (int64_t row = 0; row < all.rows; ++row) {
    int64_t count = 0;
    for (int64_t i = all.offsets[row]; i < all.offsets[row + 1]; ++i) {
      count += wanted(row, all.indices[i]);
    }
    offsets[row + 1] = count;
  }
  for (int64_t row = 0; row < all.rows; ++row) offsets[row + 1] += offsets[row];
  FreshArray<int32_t> indices(offsets[all.rows]);
  FreshArray<float> values(offsets[all.rows]);
#pragma omp parallel for schedule(dynamic, 1024)  // cannot throw
  for (int64_t row = 0; row < all.rows; ++row) {
    int64_t position = offsets[row];
    for (int64_t i = all.offsets[row]; i < all.offsets[row + 1]; ++i) {
      if (!wanted(row, all.indices[i])) continue;
      indices[position] = all.indices[i];
      values[position++] = all.values[i];
    }
  }
  return {all.rows, all.cols, offsets.freeze(), indices.freeze(), values.freeze()};
}

double mean_of(const Csr& matrix) {
  if (matrix.nnz() == 0) return 0;
  // Sums of fixed blocks, so that the result does not depend on the number of threads.
  constexpr int64_t kBlock = 1 << 16;
  const int64_t blocks = (matrix.nnz() + kBlock - 1) / kBlock;
  std::vector<double> sums(static_cast<size_t>(blocks));
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t block = 0; block < blocks; ++block) {
    const int64_t end = std::min(matrix.nnz(), (block + 1) * kBlock);
    double sum = 0;
    for (int64_t i = block * kBlock; i < end; ++i) sum += static_cast<double>(matrix.values[i]);
    sums[static_cast<size_t>(block)] = sum;
  }
  double total = 0;
  for (const double sum : sums) total += sum;
  return total / static_cast<double>(matrix.nnz());
}

// Of the training and test ratings with their shapes, not of ids or names.
std::string content_hash_of(const RatingSet& set) {
  std::string parts;
  for (const Csr* matrix : {&set.by_user, &set.test}) {
    parts += fmt::format("{}x{} ", matrix->rows, matrix->cols);
    parts += hash_bytes(matrix->offsets.data(), matrix->offsets.bytes());
    parts += hash_bytes(matrix->indices.data(), matrix->indices.bytes());
    parts += hash_bytes(matrix->values.data(), matrix->values.bytes());
  }
  return hash_bytes(parts.data(), static_cast<int64_t>(parts.size()));
}

}  // namespace

Csr empty_csr(int64_t rows, int64_t cols) {
  return {rows, cols, Array<int64_t>(std::vector<int64_t>(static_cast<size_t>(rows) + 1)), {}, {}};
}

Split split_ratings(const Csr& all, int64_t test_count, uint64_t seed) {
  if (test_count <= 0) return {all, empty_csr(all.rows, all.cols)};
  if (test_count >= all.nnz()) return {empty_csr(all.rows, all.cols), all};
  const uint64_t key = stream_key(seed, Stream::split);
  const uint64_t threshold = threshold_for(all, test_count, key);
  const auto in_test = [&](int64_t row, int32_t col) {
    return cell_hash(key, row, col) < threshold;
  };
  Split split;
  split.test = select_cells(all, in_test);
  split.train = select_cells(all, [&](int64_t row, int32_t col) { return !in_test(row, col); });
  return split;
}

void split_set(RatingSet& set, double share, uint64_t seed) {
  const double count = share * static_cast<double>(set.by_user.nnz());
  Split split = split_ratings(set.by_user, std::llround(count), seed);
  set.by_user = std::move(split.train);
  set.test = std::move(split.test);
}

void finish_set(RatingSet& set) {
  set.by_item = transpose(set.by_user);
  set.mean = mean_of(set.by_user);
  set.content_hash = content_hash_of(set);
}

}  // namespace alsbench
