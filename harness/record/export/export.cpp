// SPDX-License-Identifier: Apache-2.0
#include "harness/record/export/export.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggestion.h"
#include "harness/record/full_table.h"

namespace alsbench {
namespace {

std::string csv_of(const ResultDocument& result) { return to_csv(full_table(result)); }

}  // namespace

const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> formats{
      {"gbench", "Google Benchmark JSON", to_gbench, nullptr, true},
      {"nvbench", "nvbench JSON 1.0.0", to_nvbench, nullptr, false},
      {"t4", "kernel_tuner T4 1.0.0", to_t4, nullptr, false},
      {"github-action", "github-action-benchmark, customSmallerIsBetter", to_github_action, nullptr,
       true},
      {"bencher", "Bencher Metric Format", to_bencher, comparison_to_bencher, true},
      {"junit", "JUnit XML", to_junit, comparison_to_junit, false},
      {"github-annotations", "lines that GitHub shows with a job", to_annotations,
       comparison_to_annotations, false},
      {"csv", "CSV, SI units", csv_of, comparison_to_csv, false},
      {"markdown", "Markdown below 60 kB", to_markdown_summary, comparison_to_markdown, false},
  };
  return formats;
}

const ExportFormat& export_format(const std::string& name) {
  const auto& formats = export_formats();
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [&](const ExportFormat& format) { return format.name == name; });
  if (found != formats.end()) return *found;
  std::vector<std::string> names;
  for (const ExportFormat& format : formats) names.emplace_back(format.name);
  throw UsageError("--to: " + unknown_name("format", name, names));
}

}  // namespace alsbench
