// SPDX-License-Identifier: Apache-2.0
// Search spaces and objectives whose answer is known, for the tests of strategies and the tuner.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/tune/search/objective.h"

namespace alsbench {

// All combinations of the parameters' values, one variant "v".
inline SearchSpace grid_space(
    const std::vector<std::pair<std::string, std::vector<std::string>>>& parameters) {
  std::vector<std::vector<std::pair<std::string, std::string>>> all{{}};
  for (const auto& [name, values] : parameters) {
    std::vector<std::vector<std::pair<std::string, std::string>>> extended;
    for (const auto& entries : all)
      for (const std::string& value : values) {
        extended.push_back(entries);
        extended.back().emplace_back(name, value);
      }
    all = std::move(extended);
  }
  std::vector<SearchPoint> points;
  for (auto& entries : all) points.push_back({nullptr, "v", Config(std::move(entries)), {}});
  return SearchSpace(points, points.front().text());
}

// 6 x 5 x 4 x 3 x 2 = 720 points.
inline SearchSpace large_space() {
  return grid_space({{"tile", {"1", "2", "4", "8", "16", "32"}},
                     {"bin", {"16", "32", "48", "64", "96"}},
                     {"gather", {"a", "b", "c", "d"}},
                     {"stages", {"1", "2", "3"}},
                     {"l1", {"on", "off"}}});
}

// A cost with effects of single parameters and of pairs; its least is not at the default.
inline double cost_of(const SearchPoint& point) {
  const Config& c = point.config;
  const double tile = std::log2(c.number("tile")), bin = c.number("bin") / 16;
  double cost = 1 + 0.2 * std::abs(tile - 3) + 0.05 * std::abs(bin - 4);
  if (c.is("gather", "c")) cost *= 0.8;
  if (c.is("stages", "2") && c.is("l1", "off")) cost *= 0.85;
  if (c.is("stages", "3")) cost *= 1.1;
  return 1e-3 * cost;
}

// Serves `cost`, the same at every sample unless `noise` says otherwise; counts what it is asked.
class FakeObjective : public Objective {
 public:
  explicit FakeObjective(std::function<double(size_t)> cost) : cost_(std::move(cost)) {}

  void announce(const std::vector<size_t>& points, const std::vector<size_t>& guesses) override {
    announced += points.size();
    guessed += guesses.size();
  }
  Evaluation measure(size_t point, int64_t samples, double give_up_seconds) override {
    Evaluation evaluation;
    evaluation.point = point;
    ++calls[point];
    if (const auto found = faults.find(point); found != faults.end()) {
      evaluation.outcome = found->second;
      evaluation.detail = "as told";
      return evaluation;
    }
    if (registers) evaluation.registers = registers(point);
    for (int64_t i = 0; i < samples; ++i) {
      const double seconds = cost_(point) * (noise ? noise() : 1);
      evaluation.seconds.push_back(seconds);
      elapsed += seconds;
      evaluation.measure_seconds += seconds;
      if (give_up_seconds > 0 && seconds > give_up_seconds) break;
    }
    return evaluation;
  }
  double elapsed_seconds() const override { return elapsed; }
  std::optional<double> share_of_ceiling(size_t, double) const override { return std::nullopt; }

  std::map<size_t, Outcome> faults;
  std::map<size_t, int> calls;
  std::function<int64_t(size_t)> registers;
  std::function<double()> noise;
  size_t announced = 0, guessed = 0;
  double elapsed = 0;

 private:
  std::function<double(size_t)> cost_;
};

}  // namespace alsbench
