// SPDX-License-Identifier: Apache-2.0
// TrainSpec: the training runs of a suite, one for each combination of the values of its axes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/sweep/suite/axis.h"
#include "harness/sweep/suite/suite_document.h"
#include "harness/train/algorithm.h"

namespace alsbench {

// In place of a configuration or a pipeline: the tuning database chooses it.
inline constexpr std::string_view kTunedText = "tuned";

// In place of a pipeline: what the database chooses as if this very shape had not been tuned, and
// the default, as if nothing had.
inline constexpr std::string_view kNeighbourText = "neighbour", kDefaultText = "default";
// Whether a text stands for a choice.
bool is_choice(std::string_view text);

// The pipelines of a recipe by part: text forms or names of presets, or what stands for a choice.
// They may hold {axis} placeholders.
using PipelineTexts = std::map<std::string, std::string>;

// Training runs: the metric over time, once for each combination of the axes.
struct TrainSpec {
  std::string name;  // may hold {axis} placeholders
  const Algorithm* algorithm = nullptr;
  Config hyper;  // of the algorithm, all of them
  std::map<Backend, PipelineTexts> pipelines;
  std::vector<Axis> axes;
  int iterations = 10;
  std::optional<double> target;  // of the test metric
};

// `text` with every {name} of the values replaced.
std::string fill_placeholders(std::string text,
                              const std::vector<std::pair<std::string, std::string>>& values);

// Of an entry that stands at `json`, where all errors go.
TrainSpec train_of(const TrainEntry& entry, const JsonField& json);
// Of two training runs of one name on a backend only the first would be run: an error.
void check_train_names(const std::vector<TrainSpec>& train, const std::vector<JsonField>& elements);

}  // namespace alsbench
