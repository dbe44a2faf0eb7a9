// SPDX-License-Identifier: Apache-2.0
// Options of `alsbench train`, and the training that they ask for.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/algorithm_options.h"
#include "harness/cli/progress/progress_report.h"
#include "harness/cli/train/keep_options.h"
#include "harness/data/data_request.h"
#include "harness/device/device_selection.h"
#include "harness/train/checkpoint.h"

namespace alsbench {

struct TrainCommandOptions {
  DataRequest data;
  std::string device = kAutoDevice;
  std::optional<int64_t> device_memory;  // bytes
  AlgorithmOptions algorithm;
  std::string pipeline;
  std::map<std::string, std::string> pipelines;  // by part
  std::string database;
  bool no_tuned = false, dry_run = false;
  int rank = 100;
  std::optional<float> lambda;
  int iterations = 10;
  KeepOptions keep;
  CheckpointOptions checkpoint;
  std::vector<std::string> search;
  int search_seeds = 1;
  std::string out;
  ProgressOptions progress;
};

// Without the pipelines that no option names.
TrainOptions train_options(const TrainCommandOptions& options, Backend backend);

}  // namespace alsbench
