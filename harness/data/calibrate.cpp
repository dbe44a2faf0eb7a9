// SPDX-License-Identifier: Apache-2.0
#include "harness/data/calibrate.h"

#include <algorithm>
#include <cmath>

namespace alsbench {
namespace {

std::vector<double> cumulative_of(const std::vector<double>& weights) {
  std::vector<double> cumulative(weights.size() + 1, 0.0);
  for (size_t j = 0; j < weights.size(); ++j) cumulative[j + 1] = cumulative[j] + weights[j];
  return cumulative;
}

}  // namespace

template <class Weight>
std::vector<int32_t> always_included(const std::vector<Weight>& cumulative, int64_t longest) {
  const int64_t items = static_cast<int64_t>(cumulative.size()) - 1;
  std::vector<int32_t> prefix(static_cast<size_t>(longest) + 1, 0);
  int64_t fixed = 0;
  for (int64_t k = 1; k <= longest; ++k) {
    while (fixed < std::min(k, items) - 1) {
      const size_t at = static_cast<size_t>(fixed);
      const Weight rest = cumulative.back() - cumulative[at];
      if ((cumulative[at + 1] - cumulative[at]) <= rest / static_cast<Weight>(k - fixed)) break;
      ++fixed;
    }
    prefix[static_cast<size_t>(k)] = static_cast<int32_t>(fixed);
  }
  return prefix;
}

template <class Weight>
std::vector<double> inclusion_sums(const std::vector<Weight>& cumulative,
                                   const LengthHistogram& lengths) {
  const size_t items = cumulative.size() - 1;
  const auto prefix = always_included(cumulative, static_cast<int64_t>(lengths.size()) - 1);
  // Of the rows whose prefix ends at t: how many, and the picks they spend on a unit of weight.
  std::vector<double> rows_at(items + 1, 0.0);
  std::vector<double> rate_at(items + 1, 0.0);
  for (size_t k = 1; k < lengths.size(); ++k) {
    if (lengths[k] == 0) continue;
    const size_t t = static_cast<size_t>(prefix[k]);
    const double rest = static_cast<double>(cumulative.back() - cumulative[t]);
    const double rows = static_cast<double>(lengths[k]);
    rows_at[t] += rows;
    rate_at[t] += rows * static_cast<double>(k - t) / rest;
  }
  double always = 0;
  for (const double rows : rows_at) always += rows;
  double rate = 0;
  std::vector<double> sums(items);
  for (size_t j = 0; j < items; ++j) {
    always -= rows_at[j];
    rate += rate_at[j];
    sums[j] = always + rate * static_cast<double>(cumulative[j + 1] - cumulative[j]);
  }
  return sums;
}

std::vector<int64_t> calibrated_weights(const std::vector<double>& targets,
                                        const LengthHistogram& lengths) {
  constexpr int kMaxRounds = 300;
  constexpr double kTolerance = 1e-4;
  // Rows that hold every item can exceed a target; its weight must not vanish against the others.
  const double floor = 1e-9 * cumulative_of(targets).back();
  std::vector<double> weights = targets;
  for (int round = 0; round < kMaxRounds; ++round) {
    const std::vector<double> sums = inclusion_sums(cumulative_of(weights), lengths);
    double worst = 0;
    for (size_t j = 0; j < weights.size(); ++j) {
      const double ratio = targets[j] / sums[j];
      worst = std::max(worst, std::abs(ratio - 1));
      weights[j] = std::max(floor, weights[j] * std::clamp(ratio, 0.5, 2.0));
      if (j > 0) weights[j] = std::min(weights[j], weights[j - 1]);
    }
    if (worst < kTolerance) break;
  }
  // 2^42 in all: a strata count below 2^31 keeps every product of stratum_of inside 64 bits.
  const double unit = std::ldexp(1.0, 42) / cumulative_of(weights).back();
  std::vector<int64_t> cumulative(weights.size() + 1, 0);
  for (size_t j = 0; j < weights.size(); ++j) {
    cumulative[j + 1] = cumulative[j] + std::max<int64_t>(1, std::llround(weights[j] * unit));
  }
  return cumulative;
}

template std::vector<int32_t> always_included(const std::vector<int64_t>&, int64_t);
template std::vector<double> inclusion_sums(const std::vector<int64_t>&, const LengthHistogram&);

}  // namespace alsbench
