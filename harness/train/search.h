// SPDX-License-Identifier: Apache-2.0
// The search for values of rank, lambda and hyper-parameters: candidates are trained and halved by
// their test metric, or by how well their models rank the items of test ratings.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/model/model_record.h"
#include "harness/model/ranking_metric.h"
#include "harness/train/train.h"

namespace alsbench {

// Successive halving (Jamieson and Talwalkar, AISTATS 2016): all candidates are trained a little,
// the better half longer, until one is left.
struct HalvingTrial {
  size_t candidate = 0;
  int iterations = 0;
  std::vector<double> metrics;  // of each seed; NaN: the training failed
  double metric() const;        // their mean
};

struct Halving {
  std::vector<HalvingTrial> trials;  // in the order that they ran in
  std::optional<size_t> best;        // none where all failed, or where it was interrupted
  bool interrupted = false;
};

// Trains a candidate from its start, once a seed, and returns its metrics, at least one; nothing to
// end the search.
using TrialOf = std::function<std::optional<std::vector<double>>(size_t candidate, int iterations)>;

// The number of iterations of each round. The last round, of two candidates, trains for all of
// them. Each one before trains for half as many, but for at least 3.
std::vector<int> halving_rounds(size_t candidates, int iterations);

// The better half of a round's candidates goes on to the next.
constexpr size_t promoted_of(size_t candidates) { return (candidates + 1) / 2; }

// Which of two metrics is the better one.
enum class Better { less, greater };

// Judges by the mean of a trial's metrics. Of equal ones the earlier candidate is the better one. A
// single candidate is not trained.
Halving halve(size_t candidates, int iterations, Better better, const TrialOf& trial);

struct Candidate {
  SearchedValues values;
  TrainOptions options;  // with these values
};

// Judges models by how well they rank the items of test ratings.
struct SearchRanking {
  RankingMetric metric;
  std::optional<double> relevant = {};  // as ranking_request() takes it
};

struct SearchRequest {
  std::vector<Candidate> candidates;  // alike but for their values
  int seeds = 1;  // trainings of each trial: from the options' seed and those that follow it
  std::optional<SearchRanking> ranking = {};  // in place of the test metric

  // Name of what judges trials: that of the test metric, or such as "ndcg@10".
  std::string metric() const;
};

// Throws UsageError where the candidates' test metrics judge and measure different things: such as
// losses that weigh cells by an alpha of their own, of which the smallest would nearly always win.
void check_comparable(const SearchRequest& request);

struct FinishedSearch {
  std::vector<SearchedValues> candidates;
  std::string metric;  // as SearchRequest has it
  std::optional<double> relevant;
  Halving halving;  // of them, by index
};

SearchRecord record_of(const FinishedSearch& search);

// Hears of a search while it goes on.
class SearchObserver {
 public:
  virtual ~SearchObserver() = default;
  // How long each trial will be, in their order, if none fails.
  virtual void search_begins(const SearchRequest& /*request*/,
                             const std::vector<int>& /*iterations*/) {}
  virtual void trial_begins(const SearchedValues& /*values*/, int /*iterations*/) {}
  // With these options, whose seed is the trial's or one that follows it.
  virtual void trial_trained(const TrainOptions& /*options*/, double /*metric*/) {}
  virtual void trial_ends() {}
  virtual void search_ends(const FinishedSearch& /*search*/) {}
};

// Halves the candidates by the test metric or the ranking of the model that train() keeps, the mean
// over the seeds; a training that leaves the finite numbers fails. The team's first device ranks.
// Throws UsageError where the set has no test ratings, or none that a ranking can be judged by, and
// what check_comparable throws.
FinishedSearch run_search(const SearchRequest& request, const TrainingPlace& place,
                          const ChoosePipelines& choose, SearchObserver& observer);

}  // namespace alsbench
