// SPDX-License-Identifier: Apache-2.0
// Every command of the program: one file per command, with a function that adds it to the CLI11
// app. run_cli parses, and then runs the action of the chosen command.
//
// A new command: declare its add_* function here, call it in cli.cpp, and in <name>_command.cpp:
//   auto options = std::make_shared<Options>();
//   CLI::App* command = app.add_subcommand("name", "What it does");
//   command->add_option(...);
//   result.runs(*command, [options] { return act(*options); });
// Beside its options stands a file_plan() that names what it reads and writes; act() checks it
// before anything else.
#pragma once

#include <functional>

#include "harness/cli/app.h"

namespace alsbench {

struct CommandResult {
  std::function<int()> action;  // returns an ExitCode; exceptions become one in run_cli

  // Has `act` as the action, where the command is the one that was chosen.
  void runs(CLI::App& command, std::function<int()> act);
};

void add_list_command(CLI::App& app, CommandResult& result);
void add_schema_command(CLI::App& app, CommandResult& result);
void add_compile_command(CLI::App& app, CommandResult& result);
void add_doctor_command(CLI::App& app, CommandResult& result);
void add_data_command(CLI::App& app, CommandResult& result);
void add_train_command(CLI::App& app, CommandResult& result);
void add_evaluate_command(CLI::App& app, CommandResult& result);
void add_predict_command(CLI::App& app, CommandResult& result);
void add_recommend_command(CLI::App& app, CommandResult& result);
void add_similar_command(CLI::App& app, CommandResult& result);
void add_explain_command(CLI::App& app, CommandResult& result);
void add_fold_in_command(CLI::App& app, CommandResult& result);
void add_import_command(CLI::App& app, CommandResult& result);
void add_tune_command(CLI::App& app, CommandResult& result);
void add_tune_stage_command(CLI::App& tune, CommandResult& result);
void add_tune_pipeline_command(CLI::App& tune, CommandResult& result);
void add_tune_replay_command(CLI::App& tune, CommandResult& result);
void add_tune_merge_command(CLI::App& tune, CommandResult& result);
void add_tune_portability_command(CLI::App& tune, CommandResult& result);
void add_run_command(CLI::App& app, CommandResult& result);
void add_profile_command(CLI::App& app, CommandResult& result);
void add_merge_command(CLI::App& app, CommandResult& result);
void add_suite_command(CLI::App& app, CommandResult& result);
void add_plan_command(CLI::App& app, CommandResult& result);
void add_best_command(CLI::App& app, CommandResult& result);
void add_compare_command(CLI::App& app, CommandResult& result);
void add_ab_command(CLI::App& app, CommandResult& result);
void add_aa_command(CLI::App& app, CommandResult& result);
void add_bisect_command(CLI::App& app, CommandResult& result);
void add_history_command(CLI::App& app, CommandResult& result);
void add_export_command(CLI::App& app, CommandResult& result);
void add_report_command(CLI::App& app, CommandResult& result);
void add_completion_command(CLI::App& app, CommandResult& result);
void add_manual_command(CLI::App& app, CommandResult& result);
void add_worker_command(CLI::App& app, CommandResult& result);

}  // namespace alsbench
