// SPDX-License-Identifier: Apache-2.0
// `alsbench tune replay`: searches a recording of a space in place of a device.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "base/message.h"
#include "harness/cli/commands.h"
#include "harness/cli/output.h"
#include "harness/cli/tune/stage_search.h"
#include "harness/cli/tune/tune_output.h"
#include "harness/cli/tune/tuning_export.h"
#include "harness/process/exit_code.h"
#include "harness/record/core_codecs.h"
#include "harness/record/provenance.h"
#include "harness/tune/search/replay.h"

namespace alsbench {
namespace {

struct TuneReplayOptions {
  std::filesystem::path journal;
  std::string t4;
  TuneSearchOptions search;
  SpaceSearchOptions space;
  TuneOutputOptions output;
};

FilePlan file_plan(const TuneReplayOptions& options, const TuneTargets& targets) {
  FilePlan plan;
  plan.reads(options.space.space_file, "--space");
  plan.reads(options.journal, "JOURNAL");
  writes_document(plan, options.output, targets);
  if (!options.t4.empty()) plan.writes(options.t4, "--t4");
  return plan;
}

int tune_replay(const TuneReplayOptions& options) {
  const TuneTargets targets =
      tune_targets(options.output, options.journal.stem().stem().string() + ".replay");
  file_plan(options, targets).check();
  const SpaceFile file = space_file_of(options.space);
  const Recording recording =
      restricted(read_recording(options.journal), file, options.space.space_file);
  for (const std::string& problem : recording.problems)
    print_message("alsbench: {}: {}; skipped\n", options.journal.string(), problem);
  if (const std::string problem = default_problem(recording, file); !problem.empty())
    print_message("alsbench: {}: {}\n", options.space.space_file, problem);
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
  if (!options.t4.empty()) write_text(options.t4, tuning_to_t4(document));
  write_document(to_json(document), tuning_table(result, recording.space, objective), targets);
  if (!options.output.progress.quiet) print_search(result, recording.space, targets);
  return exit_code_of(result);
}

}  // namespace

void add_tune_replay_command(CLI::App& tune, CommandResult& result) {
  auto options = std::make_shared<TuneReplayOptions>();
  CLI::App* command =
      tune.add_subcommand("replay", "Searches the recording of a space in place of a device");
  command
      ->add_option("journal", options->journal,
                   "A journal (tune stage --record), a cache file of kernel_tuner or results in T4")
      ->required()
      ->type_name("JOURNAL");
  add_search_options(*command, options->search, {});
  add_space_search_options(*command, options->space);
  add_output_options(*command, options->output);
  command->add_option("--t4", options->t4, "Also write the evaluations in T4, in their order");
  result.runs(*command, [options] { return tune_replay(*options); });
}

}  // namespace alsbench
