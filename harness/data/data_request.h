// SPDX-License-Identifier: Apache-2.0
// DataRequest: which ratings to load and how. It is the part of a problem that does not depend on
// rank or lambda. Workers, journals and documents share its JSON.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "harness/data/column_choice.h"
#include "harness/files/file_plan.h"
#include "harness/record/fields/fields.h"
#include "variants/core/config.h"

namespace alsbench {

enum class Duplicates { error, last, mean, sum };

// Which ratings of a file become test ratings. A share: random, the latest of all, or the latest of
// each user. One per user: the last, or a random one.
enum class SplitBy { random, time, user_time, leave_last_out, leave_one_out };
constexpr auto enum_names(SplitBy) {
  return std::to_array<EnumName<SplitBy>>({{SplitBy::user_time, "user-time"},
                                           {SplitBy::leave_last_out, "leave-last-out"},
                                           {SplitBy::leave_one_out, "leave-one-out"}});
}
// Whether the way asks when a rating was made, and whether it takes a share.
bool needs_times(SplitBy by);
bool takes_share(SplitBy by);

struct DataRequest {
  std::string dataset;  // a name of configs/datasets ("netflix"), or empty when `path` is given
  double scale = 1.0;   // of the generated shape: rows, cols and nnz shrink together
  std::filesystem::path path;       // a user's file or folder
  std::string format;               // "" detects it from the content
  std::string columns;              // which column is what (ColumnChoice); "" finds them
  std::string values;               // of ratings that are names (NameValues)
  std::filesystem::path test_path;  // a separate test file; else test_fraction
  double test_fraction = 0.1;  // of a file without test_path; generated sets carry their own count
  SplitBy split_by = SplitBy::random;  // the same; a way without a share leaves test_fraction alone
  uint64_t seed = 42;
  Duplicates duplicates = Duplicates::error;
  // Of generated sets only. Every user has this many ratings, and there are no test ratings (0: as
  // the specification says). Then the shares of users and items without ratings.
  int64_t uniform_row_length = 0;
  double empty_rows = 0;
  double empty_cols = 0;
  // Whether the set has the times of its ratings, where the file has them. Not in the JSON: only
  // what writes ratings asks for them.
  bool keep_times = false;
  Config sizes = {};  // in place of ratings: "M=512,N=512"

  bool has_sizes() const { return !sizes.entries().empty(); }
  bool operator==(const DataRequest&) const = default;
  ColumnChoice choice() const { return ColumnChoice(columns, values); }
};

// Every field, under its name. Those that most requests leave at their default are left out then,
// and have it when they are read.
void describe(Fields<DataRequest>& fields);

// "error", "last", "mean" or "sum". Throws UsageError.
Duplicates duplicates_named(const std::string& name);
// "random", "time", "user-time", "leave-last-out" or "leave-one-out". Throws UsageError.
SplitBy split_by_named(const std::string& name);

// Tells the plan what the request reads. `whose` says whose data it is where no option names it:
// "the suite".
void reads_data(FilePlan& plan, const DataRequest& request, const std::string& whose = "");

}  // namespace alsbench
