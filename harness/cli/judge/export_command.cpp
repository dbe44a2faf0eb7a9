// SPDX-License-Identifier: Apache-2.0
// `alsbench export`: a result or comparison file in the format of another tool.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/error.h"
#include "base/message.h"
#include "harness/cli/commands.h"
#include "harness/cli/output.h"
#include "harness/cli/tune/tuning_export.h"
#include "harness/files/file_plan.h"
#include "harness/files/strict_json.h"
#include "harness/process/exit_code.h"
#include "harness/record/export/export.h"
#include "harness/record/tables.h"
#include "harness/sweep/rates.h"

namespace alsbench {
namespace {

struct ExportOptions {
  std::string file, format, out = "stdout";
  bool quiet = false;
};

FilePlan file_plan(const ExportOptions& options) {
  FilePlan plan;
  plan.reads(options.file, "FILE");
  plan.writes_or_prints(options.out, "--out");
  return plan;
}

[[noreturn]] void refuse_format(const ExportOptions& options, const char* what,
                                const std::vector<std::string>& fit) {
  throw UsageError(fmt::format("{}: is a {}, which {} cannot represent; export it with --to {}",
                               options.file, what, options.format, fmt::join(fit, ", ")));
}

std::vector<std::string> formats_of_comparisons() {
  std::vector<std::string> names;
  for (const ExportFormat& format : export_formats())
    if (format.comparison != nullptr) names.emplace_back(format.name);
  return names;
}

std::string exported(const Json& json, const ExportFormat& format, const ExportOptions& options) {
  if (text_at(json, "kind") == "comparison") {
    if (format.comparison == nullptr)
      refuse_format(options, "comparison", formats_of_comparisons());
    return format.comparison(comparison_from_json(json, options.file));
  }
  if (const std::string kind = text_at(json, "kind");
      (kind == "tuning" || kind == "pipeline-tuning") && format.name != "t4")
    refuse_format(options, "tuning", {"t4"});
  if (const auto tuning = tuning_to_t4(json, options.file)) return *tuning;
  ResultDocument result = result_from_json(json, options.file);
  add_shares(result.cases, result.devices);  // of today's definition, whatever the file's version
  const auto rows = rows_of(result.cases);
  const auto left_out = std::count_if(rows.begin(), rows.end(), [](const ResultRow& row) {
    return !row.timed() && !row.trained();
  });
  if (format.only_timed && left_out > 0 && !options.quiet)
    print_message("{} of {} rows have no time and are omitted\n", left_out, rows.size());
  return format.result(result);
}

int export_file(const ExportOptions& options) {
  if (std::filesystem::exists(std::filesystem::path(options.file) / "record.json"))
    throw UsageError(fmt::format(
        "export: {} is a model, whose factors the alsbench of the Python package exports: pip "
        "install 'alsbench[arrow]', then python -m alsbench export with the same options",
        options.file));
  const ExportFormat& format = export_format(options.format);
  file_plan(options).check();
  const std::string text = exported(read_json(options.file), format, options);
  write_text(options.out, text);
  return kExitOk;
}

}  // namespace

void add_export_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<ExportOptions>();
  std::string formats;
  for (const ExportFormat& format : export_formats())
    formats += fmt::format("{}{} ({})", formats.empty() ? "" : ", ", format.name, format.summary);
  CLI::App* command = app.add_subcommand(
      "export", "Write a result, comparison or tuning in the format of another tool");
  command->add_option("file", options->file, "A result, a comparison, or a tuning (t4)")
      ->required()
      ->type_name("FILE.json");
  command->add_option("--to", options->format, "One of: " + formats)->required();
  command->add_option(kOutFlags, options->out, "File, or stdout")
      ->capture_default_str()
      ->type_name("F");
  add_quiet_option(*command, options->quiet);
  result.runs(*command, [options] { return export_file(*options); });
}

}  // namespace alsbench
