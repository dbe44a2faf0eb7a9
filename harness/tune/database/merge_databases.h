// SPDX-License-Identifier: Apache-2.0
// Merging tuning databases of many machines into one. Of several entries for one question the more
// rigorous stays, of equally rigorous ones the later; stale entries are left out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/tune/database/tuning_database.h"

namespace alsbench {

struct DatabaseMerge {
  int64_t added = 0, replaced = 0, unchanged = 0, left_out = 0;
  int64_t unknown = 0;             // whose code could not be hashed here; they are merged
  std::vector<std::string> notes;  // a line a conflict, and an entry that is left out
};

// Whether `a` is more rigorous than `b`: a smaller tolerance of the metric, more iterations, then
// more measured configurations, then a later date.
bool more_rigorous(const TunedEntry& a, const TunedEntry& b);

// Merges the files into `target`, whose own entries take part; of them none is left out. Throws as
// update_database() does.
DatabaseMerge merge_databases(const std::vector<std::filesystem::path>& files,
                              const std::filesystem::path& target, const HashSteps& hash);

}  // namespace alsbench
