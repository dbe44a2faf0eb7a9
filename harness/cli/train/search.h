// SPDX-License-Identifier: Apache-2.0
// `alsbench train --search`: which values are tried, and what is said of the trials.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/cli/progress/progress_report.h"
#include "harness/cli/train/train_request.h"
#include "harness/record/json.h"
#include "harness/train/halving.h"
#include "harness/train/train.h"

namespace alsbench {

struct SearchAxis {
  std::string name;  // rank, lambda, or a hyper-parameter
  std::vector<std::string> values;
};

// "lambda=0.01,0.05", or "lambda=0.01:0.2:5" for five values in equal ratios. Throws UsageError.
SearchAxis search_axis(const std::string& text);

// A value of each axis.
using Candidate = std::vector<std::pair<std::string, std::string>>;
// All combinations, those of the last axis beside each other. Throws UsageError where an axis comes
// twice or there are too many.
std::vector<Candidate> candidates_of(const std::vector<SearchAxis>& axes);
// "lambda=0.05 rank=32"
std::string text_of(const Candidate& candidate);

// What trains a candidate for so many iterations.
using OptionsOf = std::function<TrainOptions(const Candidate& candidate, int iterations)>;
struct SearchRounds {
  int iterations = 0;  // of the last round
  int seeds = 1;       // trainings of each trial: from the options' seed and those that follow it
};
// Halves the candidates by the test metric of what train() keeps, the mean over the seeds; a
// training that leaves the finite numbers fails. Throws UsageError where the set has no test
// ratings.
Halving run_search(Team& team, const RatingSet& set, const std::vector<Candidate>& candidates,
                   const SearchRounds& rounds, const OptionsOf& options_of,
                   const ProgressOptions& progress);

// The trials as a table, each with its candidate's values, iterations, mean metric and, where there
// are several seeds, the least and the greatest of them.
std::string table_of(const std::vector<Candidate>& candidates, const Halving& search,
                     const std::string& metric);
Json to_json(const std::vector<Candidate>& candidates, const Halving& search,
             const std::string& metric);

// What the request's `search` names, each of which it can take. Throws UsageError.
std::vector<Candidate> search_candidates(const TrainRequest& options);
// The request with the values of the best candidate, which are printed, or nothing where it was
// interrupted. `record` gets the trials. Throws UsageError, NonFiniteError.
std::optional<TrainRequest> searched(const TrainRequest& options,
                                     const std::vector<Candidate>& candidates, Team& team,
                                     const RatingSet& set, Json& record);

}  // namespace alsbench
