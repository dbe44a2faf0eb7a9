// SPDX-License-Identifier: Apache-2.0
#include "harness/train/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "base/error.h"

namespace alsbench {
namespace {

// The test metric of the iteration that train() keeps; NaN where it left the finite numbers.
double metric_of(const TrainingPlace& place, const TrainOptions& options) {
  try {
    const TrainResult result = train(place, options);
    const bool best = options.keep == Keep::best && result.best_iteration > 0;
    return (best ? iteration_record(result, result.best_iteration) : result.iterations.back())
        .test_metric;
  } catch (const NonFiniteError&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

std::vector<int> trials_of(size_t candidates, int iterations) {
  std::vector<int> trials;
  for (const int round : halving_rounds(candidates, iterations)) {
    trials.insert(trials.end(), candidates, round);
    candidates = promoted_of(candidates);
  }
  return trials;
}

// Those of a trial, which is judged by its test metric alone.
TrainOptions trial_options(TrainOptions options, int iterations) {
  options.iterations = iterations;
  if (options.keep != Keep::best) options.evaluation.each.reset();
  options.keep_model = false;
  options.target.reset();
  return options;
}

}  // namespace

void check_comparable(const std::vector<Candidate>& candidates) {
  const Recipe& first = candidates.at(0).options.recipe;
  for (const Candidate& candidate : candidates) {
    const Recipe& other = candidate.options.recipe;
    const std::string& metric = other.algorithm->metric;
    if (metric != first.algorithm->metric)
      throw UsageError(
          fmt::format("a search cannot compare a test {} with a test {}; search for "
                      "values of one algorithm",
                      first.algorithm->metric, metric));
    for (const std::string& name : other.algorithm->measured_with)
      if (first.hyper.get_or(name, "") != other.hyper.get_or(name, ""))
        throw UsageError(fmt::format(
            "a search cannot compare values of {0}, since the test {1} is computed with it; train "
            "with each value, and compare the rankings that `alsbench evaluate -k` judges",
            name, metric));
  }
}

FinishedSearch run_search(const SearchRequest& request, const TrainingPlace& place,
                          const ChoosePipelines& choose, SearchObserver& observer) {
  if (place.set.test.nnz() == 0)
    throw UsageError(fmt::format(
        "--search: {} has no test ratings to judge by; give --test or a --test-fraction above 0",
        place.set.id));
  check_comparable(request.candidates);
  FinishedSearch search;
  for (const Candidate& candidate : request.candidates)
    search.candidates.push_back(candidate.values);
  const int iterations = request.candidates.at(0).options.iterations;
  observer.search_begins(trials_of(request.candidates.size(), iterations));
  const auto trial = [&](size_t index, int round) -> std::optional<std::vector<double>> {
    const Candidate& candidate = request.candidates[index];
    TrainOptions options = trial_options(candidate.options, round);
    observer.trial_begins(candidate.values, round);
    if (choose) choose(options, place.set, place.team);
    std::vector<double> metrics;
    for (int seed = 0; seed < request.seeds; ++seed, ++options.seed) {
      metrics.push_back(metric_of(place, options));
      if (options.interrupted != nullptr && *options.interrupted) return std::nullopt;
      observer.trial_trained(options, metrics.back());
    }
    observer.trial_ends();
    return metrics;
  };
  search.halving = halve(request.candidates.size(), iterations, trial);
  observer.search_ends(search);
  return search;
}

SearchRecord record_of(const FinishedSearch& search) {
  const Halving& halving = search.halving;
  SearchRecord record;
  if (halving.best) record.best = search.candidates[*halving.best];
  for (const HalvingTrial& trial : halving.trials) {
    const bool several = trial.metrics.size() > 1;
    record.trials.push_back({search.candidates[trial.candidate], trial.iterations, trial.metric(),
                             several ? trial.metrics : std::vector<double>()});
  }
  return record;
}

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
