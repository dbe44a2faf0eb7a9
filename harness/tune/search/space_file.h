// SPDX-License-Identifier: Apache-2.0
// SpaceFile: a search space, a strategy and a budget as JSON, in kernel_tuner's T1 input format:
// ConfigurationSpace, Search, Budget. Format: docs/explanation/tuning.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/tune/space/search_space.h"

namespace alsbench {

struct SpaceFile {
  std::vector<Axis> axes;                                     // TuningParameters
  std::vector<std::vector<std::string>> tied;                 // Tied
  std::vector<Condition> conditions;                          // Conditions
  std::vector<std::pair<std::string, std::string>> defaults;  // Default of TuningParameters
  std::optional<std::string> strategy;                        // Search
  std::optional<uint64_t> seed;
  std::optional<int64_t> evaluations;  // Budget: ConfigurationCount
  std::optional<double> seconds;       // Budget: TuningDuration
};

// Throws UsageError that lists every error with its JSON pointer.
SpaceFile parse_space_file(const std::string& text, const std::string& source);

// Throws UsageError that lists, each with its JSON pointer, what no variant of the list has.
void check_space_file(const SpaceFile& file, const std::vector<const Variant*>& variants,
                      const std::string& source);

}  // namespace alsbench
