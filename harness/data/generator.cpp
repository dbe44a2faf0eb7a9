// SPDX-License-Identifier: Apache-2.0
#include "harness/data/generator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <future>
#include <numeric>

#include "harness/data/array_builder.h"
#include "harness/data/calibrate.h"
#include "harness/data/repair_item_degrees.h"
#include "harness/data/split.h"

namespace alsbench {
namespace {

// A seeded permutation of [0, count) (Fisher-Yates). Partners are drawn some places ahead, so their
// memory is on its way when they are exchanged.
std::vector<int32_t> permutation(int64_t count, uint64_t key) {
  constexpr int64_t kAhead = 32;
  std::vector<int32_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::array<uint64_t, kAhead> partners{};
  for (int64_t last = count - 1; last > 0; last -= kAhead) {
    const int64_t places = std::min(kAhead, last);
    for (int64_t i = 0; i < places; ++i) {
      const auto place = static_cast<uint64_t>(last - i);
      partners[static_cast<size_t>(i)] = multiply_high(random_word(key, place, 0), place + 1);
      __builtin_prefetch(&order[partners[static_cast<size_t>(i)]], 1);
    }
    for (int64_t i = 0; i < places; ++i)
      std::swap(order[static_cast<size_t>(last - i)], order[partners[static_cast<size_t>(i)]]);
  }
  return order;
}

int64_t non_empty(int64_t count, double empty_share) {
  const double share = std::clamp(empty_share, 0.0, 1.0);
  return std::max<int64_t>(1, count - std::llround(share * static_cast<double>(count)));
}

// Integer degrees by rank, exact in sum: each is the step of the rounded running sum.
std::vector<int64_t> rounded(const std::vector<double>& degrees, int64_t total) {
  std::vector<int64_t> result(degrees.size());
  double sum = 0;
  int64_t before = 0;
  for (size_t i = 0; i < degrees.size(); ++i) {
    sum += degrees[i];
    const int64_t now = i + 1 == degrees.size() ? total : std::llround(sum);
    result[i] = now - before;
    before = now;
  }
  return result;
}

ValueModel value_model(const ValueSpec& spec, uint64_t seed) {
  ValueModel model;
  model.minimum = static_cast<float>(spec.minimum);
  model.step = static_cast<float>(spec.step);
  model.inverse_step = static_cast<float>(1 / spec.step);
  model.levels = static_cast<int32_t>(std::llround((spec.maximum - spec.minimum) / spec.step));
  model.mean = static_cast<float>(spec.mean);
  model.user_bias = static_cast<float>(spec.user_bias);
  model.item_bias = static_cast<float>(spec.item_bias);
  // Var(x . theta) = planted rank * factor^4
  model.factor = static_cast<float>(std::sqrt(spec.planted / std::sqrt(double{kPlantedRank})));
  model.noise = static_cast<float>(spec.noise);
  model.seed = seed;
  return model;
}

void plan_rows(GeneratorPlan& plan, int64_t total, int64_t maximum) {
  const DatasetSpec& spec = plan.spec;
  auto permuted = std::async(std::launch::async, permutation, spec.rows,
                             stream_key(plan.seed, Stream::permute_users));
  const std::vector<int64_t> degrees = rounded(
      expected_degrees(spec.user_degrees, non_empty(spec.rows, spec.empty_rows), total, maximum),
      total);
  const std::vector<int32_t> user_of_rank = permuted.get();
  plan.row_offsets.assign(static_cast<size_t>(spec.rows) + 1, 0);
  for (size_t rank = 0; rank < degrees.size(); ++rank) {
    plan.row_offsets[static_cast<size_t>(user_of_rank[rank]) + 1] = degrees[rank];
  }
  std::partial_sum(plan.row_offsets.begin(), plan.row_offsets.end(), plan.row_offsets.begin());
}

// About four buckets an item, so item_at searches a few items only.
void build_guide(GeneratorPlan& plan) {
  const int64_t total = plan.cumulative.back();
  const int64_t items = static_cast<int64_t>(plan.cumulative.size()) - 1;
  while (total >> plan.guide_shift > 4 * items) ++plan.guide_shift;
  const int64_t buckets = (total >> plan.guide_shift) + 1;
  plan.guide.resize(static_cast<size_t>(buckets) + 1);
  int32_t item = 0;
  for (int64_t bucket = 0; bucket <= buckets; ++bucket) {
    const int64_t position = bucket << plan.guide_shift;
    while (item + 1 < items && plan.cumulative[static_cast<size_t>(item) + 1] <= position) ++item;
    plan.guide[static_cast<size_t>(bucket)] = item;
  }
}

// The items of one row, as ids in ascending order.
void draw_row(const GeneratorPlan& plan, const ItemWeights& weights, int64_t row,
              std::span<int32_t> items) {
  if (items.empty()) return;
  const int64_t length = static_cast<int64_t>(items.size());
  const int32_t fixed = weights.prefix[length];
  std::copy_n(plan.item_of_rank.begin(), fixed, items.begin());
  const uint64_t key = stream_key(plan.seed, Stream::pick);
  int32_t previous = -1;
  for (int64_t i = 0; i < length - fixed; ++i) {
    const uint64_t word = random_word(key, static_cast<uint64_t>(row), static_cast<uint64_t>(i));
    previous = pick_item(weights, stratum_of(weights, fixed, length - fixed, i), word, previous);
    items[static_cast<size_t>(fixed + i)] = plan.item_of_rank[static_cast<size_t>(previous)];
  }
  std::sort(items.begin(), items.end());
}

// RMSE on `test` of the planted signal itself, clipped to the scale.
double floor_of(const GeneratorPlan& plan, const Csr& test) {
  const std::vector<Latent> items = latent_items(plan);
  const float maximum = value_at_level(plan.values, plan.values.levels);
  std::vector<double> sums(static_cast<size_t>(test.rows));
#pragma omp parallel for schedule(dynamic, 1024)  // cannot throw
  for (int64_t row = 0; row < test.rows; ++row) {
    if (test.offsets[row] == test.offsets[row + 1]) continue;
    const Latent user = latent_user(plan.values, static_cast<uint64_t>(row));
    double sum = 0;
    for (int64_t i = test.offsets[row]; i < test.offsets[row + 1]; ++i) {
      const Latent& item = items[static_cast<size_t>(test.indices[i])];
      const float best =
          std::clamp(signal_of(plan.values, user, item), plan.values.minimum, maximum);
      const double error = static_cast<double>(test.values[i]) - static_cast<double>(best);
      sum += error * error;
    }
    sums[static_cast<size_t>(row)] = sum;
  }
  return std::sqrt(std::accumulate(sums.begin(), sums.end(), 0.0) /
                   static_cast<double>(test.nnz()));
}

}  // namespace

GeneratorPlan plan_generator(const DatasetSpec& spec, uint64_t seed) {
  GeneratorPlan plan;
  plan.spec = spec;
  plan.seed = seed;
  plan.values = value_model(spec.values, mix64(seed));
  const int64_t total = spec.train_ratings + spec.test_ratings;
  const int64_t items = non_empty(spec.cols, spec.empty_cols);
  plan_rows(plan, total, items);
  plan.target_degrees =
      expected_degrees(spec.item_degrees, items, total, non_empty(spec.rows, spec.empty_rows));
  plan.item_degrees = rounded(plan.target_degrees, total);
  const LengthHistogram lengths = rows_of_length(plan.row_offsets);
  plan.cumulative = calibrated_weights(plan.target_degrees, lengths);
  plan.prefix = always_included(plan.cumulative, static_cast<int64_t>(lengths.size()) - 1);
  build_guide(plan);
  plan.item_of_rank = permutation(spec.cols, stream_key(seed, Stream::permute_items));
  return plan;
}

std::vector<double> planned_item_degrees(const GeneratorPlan& plan) {
  return inclusion_sums(plan.cumulative, rows_of_length(plan.row_offsets));
}

std::vector<Latent> latent_items(const GeneratorPlan& plan) {
  std::vector<Latent> items(static_cast<size_t>(plan.spec.cols));
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t item = 0; item < plan.spec.cols; ++item) {
    items[static_cast<size_t>(item)] = latent_item(plan.values, static_cast<uint64_t>(item));
  }
  return items;
}

void draw_rows_on_cpu(const GeneratorPlan& plan, int32_t* indices, float* values) {
  const ItemWeights weights = plan.weights();
  const std::vector<Latent> items = latent_items(plan);
#pragma omp parallel for schedule(dynamic, 64)  // cannot throw
  for (int64_t row = 0; row < plan.spec.rows; ++row) {
    const int64_t begin = plan.row_offsets[static_cast<size_t>(row)];
    const int64_t end = plan.row_offsets[static_cast<size_t>(row) + 1];
    draw_row(plan, weights, row,
             std::span<int32_t>(indices + begin, static_cast<size_t>(end - begin)));
    const Latent user = latent_user(plan.values, static_cast<uint64_t>(row));
    for (int64_t i = begin; i < end; ++i) {
      const uint64_t item = static_cast<uint64_t>(indices[i]);
      values[i] = rating_value(plan.values, signal_of(plan.values, user, items[item]),
                               static_cast<uint64_t>(row), item);
    }
  }
}

Csr draw_ratings(const GeneratorPlan& plan, const DrawTarget& on) {
  const int64_t nnz = plan.row_offsets.back();
  ArrayBuilder<int32_t> indices(nnz);
  ArrayBuilder<float> values(nnz);
  draw_rows(plan, on, indices.data(), values.data());
  repair_item_degrees(plan, indices.data(), values.data());
  return {plan.spec.rows, plan.spec.cols, Array<int64_t>(plan.row_offsets), indices.freeze(),
          values.freeze()};
}

RatingSet generate_set(const GeneratorPlan& plan, const DrawTarget& on) {
  RatingSet set;
  {
    Split split = split_ratings(draw_ratings(plan, on), plan.spec.test_ratings, plan.seed);
    set.by_user = std::move(split.train);
    set.test = std::move(split.test);
  }
  if (set.test.nnz() > 0) set.rmse_floor = floor_of(plan, set.test);
  finish_set(set);
  return set;
}

}  // namespace alsbench
