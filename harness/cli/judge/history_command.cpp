// SPDX-License-Identifier: Apache-2.0
// `alsbench history`: adds a result to an append-only folder, or looks for shifts in it.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "base/message.h"
#include "harness/cli/commands.h"
#include "harness/cli/judge/comparison_output.h"
#include "harness/cli/output.h"
#include "harness/cli/share_option.h"
#include "harness/cli/text_table.h"
#include "harness/cli/validators.h"
#include "harness/files/file_plan.h"
#include "harness/files/gzip.h"
#include "harness/files/strict_json.h"
#include "harness/judge/history_shifts.h"
#include "harness/process/exit_code.h"
#include "harness/record/escape.h"
#include "harness/record/provenance.h"

namespace alsbench {
namespace {

struct HistoryOptions {
  std::string folder, add, accepted, today;
  RunOrigin origin;  // of a file of another tool
  ReaderOptions reader;
  ChangeRules rules;
  double bound = 0.01;
  OutputOptions output;
};

// --add gives its file a name that no other file of the folder has.
FilePlan file_plan(const HistoryOptions& options) {
  FilePlan plan;
  plan.reads_folder(options.folder, "DIR", ".json");
  plan.reads(options.accepted, "--accepted");
  writes_output(plan, options.output);
  return plan;
}

std::string change_text(double ratio) { return fmt::format("{:+.2f}%", 100 * (ratio - 1)); }

// "creep: +4.07% in all since 2026-01-06T12:00:00Z, over 55 runs, in steps each below the bound"
std::string creep_text(const Shift& shift, const HistorySeries& series,
                       const std::vector<HistoryRun>& runs) {
  return fmt::format("creep: {} in all since {}, over {} runs, in steps each below the bound",
                     change_text(shift.ratio), runs[series.runs[shift.at - 1]].time_utc,
                     *shift.creep_last - shift.at + 1);
}

std::pair<ShiftState, std::string> state_of(const Shift& shift, const AcceptedShift* accepted,
                                            const std::string& today) {
  if (!shift.slower()) return {ShiftState::faster, ""};
  if (accepted == nullptr) return {ShiftState::alarm, ""};
  if (expired(*accepted, today))
    return {ShiftState::expired,
            fmt::format("accepted until {}: {}", accepted->expires, accepted->reason)};
  return {ShiftState::accepted, fmt::format("until {}: {}", accepted->expires, accepted->reason)};
}

ShiftFinding finding_of(const Shift& shift, const HistorySeries& series,
                        const std::vector<HistoryRun>& runs,
                        const std::vector<AcceptedShift>& accepted, const std::string& today) {
  ShiftFinding finding;
  finding.series = shift.series;
  finding.run = series.runs[shift.at];
  finding.ratio = shift.ratio;
  finding.ratio_low = shift.ratio_low;
  finding.ratio_high = shift.ratio_high;
  finding.adjusted_p = shift.adjusted_p;
  std::tie(finding.state, finding.note) =
      state_of(shift, accepted_by(accepted, series, shift, runs[finding.run].time_utc), today);
  if (!shift.creep_last) return finding;
  finding.creep_last_run = static_cast<int64_t>(series.runs[*shift.creep_last]);
  finding.note =
      creep_text(shift, series, runs) + (finding.note.empty() ? "" : "; ") + finding.note;
  return finding;
}

// Of a creep the range that git knows, from the last commit before it: none is to blame alone.
std::string commits_text(const ShiftFinding& shift, const HistoryDocument& history) {
  constexpr size_t kDigits = 12;
  const auto commit = [&](size_t run) { return history.runs[run].git_commit.substr(0, kDigits); };
  if (!shift.creep_last_run) return commit(shift.run);
  const std::vector<size_t>& runs = history.series[shift.series].runs;
  const std::string before = commit(*std::prev(std::ranges::find(runs, shift.run))),
                    last = commit(static_cast<size_t>(*shift.creep_last_run));
  return before.empty() || last.empty() ? "" : fmt::format("{}..{}", before, last);
}

void print(const HistoryDocument& history) {
  if (history.shifts.empty()) return;
  TextTable table(
      {"state", "change", "from", "to", "p", "first run", "commit", "case", "device", "note"});
  for (const ShiftFinding& shift : history.shifts) {
    const HistorySeries& series = history.series[shift.series];
    const HistoryEntry& run = history.runs[shift.run];
    table.add({std::string(name_of(shift.state)), change_text(shift.ratio),
               change_text(shift.ratio_low), change_text(shift.ratio_high),
               fmt::format("{:.2g}", shift.adjusted_p), run.time_utc, commits_text(shift, history),
               series.name, series.device, shift.note});
  }
  fmt::print("{}", table.text());
}

std::string time_of_file(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return utc_now();
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(info.st_mtime));
}

// Files of another tool, each a launch.
HistoryRun run_of_folder(const ForeignReader& reader, const RunOrigin& origin) {
  const ComparisonInput input = read_comparison_input({origin.source}, reader);
  if (input.format == kOwnFormat)
    throw UsageError(fmt::format("{}: is a folder of results of alsbench; add each of its files",
                                 origin.source));
  return history_run_of(input, origin);
}

// A result, a comparison of programs, or a file of another tool or a folder of them.
HistoryRun run_of(const HistoryOptions& options) {
  RunOrigin origin = options.origin;
  origin.source = options.add;
  origin.file_time = time_of_file(options.add);
  ForeignReader reader = options.reader.reader();
  const std::filesystem::path path(options.add);
  if (std::filesystem::is_directory(path)) return run_of_folder(reader, origin);
  reader.folder = path.has_parent_path() ? path.parent_path() : ".";
  const Json json = parse_json(without_bare_numbers(document_text(options.add)), options.add);
  if (const auto foreign = foreign_input_of(json, options.add, reader))
    return history_run_of(*foreign, origin);
  if (text_at(json, "kind") == "comparison")
    return history_run_of(comparison_from_json(json, options.add), origin);
  return history_run_of(read_result(options.add), options.add);
}

int add(const HistoryOptions& options) {
  const HistoryRun run = run_of(options);
  const std::string name = add_to_history(options.folder, run);
  if (!options.output.quiet)
    print_message("{}/{}: {} cases\n", options.folder, name, run.points.size());
  return kExitOk;
}

// "22 cases have 16 runs: a shift is detectable at none of them; 21 runs are needed", a line a
// length.
void print_short_series(const ShiftSearch& search, const std::vector<HistorySeries>& series) {
  for (const ShortSeries& same : search.too_short) {
    const std::string who = same.series.size() == 1
                                ? series[same.series.front()].name + " has"
                                : fmt::format("{} cases have", same.series.size());
    const std::string where = same.first_place == 0
                                  ? "at none of them"
                                  : fmt::format("where {} to {} of them lie before it",
                                                same.first_place, same.last_place);
    print_message("{} {} run{}: a shift is detectable {}; {} runs are needed\n", printable(who),
                  same.runs, same.runs == 1 ? "" : "s", where, search.runs_needed);
  }
}

int look(const HistoryOptions& options) {
  file_plan(options).check();
  const std::vector<HistoryRun> runs = read_history(options.folder);
  std::vector<AcceptedShift> accepted;
  if (!options.accepted.empty()) accepted = read_accepted_shifts(options.accepted);
  ChangeRules rules = options.rules;
  rules.bound = options.bound;
  const std::vector<HistorySeries> series = series_of(runs);
  const ShiftSearch search = find_shifts(series, rules);
  const std::string today = options.today.empty() ? utc_now() : options.today;
  std::vector<ShiftFinding> findings;
  for (const Shift& shift : search.shifts)
    findings.push_back(finding_of(shift, series[shift.series], runs, accepted, today));
  const auto alarms = std::count_if(findings.begin(), findings.end(),
                                    [](const ShiftFinding& one) { return one.to_explain(); });
  const HistoryDocument document = document_of(runs, series, findings);
  if (!options.output.json.empty()) write_json(options.output.json, to_json(document));
  if (!options.output.json_on_stdout()) print(document);
  if (!options.output.quiet)
    print_message("{} runs, {} series, {} testable places: {} shifts, {} alarms\n", runs.size(),
                  series.size(), search.places, findings.size(), alarms);
  if (!options.output.quiet || !search.any_testable) print_short_series(search, series);
  if (alarms > 0) return kExitRegression;
  if (search.any_testable) return kExitOk;
  print_message("alsbench: no series has the {} runs that detect a shift at every place\n",
                search.runs_needed);
  return kExitEnvironment;
}

void add_origin_options(CLI::App& command, CLI::Option* add, RunOrigin& origin) {
  const auto option = [&](const char* flag, std::string& value, const char* meaning,
                          const char* type) {
    return command.add_option(flag, value, meaning)->type_name(type)->needs(add);
  };
  option("--commit", origin.git_commit, "Commit of a file of another tool", "ID");
  option("--time", origin.time_utc,
         "When it was measured (default: what it says, else the file's time)", "TIME")
      ->check(CLI::Validator(
          [](const std::string& text) {
            return is_utc_time(text)
                       ? std::string()
                       : "'" + text + "' is no time; write it as 2026-12-31T12:00:00Z";
          },
          ""));
  option("--machine", origin.machine,
         "Class of machine that it was measured on (default: what it says)", "NAME");
  option("--driver", origin.driver, "Driver of that machine", "VERSION");
}

}  // namespace

void add_history_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<HistoryOptions>();
  CLI::App* command =
      app.add_subcommand("history", "Keep results over time and detect shifts in them");
  command->add_option("folder", options->folder, "Folder with one file per run")->required();
  CLI::Option* add_option =
      command
          ->add_option("--add", options->add,
                       "Add this result, or a folder of another tool's launches, "
                       "without looking for shifts")
          ->type_name("RESULT.json|DIR");
  CLI::Option* format = add_reader_options(*command, options->reader,
                                           "Format of the other tool's file that is added "
                                           "(default: by content)");
  format->needs(add_option);
  add_origin_options(*command, add_option, options->origin);
  CLI::Option* accepted =
      command->add_option("--accepted", options->accepted, "File of accepted shifts")
          ->type_name("FILE.json");
  add_checked(*command, "--window", options->rules.window, CLI::Range(6, 1000),
              "Runs at the beginning and the end of a level that are compared for drift")
      ->capture_default_str();
  add_share(*command, "--bound", options->bound, Ends::neither,
            "Change that matters: 1% or 0.01 (default 1%)");
  add_checked(*command, "--alpha", options->rules.alpha, CLI::Range(1e-9, 0.5),
              "Significance level for adjusted p-values")
      ->capture_default_str();
  CLI::Option* today =
      command
          ->add_option("--today", options->today,
                       "Date for expiry, such as 2026-12-31 (default: today)")
          ->check(CLI::Validator(
              [](const std::string& text) {
                return is_day(text) ? std::string()
                                    : "'" + text + "' is not a date; write it as 2026-12-31";
              },
              "DAY"));
  add_option->excludes(accepted)->excludes(today);
  add_output_options(*command, options->output);
  result.runs(*command,
              [options] { return options->add.empty() ? look(*options) : add(*options); });
}

}  // namespace alsbench
