// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/run/result_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>

#include "base/message.h"
#include "harness/cli/output.h"
#include "harness/cli/run/run_table.h"
#include "harness/custom/load.h"
#include "harness/process/exit_code.h"
#include "harness/record/export/export.h"
#include "harness/record/full_table.h"

namespace alsbench {

void add_result_options(CLI::App& command, ResultNames& names) {
  add_folder_option(command, names.folder, "Folder of the results");
  add_form_option(command, "--json", names.json, "the result as JSON");
  add_form_option(command, "--csv", names.csv, "the table as CSV");
  add_form_option(command, "--md", names.md, "its outcome and table as Markdown");
}

ResultFiles result_files(const ResultNames& names, const std::string& suite) {
  ResultFiles files;
  files.json_on_stdout = names.json == kStdout;
  files.json = names.json;
  if (names.json.empty() || files.json_on_stdout) files.json = names.folder / (suite + ".json");
  files.benchmark_json = files.json;  // is next to it
  files.benchmark_json.replace_extension(".gbench.json");
  files.csv = names.csv;
  files.md = names.md;
  return files;
}

void writes_results(FilePlan& plan, const ResultNames& names, const ResultFiles& files,
                    const std::string& of) {
  if (names.json.empty())
    plan.writes(files.json, "the result" + of, content::kJson);
  else
    plan.writes_or_prints(names.json, "--json", content::kJson);
  plan.writes_or_prints(names.csv, "--csv", content::kCsv);
  plan.writes_or_prints(names.md, "--md", content::kMarkdown);
  plan.writes(files.benchmark_json, "the Google Benchmark file" + of);
}

void write_results(const ResultDocument& document, const ResultFiles& files) {
  write_text(files.json_on_stdout ? kStdout : files.json.string(), text_of(to_json(document)));
  write_text(files.benchmark_json.string(), to_gbench(document));
  write_text(files.md, markdown_summary(document, std::numeric_limits<size_t>::max()));
  write_text(files.csv, to_csv(full_table(document)));
  if (!files.json_on_stdout && files.md != kStdout && files.csv != kStdout)
    fmt::print("{}", run_table(document.cases, document.suite.sampling.min_samples));
  flush_output();  // before the verdict on stderr
}

namespace {

// A source of the user's that does not compile: the input is wrong, not the machine or a case.
bool is_broken_source(const CaseRecord& record) {
  const std::vector<std::string> custom = custom::kernel_names();
  return record.outcome == Outcome::compile_error &&
         std::find(custom.begin(), custom.end(), record.stage) != custom.end();
}

}  // namespace

int verdict_of(const std::vector<CaseRecord>& records, const ResultFiles& files, bool quiet) {
  int64_t ok = 0, failures = 0, skipped = 0, broken = 0;
  for (const CaseRecord& record : records) {
    if (record.role == Role::ceiling) continue;
    const Outcome outcome = record.outcome;
    ++(outcome == Outcome::ok ? ok : outcome == Outcome::skipped ? skipped : failures);
    broken += is_broken_source(record) ? 1 : 0;
  }
  if (!quiet)
    print_message("{} cases ok, {} failed, {} skipped; results in {}\n", ok, failures, skipped,
                  files.json_on_stdout ? kStdout : files.json.string());
  if (failures > 0) return broken == failures ? kExitUsage : kExitCasesFailed;
  if (ok == 0) {
    const auto first = std::ranges::find_if(
        records, [](const CaseRecord& record) { return record.role != Role::ceiling; });
    print_message("alsbench: nothing could run here; the first reason: {}\n",
                  first == records.end() ? "" : text_or_null(first->detail).dump());
    return kExitEnvironment;
  }
  return kExitOk;
}

}  // namespace alsbench
