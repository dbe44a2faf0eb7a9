// SPDX-License-Identifier: Apache-2.0
#include "harness/data/data_shape.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "harness/data/generator_spec.h"
#include "kernels/shared/byte_factors.h"

namespace alsbench {
namespace {

// Quantiles of row lengths that go down from the first, as Shape has them; `share` of each is kept.
std::array<int64_t, 7> quantiles_of(const std::vector<double>& degrees, double share) {
  constexpr std::array<double, 7> kQuantiles{0, 0.25, 0.5, 0.75, 0.9, 0.99, 1};
  std::array<int64_t, 7> result{};
  const double last = static_cast<double>(degrees.size() - 1);
  for (size_t i = 0; i < kQuantiles.size(); ++i) {
    const auto place = static_cast<size_t>(std::llround((1 - kQuantiles[i]) * last));
    result[i] = std::llround(degrees[place] * share);
  }
  return result;
}

int64_t filled(int64_t count, double empty_share) {
  return count - std::llround(empty_share * static_cast<double>(count));
}

Shape side_shape(const DatasetSpec& spec, bool users, int32_t rank) {
  const int64_t rows = users ? spec.rows : spec.cols, cols = users ? spec.cols : spec.rows;
  const int64_t filled_rows = filled(rows, users ? spec.empty_rows : spec.empty_cols);
  const int64_t filled_cols = filled(cols, users ? spec.empty_cols : spec.empty_rows);
  const int64_t all = spec.train_ratings + spec.test_ratings;
  std::vector<double> degrees = expected_degrees(users ? spec.user_degrees : spec.item_degrees,
                                                 filled_rows, all, filled_cols);
  degrees.resize(static_cast<size_t>(rows), 0);  // from the most rated to those without ratings
  const double share = static_cast<double>(spec.train_ratings) / static_cast<double>(all);
  return {rows, cols, spec.train_ratings, rank, quantiles_of(degrees, share), 0};
}

}  // namespace

DataShapes data_shapes(const DataRequest& request, int32_t rank) {
  const bool as_specified =
      request.uniform_row_length == 0 && request.empty_rows == 0 && request.empty_cols == 0;
  if (request.dataset.empty() || !as_specified)
    return data_shapes(cached_rating_set(request), rank);
  const DatasetSpec spec = scaled(dataset_spec(request.dataset), request.scale);
  return {side_shape(spec, true, rank), side_shape(spec, false, rank), spec.values.mean};
}

DataShapes data_shapes(const RatingSet& set, int32_t rank) {
  return {shape_of(set.by_user, rank), shape_of(set.by_item, rank), set.mean};
}

namespace {

// The distinct ones of some ratings, of which there may be few, one more than that at most.
class DistinctRatings {
 public:
  explicit DistinctRatings(size_t maximum) : maximum_(maximum) { found_.reserve(maximum + 1); }

  const std::vector<float>& found() const { return found_; }
  void add(float value) {
    if (found_.size() <= maximum_ && std::find(found_.begin(), found_.end(), value) == found_.end())
      found_.push_back(value);
  }
  void add_all(const float* values, int64_t count) {
    if (count == 0) return;
    // By its bits, a rating is mostly the last one that was in its place.
    std::array<uint32_t, 256> last;
    last.fill(std::bit_cast<uint32_t>(values[0]));
    add(values[0]);
    for (int64_t i = 0; i < count; ++i) {
      const auto bits = std::bit_cast<uint32_t>(values[i]);
      uint32_t& place = last[bits * 0x9e3779b1u >> 24];
      if (place == bits) continue;
      place = bits;
      add(values[i]);
    }
  }

 private:
  size_t maximum_;
  std::vector<float> found_;
};

}  // namespace

std::vector<float> distinct_ratings(const Array<float>& values, size_t maximum) {
  constexpr int64_t kPart = int64_t{1} << 18;
  std::vector<DistinctRatings> parts;
  for (int64_t begin = 0; begin < values.size(); begin += kPart) parts.emplace_back(maximum);
#pragma omp parallel for schedule(dynamic)  // cannot throw
  for (size_t i = 0; i < parts.size(); ++i) {
    const int64_t begin = static_cast<int64_t>(i) * kPart;
    parts[i].add_all(values.data() + begin, std::min(kPart, values.size() - begin));
  }
  DistinctRatings all(maximum);
  for (const DistinctRatings& part : parts)
    for (const float value : part.found()) all.add(value);
  std::vector<float> sorted = all.found();
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

int32_t distinct_ratings_of(const Csr& ratings) {
  return static_cast<int32_t>(distinct_ratings(ratings.values, Int8Weights::kMaxValue).size());
}

double damping_of(double lambda, double mean_rating) {
  constexpr double kMinMean = 1e-30;
  return lambda / std::max(std::abs(mean_rating), kMinMean);
}

}  // namespace alsbench
