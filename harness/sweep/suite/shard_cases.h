// SPDX-License-Identifier: Apache-2.0
// Deal: which of the selected cases each shard of a run has. A group goes to one shard as a whole.
// Cases that are compared with each other, and the ceilings of their group, are measured on one
// machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/sweep/suite/case.h"

namespace alsbench {

struct ShardCases {
  std::vector<Case> cases;  // of the shard, in declared order
  int64_t all_cases = 0, all_groups = 0;
  std::string all_names;  // a hash: shards with the same one were dealt the same cases
};

// The shard's part of `cases`, which expand() gave. No part is empty where there are no more shards
// than groups.
ShardCases cases_of_shard(std::vector<Case> cases, int shard, int shards);

}  // namespace alsbench
