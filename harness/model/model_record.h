// SPDX-License-Identifier: Apache-2.0
// ModelRecord: the document record.json of a model's folder: what was trained, on what and how, and
// what proves the other files. SavedModelRecord: the same of a model that Python saved.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "harness/model/model.h"
#include "harness/model/model_files.h"
#include "harness/model/prediction.h"
#include "harness/record/case_record.h"
#include "harness/record/provenance.h"

namespace alsbench {

struct TrainedOn {
  Backend backend = Backend::cpu;
  std::string name;
};

struct TrainedData {
  DataRecord data;
  double mean = 0;  // of the training ratings
};

struct TrainedOptions : RecipeRecord {
  int64_t rank = 0;
  double lambda = 0;
  int64_t iterations = 0;
  uint64_t seed = 0;
  std::string keep;
  std::optional<int64_t> early_stop;
};

// Time before the first iteration, in seconds of the host's clock.
struct StartSeconds {
  double device = 0;     // waiting for it, which opens while a file is read
  double load = 0;       // of the ratings, to where they are mapped or in memory
  double pipelines = 0;  // choosing them
  double upload = 0;     // of the ratings to the device
  double prepare = 0;    // compilation, allocation, warm-up

  double total() const { return device + load + pipelines + upload + prepare; }
};

// Values of a candidate that replace the usual ones: {"lambda": "0.05", "rank": "32"}.
using SearchedValues = std::vector<std::pair<std::string, std::string>>;

struct SearchTrial {
  SearchedValues values;
  int iterations = 0;
  double test_metric = 0;        // of the search; NaN where a training left the finite numbers
  std::vector<double> of_seeds;  // empty of one seed
};

struct SearchRecord {
  std::string metric;  // which judged the trials; empty: that of the training
  std::optional<double> relevant_from;
  std::optional<SearchedValues> best;
  std::vector<SearchTrial> trials;
};

// Rows of a side that were made of ratings without the rest of a training.
struct FoldInRecord {
  std::string data;  // the ratings' file
  std::string side;  // users or items
  int64_t ratings = 0;
  int64_t added = 0;  // rows after the last one; others were there
  int64_t replaced = 0;
};

struct ModelRecord {
  Provenance provenance;
  TrainedOn device;
  TrainedData data;
  TrainedOptions options;
  Prediction prediction;
  std::optional<SearchRecord> search;
  TunedOrigins tuned;
  StartSeconds start_seconds;
  double setup_seconds = 0;
  int64_t transferred_ratings = 0;
  int64_t peak_device_bytes = 0;
  int64_t kept_iteration = 0;
  bool stopped_early = false;
  bool reached_target = false;
  int64_t failed_rows = 0;
  int64_t overflows = 0;
  std::optional<TeamRecord> team;
  TrainingEnergy energy;
  std::vector<IterationRecord> iterations;
  std::vector<FoldInRecord> fold_ins;
  std::vector<FileProof> files;

  int64_t& rows(bool of_users) { return of_users ? data.data.users : data.data.items; }
};

inline constexpr const char* kSavedModelKind = "model";

// Of factors whose training has no record here: another library's, or an estimator's of Python.
struct SavedModelRecord {
  Provenance provenance;  // of the saving
  std::string source;     // what made the factors: "alsbench.ALS"
  int64_t users = 0, items = 0, rank = 0;
  std::optional<ModelObjective> objective;  // where the source says it
  Prediction prediction;
  std::vector<FoldInRecord> fold_ins;
  std::vector<FileProof> files;

  int64_t& rows(bool of_users) { return of_users ? users : items; }
};

using AnyModelRecord = std::variant<ModelRecord, SavedModelRecord>;

// Throws UsageError that names the file, what is wrong with it and the remedy.
AnyModelRecord read_model_record(const std::filesystem::path& folder);

void describe(Fields<TrainedOn>& fields);
void describe(Fields<TrainedData>& fields);
void describe(Fields<TrainedOptions>& fields);
void describe(Fields<StartSeconds>& fields);
void describe(Fields<SearchTrial>& fields);
void describe(Fields<SearchRecord>& fields);
void describe(Fields<FoldInRecord>& fields);
void describe(Fields<ModelRecord>& fields);
void describe(Fields<SavedModelRecord>& fields);

}  // namespace alsbench
