// SPDX-License-Identifier: Apache-2.0
// The playoff of a tuning of pipelines: which pipelines contend, and the rounds of their training
// runs, interleaved in random order.
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

// One of each precision that passed, the fastest first. Those that took over `limit` times as long
// as the fastest are left out.
std::vector<Finalist> finalists(const std::vector<Trial>& trials, double limit);

// The most exact of the finalists that are about as fast as the fastest; nothing where none passed.
std::optional<Recipe> recipe_to_refine(const std::vector<Trial>& trials);

// The candidates that are worth playing, `maximum` of a part, of the precision that
// recipe_to_refine() names. Where it has none, the fastest recipes that passed. `fallback`, the
// default, stands last, whether it passed or not.
std::vector<Contender> contenders_of(const std::vector<Trial>& trials,
                                     const std::map<Precision, Candidates>& candidates,
                                     const Recipe& fallback, size_t maximum);

// A training run of the playoff.
struct PlayoffRun {
  std::map<std::string, double> seconds;  // of each part
  double total = 0;                       // of an iteration, or to the target
};
// Nothing where it failed, or missed its target.
using TrainRecipe = std::function<std::optional<PlayoffRun>(const Recipe&)>;

// Plays rounds until `out_of_time`, or from the sixth on until everyone's median is sure to 0.3 %:
// at least three and at most options.playoff_rounds. In the first round each contender trains with
// its own pipelines for all parts. Where parts are chosen together, so it does in all rounds. Else
// the candidates of a part train from then on with the fastest pipelines that the other parts had
// in the first round. A part's time depends by a percent on what the others leave in the caches. A
// contender that is too slow plays no further.
void play(std::vector<Contender>& contenders, const PipelineTuneOptions& options,
          const std::function<bool()>& out_of_time, const TrainRecipe& train);

}  // namespace alsbench
