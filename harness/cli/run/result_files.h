// SPDX-License-Identifier: Apache-2.0
// Output files of `alsbench run` and `merge`: as their options name them (ResultNames), and the
// files of a suite (ResultFiles).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/cli/app.h"
#include "harness/files/file_plan.h"
#include "harness/record/result.h"

namespace alsbench {

struct ResultNames {
  std::filesystem::path folder = "results/local";  // of the result, where `json` names no file
  std::string json, csv, md;                       // empty: not given; or kStdout
};

// Adds --out, --json, --csv and --md.
void add_result_options(CLI::App& command, ResultNames& names);

struct ResultFiles {
  std::filesystem::path json, benchmark_json;  // the latter for Google Benchmark's tools
  bool json_on_stdout = false;
  std::string csv, md;  // empty: not wanted; or kStdout
};

// Those of this suite's results; where the result goes to stdout, the others stand where its file
// would.
ResultFiles result_files(const ResultNames& names, const std::string& suite);
// Tells the plan of them. `of`: what messages add to a file's name, " of quick".
void writes_results(FilePlan& plan, const ResultNames& names, const ResultFiles& files,
                    const std::string& of);
// Writes all of them, and the table to stdout where nothing else goes there.
void write_results(const ResultDocument& document, const ResultFiles& files);
// Says on stderr what became of the cases, unless `quiet`. Returns an ExitCode.
int verdict_of(const std::vector<CaseRecord>& records, const ResultFiles& files, bool quiet);

}  // namespace alsbench
