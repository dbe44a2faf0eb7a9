// SPDX-License-Identifier: Apache-2.0
// Readers of other tools' files: JSON of Google Benchmark and of nvbench as a side of a comparison.
// A file is one launch, however many repetitions it has.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/judge/comparison_input.h"

namespace alsbench {

// The text with null in the place of the bare NaN and Infinity that Google Benchmark writes, which
// are no JSON.
std::string without_bare_numbers(std::string_view text);

// Nothing where `json` is of neither tool. Throws UsageError naming `source` when it is damaged or
// holds no benchmark.
std::optional<ComparisonInput> foreign_input_of(const Json& json, const std::string& source);

// Google Benchmark: one case per name, with the median of its `iteration` entries. Aggregates count
// only for a benchmark that has nothing else (its median, else its mean).
ComparisonInput gbench_input_of(const JsonField& json, const std::string& source);

// nvbench: a case a state and cache mode, named benchmark/state/cold and .../hot; the median where
// the file has one, else the mean.
ComparisonInput nvbench_input_of(const JsonField& json, const std::string& source);

// A benchmark without a time is not compared, and the others of its file are.
void refuse_time(ComparisonCase& c);

// Gives the states of one side the names that the other side has, where only that one was measured
// on several devices: its names end with the device.
void align_devices(ComparisonInput& base, ComparisonInput& test);

// The text of a member of `json`; empty where there is none.
std::string text_in(const JsonField& json, const char* key);

}  // namespace alsbench
