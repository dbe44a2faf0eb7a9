// SPDX-License-Identifier: Apache-2.0
// Options of `alsbench train`, and the training that they ask for.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/algorithm_options.h"
#include "harness/cli/progress/progress_report.h"
#include "harness/data/csr.h"
#include "harness/data/data_request.h"
#include "harness/device/device_selection.h"
#include "harness/train/checkpoint.h"
#include "harness/train/train.h"

namespace alsbench {

struct KeepOptions {
  std::string keep;    // best or last; empty: the best with early_stop, else the last
  int early_stop = 0;  // 0: never
};

void add_keep_options(CLI::App& command, KeepOptions& options);

Keep keep_of(const KeepOptions& options);
// Throws UsageError where there are no test ratings to judge iterations by.
void check_keep(const KeepOptions& options, const RatingSet& set);
// On stderr: why the training ended before its last iteration, and which iteration the model is of,
// where it is not the last one.
void print_kept_iteration(const TrainOptions& train, const TrainResult& result);

struct TrainCommandOptions {
  DataRequest data;
  std::string device = kAutoDevice;
  std::optional<int64_t> device_memory;  // bytes
  AlgorithmOptions algorithm;
  std::string pipeline;
  std::map<std::string, std::string> pipelines;  // by part
  std::string database;
  bool no_tuned = false, dry_run = false, energy = false;
  int rank = 100;
  std::optional<float> lambda;
  int iterations = 10;
  KeepOptions keep;
  CheckpointOptions checkpoint;
  std::vector<std::string> search;
  int search_seeds = 1;
  std::string search_by;           // of rankings; empty: the test metric
  std::optional<double> relevant;  // of rankings
  std::string out;
  ProgressOptions progress;
};

// Without the pipelines that no option names.
TrainOptions train_options(const TrainCommandOptions& options,
                           const std::function<Backend()>& backend);

}  // namespace alsbench
