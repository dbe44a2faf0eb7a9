// SPDX-License-Identifier: Apache-2.0
// ResultFiles: where a command leaves the results of a run, and how: `alsbench run` and `merge`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/files/file_plan.h"
#include "harness/record/result.h"

namespace alsbench {

struct ResultFiles {
  std::filesystem::path json, benchmark_json;  // the latter for Google Benchmark's tools
  bool json_on_stdout = false;
  std::string csv, md;  // empty: not wanted; or kStdout
};

// The file in Google Benchmark's format that stands beside a result.
std::filesystem::path benchmark_json_beside(const std::filesystem::path& json);
// Writes all of them, and the table to stdout where nothing else goes there.
void write_results(const ResultDocument& document, const ResultFiles& files);
// Says on stderr what became of the cases, unless `quiet`. Returns an ExitCode.
int verdict_of(const std::vector<CaseRecord>& records, const ResultFiles& files, bool quiet);

}  // namespace alsbench
