// SPDX-License-Identifier: Apache-2.0
#include "harness/train/halving.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace alsbench {
namespace {

bool better(const HalvingTrial& a, const HalvingTrial& b) {
  const double of_a = a.metric(), of_b = b.metric();
  if (std::isnan(of_a) || std::isnan(of_b)) return !std::isnan(of_a) && std::isnan(of_b);
  return of_a < of_b;
}

}  // namespace

double HalvingTrial::metric() const {
  return std::accumulate(metrics.begin(), metrics.end(), 0.0) / static_cast<double>(metrics.size());
}

std::vector<int> halving_rounds(size_t candidates, int iterations) {
  constexpr int kMinValue = 3;  // the first iterations say little of the last one
  std::vector<int> rounds;
  for (int left = iterations; candidates > 1; candidates = promoted_of(candidates)) {
    rounds.push_back(std::max(left, std::min(kMinValue, iterations)));
    left = (left + 1) / 2;
  }
  std::reverse(rounds.begin(), rounds.end());
  return rounds;
}

Halving halve(size_t candidates, int iterations, const TrialOf& trial) {
  Halving result;
  std::vector<size_t> left(candidates);
  std::iota(left.begin(), left.end(), size_t{0});
  for (const int round : halving_rounds(candidates, iterations)) {
    std::vector<HalvingTrial> trials;
    for (const size_t candidate : left) {
      const std::optional<std::vector<double>> metrics = trial(candidate, round);
      result.interrupted = !metrics;
      if (result.interrupted) return result;
      trials.push_back({candidate, round, *metrics});
      result.trials.push_back(trials.back());
    }
    std::stable_sort(trials.begin(), trials.end(), better);
    if (std::isnan(trials.front().metric())) return result;
    trials.resize(promoted_of(trials.size()));
    left.clear();
    for (const HalvingTrial& survivor : trials) left.push_back(survivor.candidate);
    std::sort(left.begin(), left.end());
  }
  result.best = left.front();
  return result;
}

}  // namespace alsbench
