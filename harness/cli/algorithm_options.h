// SPDX-License-Identifier: Apache-2.0
// Options that choose an algorithm and its hyper-parameters, and what is made of them.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "harness/algorithms/algorithms.h"
#include "harness/cli/app.h"

namespace alsbench {

struct AlgorithmOptions {
  std::string algorithm;  // empty: that of `feedback`
  std::string feedback = default_algorithm().feedback;
  std::string hyper;
  std::string alpha;                                     // as in hyper
  std::map<std::string, std::optional<double>> targets;  // by metric
};

// --feedback, --hyper and --alpha.
void add_feedback_options(CLI::App& command, AlgorithmOptions& options);
// Those and --algorithm.
void add_algorithm_options(CLI::App& command, AlgorithmOptions& options);
void add_target_options(CLI::App& command, AlgorithmOptions& options);

const Algorithm& algorithm_of(const AlgorithmOptions& options);
// The algorithm's hyper-parameters. Throws UsageError that names the option.
Config hyper_of(const AlgorithmOptions& options);
// The target of the algorithm's metric. Throws UsageError for one of another's.
std::optional<double> target_of(const AlgorithmOptions& options);

}  // namespace alsbench
