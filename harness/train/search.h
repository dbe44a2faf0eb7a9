// SPDX-License-Identifier: Apache-2.0
// The search for values of rank, lambda and hyper-parameters: candidates are trained and halved by
// their test metric.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/model/model_record.h"
#include "harness/train/halving.h"
#include "harness/train/train.h"

namespace alsbench {

struct Candidate {
  SearchedValues values;
  TrainOptions options;  // with these values
};

struct SearchRequest {
  std::vector<Candidate> candidates;  // alike but for their values
  int seeds = 1;  // trainings of each trial: from the options' seed and those that follow it
};

struct FinishedSearch {
  std::vector<SearchedValues> candidates;
  Halving halving;  // of them, by index
};

SearchRecord record_of(const FinishedSearch& search);

// Hears of a search while it goes on.
class SearchObserver {
 public:
  virtual ~SearchObserver() = default;
  // How long each trial will be, in their order, if none fails.
  virtual void search_begins(const std::vector<int>& /*iterations*/) {}
  virtual void trial_begins(const SearchedValues& /*values*/, int /*iterations*/) {}
  // With these options, whose seed is the trial's or one that follows it.
  virtual void trial_trained(const TrainOptions& /*options*/, double /*metric*/) {}
  virtual void trial_ends() {}
  virtual void search_ends(const FinishedSearch& /*search*/) {}
};

// Halves the candidates by the test metric of the model that train() keeps, the mean over the
// seeds; a training that leaves the finite numbers fails. Throws UsageError where the set has no
// test ratings.
FinishedSearch run_search(const SearchRequest& request, const TrainingPlace& place,
                          const ChoosePipelines& choose, SearchObserver& observer);

}  // namespace alsbench
