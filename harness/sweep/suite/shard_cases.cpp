// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/suite/shard_cases.h"

#include <map>
#include <utility>

#include "harness/files/hash.h"

namespace alsbench {

ShardCases cases_of_shard(std::vector<Case> cases, int shard, int shards) {
  ShardCases shard_cases;
  Fnv1a128 names;
  std::map<std::string, int64_t> places;  // of groups
  for (const Case& c : cases) {
    names.add_field(c.name());
    places.try_emplace(c.group(), static_cast<int64_t>(places.size()));
  }
  shard_cases.all_cases = static_cast<int64_t>(cases.size());
  shard_cases.all_groups = static_cast<int64_t>(places.size());
  shard_cases.all_names = names.hex();
  // Neighbours share inputs, so a shard is a run of neighbours.
  const int64_t begin = shard_cases.all_groups * shard / shards;
  const int64_t end = shard_cases.all_groups * (shard + 1) / shards;
  for (Case& c : cases)
    if (const int64_t place = places.at(c.group()); begin <= place && place < end)
      shard_cases.cases.push_back(std::move(c));
  return shard_cases;
}

}  // namespace alsbench
