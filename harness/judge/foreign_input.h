// SPDX-License-Identifier: Apache-2.0
// Readers of other tools' files: JSON of Google Benchmark and of nvbench as a side of a comparison.
// A file is one launch, however many repetitions it has.
#pragma once

#include <optional>
#include <string>

#include "harness/judge/comparison_input.h"

namespace alsbench {

// Nothing where `json` is of neither tool. Throws UsageError naming `source` when it is damaged or
// holds no benchmark.
std::optional<ComparisonInput> foreign_input_of(const Json& json, const std::string& source);

// Google Benchmark: one case per name, with the median of its `iteration` entries. Aggregates count
// only for a benchmark that has nothing else (its median, else its mean).
ComparisonInput gbench_input_of(const JsonField& json, const std::string& source);

// nvbench: a case a state and cache mode, named benchmark/state/cold and .../hot; the median where
// the file has one, else the mean.
ComparisonInput nvbench_input_of(const JsonField& json, const std::string& source);

// The text of a member of `json`; empty where there is none.
std::string text_in(const JsonField& json, const char* key);

}  // namespace alsbench
