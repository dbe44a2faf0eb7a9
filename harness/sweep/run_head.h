// SPDX-License-Identifier: Apache-2.0
// RunHead: the first record of a run's journal, which says what the run was started with. Journals
// are resumed, and shards joined, where their selections are the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/record/provenance.h"
#include "harness/record/shard_record.h"
#include "harness/record/suite_record.h"

namespace alsbench {

// Options that decide which measurement a case name stands for.
struct RunSelection {
  std::string suite_hash;
  std::optional<double> scale;  // where the command line names one, as is the next
  std::optional<uint64_t> seed;
  // Name of each device by id; nothing for one that is not there.
  std::vector<std::pair<std::string, std::optional<std::string>>> devices;
  StopRule sampling;
  int64_t launches = 1;
  double timeout_seconds = 0;
  bool profile = false, counters = false;
  BuildProvenance build;
  std::vector<KernelsProvenance> kernels;  // custom ones
};

struct RunHead {
  std::string suite, description;
  Answer answer = Answer::fastest;
  RunSelection selection;
  ShardRecord shard;
  Provenance provenance;
};

Json to_json(const RunSelection& selection);
Json to_json(const RunHead& head);

// "scale: 0.1 there, 0.2 here; ..." of two selections, "" when they are equal.
std::string differences(const Json& there, const Json& here);

}  // namespace alsbench
