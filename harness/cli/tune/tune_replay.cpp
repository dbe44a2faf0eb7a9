// SPDX-License-Identifier: Apache-2.0
// `alsbench tune replay`: searches a recording of a space in place of a device.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/message.h"
#include "harness/cli/tune/stage_document.h"
#include "harness/cli/tune/stage_search.h"
#include "harness/cli/tune/tune_commands.h"
#include "harness/cli/tune/tune_files.h"
#include "harness/cli/tune/tune_output.h"
#include "harness/process/exit_code.h"
#include "harness/record/core_codecs.h"
#include "harness/record/provenance.h"
#include "harness/tune/search/replay.h"

namespace alsbench {
namespace {

struct TuneReplayOptions {
  std::filesystem::path journal;
  TuneSearchOptions search;
  SpaceSearchOptions space;
  TuneOutputOptions output;
};

FilePlan file_plan(const TuneReplayOptions& options, const TuneTargets& targets) {
  FilePlan plan;
  plan.reads(options.space.space_file, "--space");
  plan.reads(options.journal, "JOURNAL");
  writes_document(plan, options.output, targets);
  return plan;
}

// The space is the recording's.
void check_space_file(const SpaceFile& file, const std::string& path) {
  if (!file.axes.empty() || !file.tied.empty() || !file.conditions.empty())
    throw UsageError(
        fmt::format("{}: leave its ConfigurationSpace out: `alsbench tune replay` searches the "
                    "space that was recorded",
                    path));
}

int tune_replay(const TuneReplayOptions& options) {
  const TuneTargets targets =
      tune_targets(options.output, options.journal.stem().stem().string() + ".replay");
  file_plan(options, targets).check();
  const SpaceFile file = space_file_of(options.space);
  check_space_file(file, options.space.space_file);
  const Recording recording = read_recording(options.journal);
  for (const std::string& problem : recording.problems)
    print_message("alsbench: {}: {}; skipped\n", options.journal.string(), problem);
  if (options.output.dry_run) {
    print_space(recording.space);
    return kExitOk;
  }
  TuneOptions tune = tune_options(options.search, options.space, file, recording.space);
  ReplayObjective objective(recording);
  ProgressReport report("tune", options.output.progress.chosen());
  TuneProgress progress(report, recording.space, "replay");
  progress.listen(tune);
  const TuningResult result = alsbench::tune(recording.space, objective, tune);
  progress.end();
  report.end();
  TuningHead head = recording.head;
  head.provenance = provenance();
  set_search(head.search, recording.space, tune);
  TuningDocument document = document_of(head, tune, result, recording.space, objective);
  document.replay_of = {options.journal.filename().string(), recording.head.provenance};
  write_document(to_json(document), tuning_table(result, recording.space, objective), targets);
  if (!options.output.progress.quiet) print_search(result, recording.space, targets);
  return exit_code_of(result);
}

}  // namespace

void add_tune_replay_command(CLI::App& tune, CommandResult& result) {
  auto options = std::make_shared<TuneReplayOptions>();
  CLI::App* command = tune.add_subcommand(
      "replay", "Searches the recording of a space (tune stage --record) in place of a device");
  command->add_option("journal", options->journal, "Journal of the recording")
      ->required()
      ->type_name("JOURNAL");
  add_search_options(*command, options->search, {});
  add_space_search_options(*command, options->space);
  add_output_options(*command, options->output);
  command->callback(
      [&result, options] { result.action = [options] { return tune_replay(*options); }; });
}

}  // namespace alsbench
