// SPDX-License-Identifier: Apache-2.0
// TrainRequest: what `alsbench train` is asked for, and what a training is told of it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/algorithm_options.h"
#include "harness/cli/progress/progress_report.h"
#include "harness/cli/train/checkpoint.h"
#include "harness/cli/train/keep_options.h"
#include "harness/cli/tune/tuned.h"
#include "harness/data/data_request.h"
#include "harness/device/device_selection.h"
#include "harness/train/train.h"

namespace alsbench {

struct TrainRequest {
  DataRequest data;
  std::string device = kAutoDevice;
  std::optional<int64_t> device_memory;  // bytes
  AlgorithmOptions algorithm;
  std::string pipeline;
  std::map<std::string, std::string> pipelines;  // by part
  std::string database;
  bool no_tuned = false;
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

// All but the pipelines that no option names.
TrainOptions train_options(const TrainRequest& options, Backend backend);

// Fills those in: the defaults, or what the tuning database says. The answer, and one line, say
// where those of the database come from.
TunedOrigins choose_pipelines(const TrainRequest& options, const RatingSet& set, const Team& team,
                              TrainOptions& train);

}  // namespace alsbench
