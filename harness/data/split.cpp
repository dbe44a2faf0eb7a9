// SPDX-License-Identifier: Apache-2.0
#include "harness/data/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "harness/data/csr_rows.h"
#include "harness/data/rating_times.h"
#include "harness/files/hash.h"
#include "kernels/cpu/first_error.h"
#include "kernels/shared/generate.h"

namespace alsbench {
namespace {

// A key of each cell, no two alike: the cells with the lowest ones are held out. `key(row, i)` is
// that of entry i, which lies in `row`.

// Random: distinct for distinct cells, since mix64 is a bijection.
class HashKey {
 public:
  HashKey(const Csr& all, uint64_t seed) : all_(all), key_(stream_key(seed, Stream::split)) {}
  uint64_t operator()(int64_t row, int64_t i) const {
    return mix64(key_ ^
                 (static_cast<uint64_t>(row) << 32 | static_cast<uint32_t>(all_.indices[i])));
  }

 private:
  const Csr& all_;
  uint64_t key_;
};

// The latest first. Ages fill the leading bits, as hashes do.
class AgeKey {
 public:
  explicit AgeKey(std::span<const int64_t> ages) : ages_(ages) {
    const int64_t oldest = ages.empty() ? 0 : *std::max_element(ages.begin(), ages.end());
    shift_ = std::countl_zero(static_cast<uint64_t>(oldest) | 1);
  }
  uint64_t operator()(int64_t, int64_t i) const {
    return static_cast<uint64_t>(ages_[static_cast<size_t>(i)]) << shift_;
  }

 private:
  std::span<const int64_t> ages_;
  int shift_ = 0;
};

// The key below which exactly `count` (< nnz) cells lie: a histogram of the leading bits finds the
// bucket, a selection inside that bucket the cell.
template <class Key>
uint64_t limit_of_all(const Csr& all, int64_t count, const Key& key) {
  // A thread's histogram stays in its caches.
  const int bits =
      std::clamp(static_cast<int>(std::bit_width(static_cast<uint64_t>(all.nnz()))), 1, 14);
  const int shift = 64 - bits;
  const int64_t buckets = int64_t{1} << bits;
  std::vector<int64_t> histogram(static_cast<size_t>(buckets));
  int64_t* const counts = histogram.data();
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : counts[:buckets])  // cannot throw
  for (int64_t row = 0; row < all.rows; ++row)
    for (int64_t i = all.offsets[row]; i < all.offsets[row + 1]; ++i)
      ++counts[key(row, i) >> shift];
  int64_t before = 0;
  uint64_t bucket = 0;
  while (before + histogram[bucket] <= count) before += histogram[bucket++];
  std::vector<uint64_t> keys;
  FirstError error;
#pragma omp parallel for schedule(dynamic, 1024)
  for (int64_t row = 0; row < all.rows; ++row)
    for (int64_t i = all.offsets[row]; i < all.offsets[row + 1]; ++i) {
      const uint64_t value = key(row, i);
      if (value >> shift != bucket) continue;
#pragma omp critical(alsbench_split)
      error.run([&] { keys.push_back(value); });
    }
  error.rethrow();
  const auto nth = keys.begin() + (count - before);
  std::nth_element(keys.begin(), nth, keys.end());
  return *nth;
}

// The same of each row, of whose n cells count(n) (< n, or 0) lie below.
template <class Key, class Count>
std::vector<uint64_t> limits_of_rows(const Csr& all, const Key& key, const Count& count) {
  std::vector<uint64_t> limits(static_cast<size_t>(all.rows));
  FirstError error;
#pragma omp parallel for schedule(dynamic, 1024)
  for (int64_t row = 0; row < all.rows; ++row) {
    error.run([&] {
      const int64_t begin = all.offsets[row], end = all.offsets[row + 1];
      const int64_t below = count(end - begin);
      if (below == 0) return;
      std::vector<uint64_t> keys;
      for (int64_t i = begin; i < end; ++i) keys.push_back(key(row, i));
      std::nth_element(keys.begin(), keys.begin() + below, keys.end());
      limits[static_cast<size_t>(row)] = keys[static_cast<size_t>(below)];
    });
  }
  error.rethrow();
  return limits;
}

template <class InTest>
Split parts_of(const Csr& all, const InTest& in_test) {
  ArrayBuilder<int64_t> of_train(all.rows + 1), of_test(all.rows + 1);
#pragma omp parallel for schedule(dynamic, 1024)  // cannot throw
  for (int64_t row = 0; row < all.rows; ++row) {
    int64_t held_out = 0;
    for (int64_t i = all.offsets[row]; i < all.offsets[row + 1]; ++i) held_out += in_test(row, i);
    of_test[row + 1] = held_out;
    of_train[row + 1] = all.offsets[row + 1] - all.offsets[row] - held_out;
  }
  CsrRows train(std::move(of_train)), test(std::move(of_test));
#pragma omp parallel for schedule(dynamic, 1024)  // cannot throw
  for (int64_t row = 0; row < all.rows; ++row) {
    int64_t in_train = train.offsets[row], held_out = test.offsets[row];
    for (int64_t i = all.offsets[row]; i < all.offsets[row + 1]; ++i) {
      if (in_test(row, i))
        test.put(held_out, all.indices[i], all.values[i]);
      else
        train.put(in_train, all.indices[i], all.values[i]);
    }
  }
  return {train.matrix(all.cols), test.matrix(all.cols)};
}

// The `count` cells with the lowest keys are the test set.
template <class Key>
Split split_all(const Csr& all, int64_t count, const Key& key) {
  if (count <= 0) return {all, empty_csr(all.rows, all.cols)};
  if (count >= all.nnz()) return {empty_csr(all.rows, all.cols), all};
  const uint64_t limit = limit_of_all(all, count, key);
  return parts_of(all, [&](int64_t row, int64_t i) { return key(row, i) < limit; });
}

// The test set has the cells with the lowest keys of each row, which keeps at least one.
template <class Key>
Split split_rows(const Csr& all, const Holdout& holdout, const Key& key) {
  const auto limits = limits_of_rows(all, key, [&](int64_t ratings) {
    const int64_t wanted =
        takes_share(holdout.by) ? std::llround(holdout.share * static_cast<double>(ratings)) : 1;
    return std::min(wanted, std::max<int64_t>(ratings - 1, 0));
  });
  return parts_of(
      all, [&](int64_t row, int64_t i) { return key(row, i) < limits[static_cast<size_t>(row)]; });
}

template <class Key>
Split split_by_key(const Csr& all, const Holdout& holdout, const Key& key) {
  const bool of_all = holdout.by == SplitBy::random || holdout.by == SplitBy::time;
  if (!of_all) return split_rows(all, holdout, key);
  return split_all(all, std::llround(holdout.share * static_cast<double>(all.nnz())), key);
}

double mean_of(const Csr& matrix) {
  if (matrix.nnz() == 0) return 0;
  // Sums of fixed blocks, so the result does not depend on the number of threads.
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
  return split_all(all, test_count, HashKey(all, seed));
}

void split_set(RatingSet& set, const Holdout& holdout, std::span<const int64_t> ages) {
  Split split = needs_times(holdout.by)
                    ? split_by_key(set.by_user, holdout, AgeKey(ages))
                    : split_by_key(set.by_user, holdout, HashKey(set.by_user, holdout.seed));
  if (set.times.size() > 0) {
    set.test_times = times_of_part(set.by_user, set.times.span(), split.test);
    set.times = times_of_part(set.by_user, set.times.span(), split.train);
  }
  set.by_user = std::move(split.train);
  set.test = std::move(split.test);
}

void finish_set(RatingSet& set) {
  set.by_item = transpose(set.by_user);
  set.mean = mean_of(set.by_user);
  set.content_hash = content_hash_of(set);
}

}  // namespace alsbench
