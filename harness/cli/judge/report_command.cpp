// SPDX-License-Identifier: Apache-2.0
// `alsbench report`: result files as one HTML page.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "harness/cli/commands.h"
#include "harness/cli/output.h"
#include "harness/files/file_plan.h"
#include "harness/process/exit_code.h"
#include "harness/report/report.h"
#include "harness/sweep/rates.h"

namespace alsbench {
namespace {

struct ReportOptions {
  std::vector<std::filesystem::path> files;
  std::string out = "report.html";
};

FilePlan file_plan(const ReportOptions& options) {
  FilePlan plan;
  for (const auto& path : options.files) plan.reads(path, "FILES");
  plan.writes_or_prints(options.out, "--out", content::kHtml);
  return plan;
}

int write_report(const ReportOptions& options) {
  file_plan(options).check();
  std::vector<ReportFile> files = read_report_files(options.files);
  for (ReportFile& file : files)
    if (file.kind == "run") file.document = with_shares(std::move(file.document), file.name);
  write_text(options.out, report_page(files));
  if (options.out != kStdout) fmt::print("{}\n", options.out);
  return kExitOk;
}

}  // namespace

void add_report_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      app.add_subcommand("report", "Render result files as one HTML page that works offline");
  command
      ->add_option("files", options->files,
                   "Files that alsbench wrote with --json (any kind but lists and suites)")
      ->required()
      ->type_name("FILE.json");
  command->add_option(kOutFlags, options->out, "Output file of the page, or stdout")
      ->capture_default_str()
      ->type_name("F");
  result.runs(*command, [options] { return write_report(*options); });
}

}  // namespace alsbench
