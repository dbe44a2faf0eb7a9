// Where a RatingSet comes from: a file of any supported format, or a generator of a known shape;
// and the cache of both.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/data/csr.h"
#include "harness/data/draw_rows.h"
#include "harness/files/file_plan.h"

namespace alsbench {

enum class Duplicates { error, last, mean, sum };

// What to load and how; the part of a problem that does not depend on rank or lambda.
struct DataRequest {
  std::string dataset;  // a name of configs/datasets ("netflix"), or empty when `path` is given
  double scale = 1.0;   // of the generated shape: rows, cols and nnz shrink together
  std::filesystem::path path;       // a user's file or folder
  std::string format;               // "" detects it from the content
  std::filesystem::path test_path;  // a separate test file; else test_fraction
  double test_fraction = 0.1;  // of a file without test_path; generated sets carry their own count
  uint64_t seed = 42;
  Duplicates duplicates = Duplicates::error;
  // Of generated sets only: every user has this many ratings and there are no test ratings (0: as
  // the specification says), and shares of users and items without any rating.
  int64_t uniform_row_length = 0;
  double empty_rows = 0;
  double empty_cols = 0;
};

// Loads or generates, compacts ids, splits, builds both orders. Throws UsageError naming file,
// line, value and remedy. `draw` is called where rows must be generated.
RatingSet load_rating_set(const DataRequest& request, const DrawRows& draw = draw_rows_on_cpu);
// The same through the binary cache (mapped): under $ALSBENCH_CACHE_DIR, else
// $XDG_CACHE_HOME/alsbench, else ~/.cache/alsbench.
RatingSet cached_rating_set(const DataRequest& request, const DrawRows& draw = draw_rows_on_cpu);

// Tells the plan what the request reads. `whose` says whose data it is where no option names it:
// "the suite".
void reads_data(FilePlan& plan, const DataRequest& request, const std::string& whose = "");

// "error", "last", "mean" or "sum"; throws UsageError.
Duplicates duplicates_named(const std::string& name);

// Names of the shipped generator specifications (configs/datasets/*.json, embedded in the binary).
std::vector<std::string> dataset_names();

}  // namespace alsbench
