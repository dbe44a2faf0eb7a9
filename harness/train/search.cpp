// SPDX-License-Identifier: Apache-2.0
#include "harness/train/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "base/error.h"
#include "harness/model/evaluation.h"
#include "harness/train/trained_model.h"

namespace alsbench {
namespace {

RankingRequest ranking_of_candidate(const SearchRanking& ranking, const TrainOptions& options) {
  return ranking_request(options.recipe.algorithm->feedback, ranking.metric.k, ranking.relevant);
}

double ranking_metric_of(const TrainingPlace& place, const TrainOptions& options,
                         const SearchRanking& ranking) {
  TrainResult result = train(place, options);
  if (result.interrupted) return std::numeric_limits<double>::quiet_NaN();  // nobody asks for it
  const Model model = model_of(options, place.set, std::move(result.model));
  return ranking.metric.of(ranking_of(place.team.device(), model, place.set.test, place.set.by_user,
                                      ranking_of_candidate(ranking, options)));
}

// Of the iteration that train() keeps.
double test_metric_of(const TrainingPlace& place, const TrainOptions& options) {
  const TrainResult result = train(place, options);
  const bool best = options.keep == Keep::best && result.best_iteration > 0;
  return (best ? iteration_record(result, result.best_iteration) : result.iterations.back())
      .test_metric;
}

// NaN where the training left the finite numbers.
double metric_of(const TrainingPlace& place, const TrainOptions& options,
                 const std::optional<SearchRanking>& ranking) {
  try {
    return ranking ? ranking_metric_of(place, options, *ranking) : test_metric_of(place, options);
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

// Those of a trial, of which nothing is asked but what judges it.
TrainOptions trial_options(TrainOptions options, int iterations, bool ranked) {
  options.iterations = iterations;
  if (options.keep != Keep::best) options.evaluation.each.reset();
  options.keep_model = ranked;
  options.target.reset();
  return options;
}

}  // namespace

std::string SearchRequest::metric() const {
  return ranking ? ranking->metric.name() : candidates.at(0).options.recipe.algorithm->metric;
}

void check_comparable(const SearchRequest& request) {
  if (request.ranking) return;
  constexpr const char* kRemedy =
      "judge by a ranking in place of it: `--search-by ndcg@10`, in Python by=\"ndcg@10\"";
  const Recipe& first = request.candidates.at(0).options.recipe;
  for (const Candidate& candidate : request.candidates) {
    const Recipe& other = candidate.options.recipe;
    const std::string& metric = other.algorithm->metric;
    if (metric != first.algorithm->metric)
      throw UsageError(fmt::format("a search cannot compare a test {} with a test {}; {}",
                                   first.algorithm->metric, metric, kRemedy));
    for (const std::string& name : other.algorithm->measured_with)
      if (first.hyper.get_or(name, "") != other.hyper.get_or(name, ""))
        throw UsageError(
            fmt::format("a search cannot compare values of {} by the test {}, which is computed "
                        "with it; {}",
                        name, metric, kRemedy));
  }
}

namespace {

// Throws UsageError where rankings of these ratings say nothing, or of two candidates not the same.
void check_ranking(const SearchRequest& request, const RatingSet& set) {
  const SearchRanking& ranking = *request.ranking;
  const std::string name = ranking.metric.name();
  if (ranking.metric.k > set.by_user.cols)
    throw UsageError(fmt::format("a search by {}: there are {} items; give a K from 1 to {}", name,
                                 set.by_user.cols, set.by_user.cols));
  const RankingRequest first = ranking_of_candidate(ranking, request.candidates.at(0).options);
  const Ranking ranked = ranked_users(set.test, set.by_user, first);
  if (ranked.users == 0)
    throw UsageError(
        fmt::format("a search by {}: no user can be ranked: {}; hold out other ratings, or judge "
                    "by the test metric",
                    name, reason_of_no_ranking(ranked, set.test, first)));
  const float minimum = *std::min_element(set.test.values.begin(), set.test.values.end());
  for (const Candidate& candidate : request.candidates) {
    const RankingRequest other = ranking_of_candidate(ranking, candidate.options);
    if (other.relevant != first.relevant && minimum < std::max(other.relevant, first.relevant))
      throw UsageError(
          fmt::format("a search by {}: a test rating of {} is relevant to explicit feedback alone; "
                      "say from which rating on items are relevant",
                      name, minimum));
  }
}

}  // namespace

FinishedSearch run_search(const SearchRequest& request, const TrainingPlace& place,
                          const ChoosePipelines& choose, SearchObserver& observer) {
  if (place.set.test.nnz() == 0)
    throw UsageError(fmt::format(
        "--search: {} has no test ratings to judge by; give --test or a --test-fraction above 0",
        place.set.id));
  check_comparable(request);
  if (request.ranking) check_ranking(request, place.set);
  FinishedSearch search;
  search.metric = request.metric();
  if (request.ranking) search.relevant = request.ranking->relevant;
  for (const Candidate& candidate : request.candidates)
    search.candidates.push_back(candidate.values);
  const int iterations = request.candidates.at(0).options.iterations;
  observer.search_begins(request, trials_of(request.candidates.size(), iterations));
  const auto trial = [&](size_t index, int round) -> std::optional<std::vector<double>> {
    const Candidate& candidate = request.candidates[index];
    TrainOptions options = trial_options(candidate.options, round, request.ranking.has_value());
    observer.trial_begins(candidate.values, round);
    if (choose) choose(options, place.set, place.team);
    std::vector<double> metrics;
    for (int seed = 0; seed < request.seeds; ++seed, ++options.seed) {
      metrics.push_back(metric_of(place, options, request.ranking));
      if (options.interrupted != nullptr && *options.interrupted) return std::nullopt;
      observer.trial_trained(options, metrics.back());
    }
    observer.trial_ends();
    return metrics;
  };
  const Better better = request.ranking ? Better::greater : Better::less;
  search.halving = halve(request.candidates.size(), iterations, better, trial);
  observer.search_ends(search);
  return search;
}

SearchRecord record_of(const FinishedSearch& search) {
  const Halving& halving = search.halving;
  SearchRecord record;
  record.metric = search.metric;
  record.relevant_from = search.relevant;
  if (halving.best) record.best = search.candidates[*halving.best];
  for (const HalvingTrial& trial : halving.trials) {
    const bool several = trial.metrics.size() > 1;
    record.trials.push_back({search.candidates[trial.candidate], trial.iterations, trial.metric(),
                             several ? trial.metrics : std::vector<double>()});
  }
  return record;
}

namespace {

bool is_before(const HalvingTrial& a, const HalvingTrial& b, Better better) {
  const double of_a = a.metric(), of_b = b.metric();
  if (std::isnan(of_a) || std::isnan(of_b)) return !std::isnan(of_a) && std::isnan(of_b);
  return better == Better::less ? of_a < of_b : of_a > of_b;
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

Halving halve(size_t candidates, int iterations, Better better, const TrialOf& trial) {
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
    std::stable_sort(trials.begin(), trials.end(),
                     [better](const auto& a, const auto& b) { return is_before(a, b, better); });
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
