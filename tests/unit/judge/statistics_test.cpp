// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "base/median.h"

namespace alsbench {
namespace {

using Json = nlohmann::json;
using Values = std::vector<double>;

// Samples of that kind, and what SciPy says of them.
const Json& samples(const char* kind) {
  static const Json json =
      Json::parse(std::ifstream(ALSBENCH_SOURCE_DIR "/tests/unit/judge/statistics.json"));
  EXPECT_FALSE(json.at(kind).empty()) << kind;
  return json.at(kind);
}

// The definition itself: every division of the pooled values, counted.
double enumerated_p(const Values& base, const Values& test) {
  Values pooled = base;
  pooled.insert(pooled.end(), test.begin(), test.end());
  const auto mean_rank = [&](double value) {
    double rank = 0.5;
    for (const double other : pooled) rank += other < value ? 1 : other == value ? 0.5 : 0;
    return rank;
  };
  const double mean = static_cast<double>(base.size() * (pooled.size() + 1)) / 2;
  double observed = 0;
  for (const double value : base) observed += mean_rank(value);
  std::vector<bool> first(pooled.size(), false);
  std::fill_n(first.rbegin(), base.size(), true);
  double all = 0, far = 0;
  do {
    double sum = 0;
    for (size_t i = 0; i < pooled.size(); ++i) sum += first[i] ? mean_rank(pooled[i]) : 0;
    ++all;
    far += std::abs(sum - mean) >= std::abs(observed - mean) - 1e-9 ? 1 : 0;
  } while (std::next_permutation(first.begin(), first.end()));
  return far / all;
}

TEST(Median, IsTheMiddleOrTheMeanOfTwo) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_TRUE(std::isnan(median({})));
}

// As std::nth_element() promises it, of values in any order and with any number of equal ones.
TEST(Select, PutsAValueWhereSortingWould) {
  std::mt19937_64 generator(1);
  for (const int size : {1, 2, 17, 100, 600})
    for (const int different : {1, 2, 7, 1000000})
      for (const int order : {0, 1, 2}) {
        Values values(static_cast<size_t>(size));
        for (double& value : values) value = static_cast<double>(generator() % different) - 3;
        if (order > 0) std::ranges::sort(values);
        if (order > 1) std::ranges::reverse(values);
        Values sorted = values;
        std::ranges::sort(sorted);
        for (int at = 0; at < size; at += 1 + size / 20) {
          Values selected = values;
          const auto nth = selected.begin() + at;
          select(selected.data(), &*nth, selected.data() + size);
          EXPECT_EQ(*nth, sorted[static_cast<size_t>(at)]) << size << ' ' << different << ' ' << at;
          EXPECT_TRUE(std::all_of(selected.begin(), nth, [&](double v) { return v <= *nth; }));
          EXPECT_TRUE(std::all_of(nth, selected.end(), [&](double v) { return v >= *nth; }));
          std::ranges::sort(selected);
          EXPECT_EQ(selected, sorted);
        }
      }
}

TEST(MannWhitney, AgreesWithSciPy) {
  for (const Json& sample : samples("two_samples"))
    EXPECT_NEAR(mann_whitney_p(sample["base"], sample["test"]), sample["p"], 1e-12);
  for (const Json& sample : samples("tied_samples"))
    EXPECT_NEAR(mann_whitney_p(sample["base"], sample["test"]), sample["p"], 1e-12);
}

TEST(MannWhitney, AgreesWithEnumeration) {
  std::mt19937 generator(7);
  for (int trial = 0; trial < 60; ++trial) {
    Values base(2 + generator() % 4), test(2 + generator() % 5);
    const unsigned values = trial % 2 == 0 ? 4 : 1000;  // many ties, or few
    for (double& value : base) value = generator() % values;
    for (double& value : test) value = generator() % values;
    EXPECT_NEAR(mann_whitney_p(base, test), enumerated_p(base, test), 1e-12);
  }
}

TEST(MannWhitney, IsOneForEqualValuesAndForNone) {
  EXPECT_DOUBLE_EQ(mann_whitney_p({1, 1, 1}, {1, 1, 1}), 1);
  EXPECT_DOUBLE_EQ(mann_whitney_p({}, {1, 2}), 1);
}

TEST(MannWhitney, TheApproximationMeetsTheExactValueWhereItTakesOver) {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  Values base(50), test(50), longer;
  for (double& value : base) value = normal(generator);
  for (double& value : test) value = normal(generator) + 0.4;
  longer = test;
  longer.push_back(0.4);  // 51 values: approximated
  const double exact = mann_whitney_p(base, test), approximate = mann_whitney_p(base, longer);
  EXPECT_NEAR(std::log(approximate / exact), 0, 0.25);
}

// Hollander and Wolfe (1973), p. 69: permeability of the chorioamnion; R's example of wilcox.test.
TEST(HodgesLehmann, AgreesWithTheTextbook) {
  const Values term{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
  const Values early{1.15, 0.88, 0.90, 0.74, 1.21};
  const LocationShift shift = hodges_lehmann(early, term, 0.95);
  EXPECT_NEAR(shift.estimate, 0.305, 1e-12);
  EXPECT_NEAR(shift.low, -0.15, 1e-12);
  EXPECT_NEAR(shift.high, 0.76, 1e-12);
  EXPECT_NEAR(mann_whitney_p(early, term), 2 * 0.1272, 1e-4);
}

TEST(HodgesLehmann, AgreesWithSciPysTestInverted) {
  for (const Json& sample : samples("two_samples"))
    for (const auto& [confidence, ends] : sample["intervals"].items()) {
      const LocationShift shift =
          hodges_lehmann(sample["base"], sample["test"], std::stod(confidence));
      EXPECT_NEAR(shift.estimate, sample["shift"], 1e-12);
      if (ends.is_null()) {
        EXPECT_TRUE(std::isinf(shift.low) && std::isinf(shift.high)) << sample["base"].size();
      } else {
        EXPECT_NEAR(shift.low, ends[0], 1e-9) << sample["base"].size() << " " << confidence;
        EXPECT_NEAR(shift.high, ends[1], 1e-9) << sample["base"].size() << " " << confidence;
      }
    }
}

TEST(HodgesLehmann, CoversTheShiftAsOftenAsItSays) {
  std::mt19937 generator(11);
  std::lognormal_distribution<double> skewed;
  int covered = 0;
  const int trials = 4000;
  for (int trial = 0; trial < trials; ++trial) {
    Values base(8), test(8);
    for (double& value : base) value = skewed(generator);
    for (double& value : test) value = skewed(generator) + 0.5;
    const LocationShift shift = hodges_lehmann(base, test, 0.95);
    covered += shift.low <= 0.5 && 0.5 <= shift.high ? 1 : 0;
  }
  EXPECT_GE(covered, trials * 0.945);  // exact: at least 0.95, within the noise of 4000 trials
}

TEST(SmallestP, IsThatOfTheDesignsInTheDocument) {
  EXPECT_NEAR(smallest_p(4, 4), 0.029, 0.0005);
  EXPECT_NEAR(smallest_p(5, 5), 0.0079, 0.00005);
  EXPECT_NEAR(smallest_p(6, 6), 0.0022, 0.00005);
  EXPECT_NEAR(smallest_p(8, 8), 1.6e-4, 0.05e-4);
  EXPECT_NEAR(smallest_p(12, 12), 7.4e-7, 0.05e-7);
  EXPECT_EQ(smallest_p(0, 4), 1);
  EXPECT_EQ(launches_for_significance(0.01, 1), 5);
  EXPECT_EQ(launches_for_significance(0.01, 22), 8);
  EXPECT_EQ(launches_for_significance(0.01, 200), 9);
  EXPECT_FALSE(can_be_significant(6, 6, 0.01, 22));
  EXPECT_TRUE(can_be_significant(6, 12, 0.01, 22));
  EXPECT_DOUBLE_EQ(mann_whitney_p({1, 2, 3, 4}, {5, 6, 7, 8}), smallest_p(4, 4));
}

TEST(BenjaminiHochberg, AgreesWithSciPy) {
  for (const Json& sample : samples("adjusted")) {
    const Values adjusted = benjamini_hochberg(sample["p"]);
    for (size_t i = 0; i < adjusted.size(); ++i)
      EXPECT_NEAR(adjusted[i], sample["adjusted"][i], 1e-12);
  }
}

TEST(BenjaminiHochberg, AFamilyOfMoreTestsAdjustsMore) {
  EXPECT_EQ(benjamini_hochberg({0.01, 0.5}, 10), (Values{0.1, 1.0}));
  EXPECT_TRUE(benjamini_hochberg({}).empty());
}

}  // namespace
}  // namespace alsbench
