// SPDX-License-Identifier: Apache-2.0
// Results and comparisons in the formats of other tools, one file a format in this folder.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/record/comparison_record.h"
#include "harness/record/result.h"
#include "harness/record/tables.h"

namespace alsbench {

using ResultWriter = std::string (*)(const ResultDocument& result);
using ComparisonWriter = std::string (*)(const ComparisonDocument& document);

struct ExportFormat {
  std::string_view name;     // as --format takes it
  std::string_view summary;  // one line for --help
  ResultWriter result = nullptr;
  ComparisonWriter comparison = nullptr;  // null: the format has no place for a comparison
  bool only_timed = false;                // rows without a time are left out
};

const std::vector<ExportFormat>& export_formats();
// Throws UsageError naming the nearest format.
const ExportFormat& export_format(const std::string& name);

// Extensions of the format by to_gbench, for alsbench's own reader: context keys with this prefix
// are the environment that must agree, and labels say "device=0" and "ceiling=<kind>".
inline constexpr std::string_view kContextPrefix = "alsbench ";
inline constexpr std::string_view kDeviceLabel = "device=", kCeilingLabel = "ceiling=";

// Google Benchmark's JSON: an `iteration` entry a sample, all of one name, so its compare.py pairs
// and tests them. cpu_time is the host's time of the sample. Clock and caches of the host are not
// in a result: they are written as unknown (0, none).
std::string to_gbench(const ResultDocument& result);
// nvbench's JSON 1.0.0: a benchmark a variant, a state a case named like the case, both cache modes
// as summaries. CPU cases have their wall time where GPU time is meant.
std::string to_nvbench(const ResultDocument& result);
// kernel_tuner's T4 1.0.0; times in milliseconds.
std::string to_t4(const ResultDocument& result);
// One evaluation of it: of a case, or of a point of a tuning.
struct T4Evaluation {
  Json configuration = Json::object();
  Outcome outcome = Outcome::ok;
  double seconds = std::numeric_limits<double>::quiet_NaN();  // the objective
  std::vector<double> runtimes = {};                          // seconds of each execution
  double compile_seconds = 0, measure_seconds = 0, prepare_seconds = 0, verify_seconds = 0;
  std::vector<std::pair<std::string, double>> metrics = {};
};
std::string t4_document(const std::vector<T4Evaluation>& evaluations, const std::string& time_utc);
// github-action-benchmark's customSmallerIsBetter: medians in ms.
std::string to_github_action(const ResultDocument& result);
// Bencher Metric Format: `latency` in ns (median, quartiles as bounds); trainings have `test-rmse`.
std::string to_bencher(const ResultDocument& result);
// JUnit XML: a test a row; what failed is a failure, what was skipped is skipped.
std::string to_junit(const ResultDocument& result);
struct JunitSuite {
  std::string name, time_utc = {};  // no time: ""
  std::string elements = {};        // a testcase each
  int64_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
};
std::string junit_document(const JunitSuite& suite);
// GitHub's workflow commands: an error for each row that failed.
std::string to_annotations(const ResultDocument& result);
// A line of them: `level` is "error" or "warning".
std::string annotation(std::string_view level, const std::string& title, const std::string& text);
// For people: the verdict, what all rows have in common, and a row each, failures first; of at most
// so many bytes.
std::string markdown_summary(const ResultDocument& result, size_t bytes);
// The same for job summaries and comments on pull requests.
std::string to_markdown_summary(const ResultDocument& result);
inline constexpr size_t kSummaryBytes = 60'000;  // their hosts cut or refuse longer texts
// `head`, then as many rows as fit `bytes`, then how many do not.
std::string markdown_within(const std::string& head, Table table, size_t bytes);

// Comparisons. JUnit: a regression is a failure, what failed or vanished an error, what stayed
// undecided skipped. Annotations: errors for the former, warnings for the latter. Bencher:
// `latency` of the test side and `time-ratio`, test / base.
std::string comparison_to_junit(const ComparisonDocument& document);
std::string comparison_to_annotations(const ComparisonDocument& document);
std::string comparison_to_bencher(const ComparisonDocument& document);
std::string comparison_to_csv(const ComparisonDocument& document);
std::string comparison_to_markdown(const ComparisonDocument& document);

// Bencher takes names of up to 1024 characters: a longer one ends with the hash of the whole.
std::string bencher_name(const std::string& name);

}  // namespace alsbench
