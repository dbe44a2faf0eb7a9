// SPDX-License-Identifier: Apache-2.0
// The algorithms of this build: an explicit list. A new one has a folder here, a function below,
// and a line in algorithms.cpp.
#pragma once

#include <string_view>
#include <vector>

#include "harness/train/algorithm.h"

namespace alsbench {

Algorithm als();
Algorithm implicit_als();
Algorithm sgd();
Algorithm ccd();

// The objection to a rating below 0, of implicit_als() and for its models, with the remedy.
inline constexpr const char* kCountsFrom0 =
    "implicit feedback counts what users did, from 0 on: shift the ratings or leave such cells out";

// The first is what is trained where nothing else is said. Live as long as the program.
const std::vector<Algorithm>& all_algorithms();
const Algorithm& default_algorithm();
// Throws UsageError with the nearest valid name.
const Algorithm& algorithm_named(std::string_view name);
// The first that takes ratings for that. Throws UsageError with the nearest valid name.
const Algorithm& algorithm_of_feedback(std::string_view feedback);
// Whether its pipelines are searched: those of the first for its feedback are.
bool is_tuned(const Algorithm& algorithm);
// The parts whose pipelines may have the stage; of a stage that is in none, those of the default
// algorithm.
std::vector<std::string> parts_with(Stage stage);
// The parts, the metrics and the kinds of feedback of all algorithms, each once.
std::vector<std::string> all_parts();
std::vector<std::string> all_metrics();
std::vector<std::string> all_feedback();

}  // namespace alsbench
