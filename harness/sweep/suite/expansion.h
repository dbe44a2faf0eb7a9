// SPDX-License-Identifier: Apache-2.0
// Expansion: the cases of a suite that the command line selects. Choices that the suite leaves to
// the tuning database are asked for meanwhile.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/case_record.h"
#include "harness/sweep/suite/case.h"
#include "variants/pipeline.h"

namespace alsbench {

// A choice that the tuning database or the rules of defaults made, and what they say of it.
struct TunedChoice {
  std::vector<PipelineStep> steps;
  TunedOrigin origin;
};
// A choice that a suite leaves to the tuning database: a configuration of `variant`, or where it is
// null a whole pipeline of `algorithm`, for one part of the problem on a device.
struct TunedRequest {
  const ProblemSpec& problem;
  const std::string& part;
  const std::string& device;
  const Variant* variant = nullptr;
  const Algorithm* algorithm = nullptr;
  std::string minimised = {};          // minimised_text() of the training
  std::string_view text = kTunedText;  // what the suite wrote: is_choice()
};
using ChooseTuned = std::function<TunedChoice(const TunedRequest&)>;

// Changes by the command line to a suite's selection.
struct Selection {
  std::string filter;                 // regular expression on measurement names
  std::vector<std::string> variants;  // names, or stage/name
  std::vector<Axis> axes;             // replace the suite's axes of the same name
  std::vector<std::string> devices;   // "cpu" and CUDA ordinals; CUDA cases run on each ordinal
  std::optional<double> scale;        // of every generated problem
  std::optional<uint64_t> seed;       // of every problem
  int shard = 0;                      // of `shards`
  int shards = 1;
  ChooseTuned choose;  // needed where a suite leaves something to the tuning database
};

// All cases of a suite that are selected, in declared order, without ceilings; shards are dealt
// from them (cases_of_shard). Throws UsageError on a filter that is no regular expression, or a
// variant or axis that nothing has.
std::vector<Case> expand(const Suite& suite, const Selection& selection);
// The ceilings to measure among the cases of one group.
std::vector<Case> ceilings_for(const Suite& suite, const Case& member);

// Which of the selected cases a shard of a run has. A group goes to one shard as a whole: cases
// that are compared with each other, and the ceilings of their group, are measured on one machine.
struct ShardCases {
  std::vector<Case> cases;  // of the shard, in declared order
  int64_t all_cases = 0, all_groups = 0;
  std::string all_names;  // a hash: shards with the same one were dealt the same cases
};

// The shard's part of `cases`, which expand() gave. No part is empty where there are no more shards
// than groups.
ShardCases cases_of_shard(std::vector<Case> cases, int shard, int shards);

}  // namespace alsbench
