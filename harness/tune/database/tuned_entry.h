// SPDX-License-Identifier: Apache-2.0
// TunedEntry: one result of tuning as the database keeps it. It says what was chosen for which
// device, shape and goal, and by how much it beat the default. It also holds the effort of the
// search and the code hash.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/algorithms/algorithms.h"
#include "harness/record/fields/fields.h"
#include "harness/record/pipeline_record.h"

namespace alsbench {

inline constexpr std::string_view kWholePipeline = "pipeline";  // TunedEntry::what

// Objective of a pick: seconds of one run, or seconds of training to an RMSE.
enum class Goal { time, time_to_target };
constexpr auto enum_names(Goal) {  // as --objective spells them
  return std::to_array<EnumName<Goal>>(
      {{Goal::time, "time"}, {Goal::time_to_target, "time-to-rmse"}});
}

// The effort of a search.
struct SearchEffort {
  std::string strategy;
  int64_t budget_evaluations = 0;  // 0: not limited
  double budget_seconds = 0;       // 0: not limited
  int64_t evaluations = 0;         // distinct configurations measured
  uint64_t seed = 0;
};

// Of a pipeline: the metric it was let through with. All of the same seed and iterations.
struct TunedAccuracy {
  std::string metric;  // its name
  int iterations = 0;
  double test = 0;       // of the test ratings; of the training ratings where there are none
  double exact = 0;      // that of the exact FP32 pipeline
  double tolerance = 0;  // test <= exact * (1 + tolerance) was asked
};

// Whose parts were tuned.
struct TunedTraining {
  std::string algorithm;
  std::string minimised;  // minimised_text() of its trainings
};

// Provenance of the measurement; empty where that is not known.
struct EntryProvenance {
  std::string time_utc;
  std::string version;
  std::string git_commit;
  std::optional<bool> git_dirty;
  std::string compiler;
  std::string cuda_toolkit, nvrtc, driver;  // null in documents where they are empty
  Json unknown = Json::object();            // fields of a newer version, written again as read
};

struct TunedEntry {
  DeviceTraits device;
  int members = 1;   // such devices, of a team
  std::string what;  // a stage "hermitian", one of its variants "hermitian/tiled", or "pipeline"
  const Algorithm* algorithm = &default_algorithm();  // whose part it is
  std::string minimised;  // minimised_text() of the trainings that it serves
  std::string part = algorithm->parts.front();
  Goal goal = Goal::time;
  Shape shape;                           // it was measured at
  std::string data;                      // name of the problem, for people: "netflix/rank:100"
  Storage storage;                       // of the pick
  std::vector<StepRecord> pick;          // of a stage, one step
  std::vector<StepRecord> default_pick;  // what it is compared with
  double median_seconds = 0;
  double default_seconds = 0;
  // Picks that could not be told from this one, itself among them.
  std::vector<std::vector<StepRecord>> ties;
  SearchEffort search;
  std::string code_hash;  // code_hash_of_steps() then
  std::optional<TunedAccuracy> accuracy;
  EntryProvenance provenance;

  double speedup_over_default() const {
    return median_seconds > 0 ? default_seconds / median_seconds : 0;
  }
};

// The shape that an entry stands for. The rank is exact. Rows, cols, nnz and mean row length are
// the whole parts of their base-2 logarithms (-1 for zero).
struct ShapeBucket {
  int32_t rank = 0;
  int rows = 0, cols = 0, nnz = 0, mean_row_length = 0;
  std::string sizes = {};    // exact, where they take the place of ratings
  std::string text() const;  // "rank:100/rows:2^18/cols:2^14/nnz:2^26/row:2^7"
  friend bool operator==(const ShapeBucket&, const ShapeBucket&) = default;
};
ShapeBucket bucket_of(const Shape& shape);

// Entries of equal keys replace each other. The key is device, members, what, algorithm with what
// it minimises, part, goal and bucket, and the storage types where `what` is no pipeline.
std::string key_of(const TunedEntry& entry);

// A file of the tuning database.
struct TunedDocument {
  std::vector<TunedEntry> entries;
};

void describe(Fields<SearchEffort>& fields);
void describe(Fields<TunedAccuracy>& fields);
void describe(Fields<TunedTraining>& fields);
void describe(Fields<EntryProvenance>& fields);
const Type& type_for(const Scalar*);
void describe(Fields<Storage>& fields);  // all but the order
void describe(Fields<TunedEntry>& fields);
void describe(Fields<TunedDocument>& fields);

// How the ties of a choice are shown to people: by the settings that differ from it. A line for
// each of `ties` except the pick itself, begun by `indent`. A tie of the same variants
// is shown as "tied with the same, but stages=3,warps=1", any other by its whole text. Empty
// without ties.
std::string ties_text(const std::vector<StepRecord>& pick,
                      const std::vector<std::vector<StepRecord>>& ties, const std::string& indent);

}  // namespace alsbench
