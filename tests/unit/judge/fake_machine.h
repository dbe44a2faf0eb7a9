// SPDX-License-Identifier: Apache-2.0
// A machine with a fake clock, for simulations of the two-phase procedure: launches of two builds
// whose medians follow a model of noise.
#pragma once

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/judge/screen_and_confirm.h"

namespace alsbench {

// Relative changes of a launch's median; each part of a case has its own random numbers, but for
// the drift, which all share.
struct NoiseModel {
  double common_spread = 0;   // of a launch as a whole (standard deviation)
  double own_spread = 0.002;  // of a case in a launch
  double drift = 0;           // peak to peak of a slow wave
  double modes_apart = 0;     // a case is in its slower mode in half of its launches
  double outlier_share = 0;   // of launches of a case that take 10 to 60 % longer
};

class FakeMachine {
 public:
  FakeMachine(const NoiseModel& model, int cases, uint64_t seed)
      : model_(model), generator_(seed), phase_(uniform() * 2 * std::numbers::pi) {
    for (int i = 0; i < cases; ++i) {
      ComparisonCase c;
      c.name = c.record = "case " + std::to_string(i);
      c.device = "0";
      add(std::move(c));
    }
    for (const char* place : {"a", "b"}) {
      ComparisonCase c;
      c.name = c.record = std::string("copy beside ") + place;
      c.device = "0";
      c.role = CaseRole::control;
      c.kind = "copy";
      add(std::move(c));
    }
  }

  // The first `count` cases of the test build take `factor` times as long.
  void plant(int count, double factor) { planted_ = count, factor_ = factor; }

  ComparisonInput take(const LaunchPlace& place, const std::vector<std::string>& names) {
    order += place.build == Build::base ? 'A' : 'B';
    seconds_ += 1 + 0.01 * static_cast<double>(names.empty() ? cases_.size() : names.size());
    const double wave = std::sin(phase_ + seconds_ * 2 * std::numbers::pi / 60);
    const double shared = model_.drift / 2 * wave + model_.common_spread * normal_(generator_);
    ComparisonInput input;
    input.source = place.build == Build::base ? "base" : "test";
    input.format = "fake";
    input.cases.reserve(names.empty() ? cases_.size() : names.size() + 2);  // and controls
    for (size_t i = 0; i < cases_.size(); ++i)
      if (names.empty() || cases_[i].role == CaseRole::control) add_launch(i, place, shared, input);
    for (const std::string& name : names) add_launch(index_.at(name), place, shared, input);
    return input;
  }

  TwoPhaseResult run(const TwoPhaseDesign& design) {
    const Seconds now = [this] { return seconds_; };
    return run_two_phases(
        design, [this](const LaunchPlace& p, const auto& names) { return take(p, names); }, now);
  }

  std::string order;  // of the launches: A base, B test

 private:
  void add(ComparisonCase c) {
    index_[c.name] = cases_.size();
    cases_.push_back(std::move(c));
  }
  double uniform() { return std::generate_canonical<double, 53>(generator_); }

  void add_launch(size_t index, const LaunchPlace& place, double shared, ComparisonInput& input) {
    double log = shared + model_.own_spread * normal_(generator_);
    if (model_.modes_apart > 0 && uniform() < 0.5) log += std::log1p(model_.modes_apart);
    if (model_.outlier_share > 0 && uniform() < model_.outlier_share)
      log += std::log(1.1 + 0.5 * uniform());
    if (place.build == Build::test && static_cast<int>(index) < planted_) log += std::log(factor_);
    input.cases.push_back(cases_[index]);
    input.cases.back().launches.push_back({1e-3 * std::exp(log), 10});
  }

  NoiseModel model_;
  std::mt19937_64 generator_;
  std::normal_distribution<double> normal_;
  double phase_;
  double seconds_ = 0;
  std::vector<ComparisonCase> cases_;
  std::unordered_map<std::string, size_t> index_;
  int planted_ = 0;
  double factor_ = 1;
};

}  // namespace alsbench
