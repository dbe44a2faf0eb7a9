// SPDX-License-Identifier: Apache-2.0
// The playoff of a tuning of pipelines: who plays, and the rounds of training runs, interleaved in
// random order.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "harness/tune/pipeline/pipeline_tuner.h"

namespace alsbench {

// Candidates of one precision by part, the fastest first; none is empty.
using Candidates = std::map<std::string, std::vector<PipelineCandidate>>;

// The recipe on the cheapest rung of a precision that passed.
struct Finalist {
  Recipe pipelines;
  double seconds = 0;  // of an iteration, or to the target: the median of its training runs
};

// One of each precision that passed, the fastest first; those that took at most `limit` times as
// long as that one.
std::vector<Finalist> finalists(const std::vector<Trial>& trials, double limit);

// Of the finalists about as fast as the fastest the most exact; nothing where none passed.
std::optional<Recipe> worth_refining(const std::vector<Trial>& trials);

// The candidates of that precision that are worth playing, or what else passed where it has none.
// `fallback`, the default, stands last: it is compared with whether it passed or not.
std::vector<Contender> contenders_of(const std::vector<Trial>& trials,
                                     const std::map<Precision, Candidates>& candidates,
                                     const Recipe& fallback);

// A training run of the playoff.
struct Played {
  std::map<std::string, double> seconds;  // of each part
  double total = 0;                       // of an iteration, or to the target
};
// Nothing where it failed, or missed its target.
using TrainPair = std::function<std::optional<Played>(const Recipe&)>;

// Rounds until `out_of_time`, at least three and at most options.playoff_rounds. Where sides are
// chosen together, contenders train as pairs. Else they do so in the first round, which says what
// is in reach; from then on all of a side train with the fastest that the other had there, since a
// side's time hangs by a percent on what the other one leaves in the caches. What is out of reach
// plays no further.
void play(std::vector<Contender>& contenders, const PipelineTuneOptions& options,
          const std::function<bool()>& out_of_time, const TrainPair& train);

}  // namespace alsbench
