// SPDX-License-Identifier: Apache-2.0
// Readers of other tools' files as a side of a comparison: JSON of Google Benchmark, nvbench,
// pyperf, pytest-benchmark and hyperfine, and numbers at named places of any JSON. A file is one
// launch, however many repetitions it has; of pyperf's a run is one, since it is a process.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/judge/comparison_input.h"

namespace alsbench {

enum class ForeignFormat { google_benchmark, nvbench, pyperf, pytest_benchmark, hyperfine, json };
constexpr auto enum_names(ForeignFormat) {
  return std::to_array<EnumName<ForeignFormat>>(
      {{ForeignFormat::google_benchmark, "google-benchmark"},
       {ForeignFormat::pytest_benchmark, "pytest-benchmark"}});
}

// Where numbers stand in a JSON document, and what they are.
struct ValuePath {
  std::string pointer = {};  // RFC 6901: "/latency/mean"
  Quantity quantity = {};
  double seconds = 0;  // of its unit; 0: it is no unit of time
};

// "/latency/mean:ms", "/throughput:MB/s:higher". Throws UsageError that says how one is written.
ValuePath value_path_of(const std::string& text);

// How a file is read: its format, or nothing where the content says it.
struct ForeignReader {
  std::optional<ForeignFormat> format = {};
  std::vector<ValuePath> values = {};  // of ForeignFormat::json
  std::filesystem::path folder = {};   // where files lie that the file names; empty: nowhere
  bool may_be_empty = false;           // a file without a benchmark is no damage
};

// The text with quotes around the bare NaN and Infinity that Google Benchmark and Python write,
// which are no JSON.
std::string without_bare_numbers(std::string_view text);

// Nothing where `json` is of no such tool. Throws UsageError naming `source` when it is damaged or
// holds no benchmark.
std::optional<ComparisonInput> foreign_input_of(const Json& json, const std::string& source,
                                                const ForeignReader& reader = {});

// Google Benchmark: one case per name, with the median of its `iteration` entries. Aggregates count
// only for a benchmark that has nothing else (its median, else its mean).
ComparisonInput gbench_input_of(const JsonField& json, const std::string& source);

// nvbench: a case a state and cache mode, named benchmark/state/cold and .../hot; the median where
// the file has one, or a file of samples that `--jsonbin` wrote is in `folder`; else the mean,
// which its quantity says. Throws UsageError where a file of samples is damaged.
ComparisonInput nvbench_input_of(const JsonField& json, const std::string& source,
                                 const std::filesystem::path& folder = {});

// pyperf: a case a benchmark, whose launches are its runs with values, each the median of them.
ComparisonInput pyperf_input_of(const JsonField& json, const std::string& source);

// pytest-benchmark: a case a test with its file, the median of its rounds.
ComparisonInput pytest_input_of(const JsonField& json, const std::string& source);

// hyperfine: a case a command, the median of its times. Commands of one name are told apart by
// their parameters.
ComparisonInput hyperfine_input_of(const JsonField& json, const std::string& source);

// Throws UsageError naming the place that is not there.
void require_values(const Json& json, const std::string& source,
                    const std::vector<ValuePath>& values);
// A case a place, which is there: a number, or the median of an array of numbers. An object there
// has a case a member.
ComparisonInput values_input_of(const JsonField& json, const std::string& source,
                                const std::vector<ValuePath>& values);

// Seconds of a unit of time: s, ms, us or ns. Nothing of another.
std::optional<double> seconds_of_unit(std::string_view unit);

// One launch of these samples, of which there is one at least: their median.
Launch launch_of(std::vector<double> costs);
// One launch of several, of which there is one at least: the median of theirs.
Launch joined(const std::vector<Launch>& launches);

// A benchmark without a time above 0 is not compared, and the others of its file are. `where` is
// the time that it has, or an empty text.
void refuse_time(ComparisonCase& c, const std::string& where = "");

// The statistic of times that are not compared with medians.
inline constexpr const char* kMean = "mean";

// A finite number. Throws FieldError that names the benchmark and what stands there in its place.
double number_of(const JsonField& json, const std::string& benchmark);

// Seconds, or 0 of what was too short for its tool to measure.
double seconds_or_0(const JsonField& time, const std::string& benchmark);

// Gives the states of one side the names that the other side has, where only that one was measured
// on several devices: its names end with the device.
void align_devices(ComparisonInput& base, ComparisonInput& test);

// The time that a date without a zone is.
enum class WithoutZone { unknown, utc, local };

// "2026-11-29T06:30:08.5+02:00" as "2026-11-29T04:30:08Z"; "" where it is of another form. A blank
// may stand in the place of the T.
std::string utc_of(const std::string& date, WithoutZone without = WithoutZone::unknown);

// A text as it is, another value as JSON.
std::string text_or_json(const JsonField& json);

// The text of a member of `json`; empty where there is none.
std::string text_in(const JsonField& json, const char* key);

}  // namespace alsbench
