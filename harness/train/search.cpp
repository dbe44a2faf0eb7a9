// SPDX-License-Identifier: Apache-2.0
#include "harness/train/search.h"

#include <fmt/format.h>

#include <limits>
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

FinishedSearch run_search(const SearchRequest& request, const TrainingPlace& place,
                          const ChoosePipelines& choose, SearchObserver& observer) {
  if (place.set.test.nnz() == 0)
    throw UsageError(fmt::format(
        "--search: {} has no test ratings to judge by; give --test or a --test-fraction above 0",
        place.set.id));
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

}  // namespace alsbench
