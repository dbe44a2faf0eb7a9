// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/message.h"
#include "harness/cli/commands.h"
#include "harness/cli/interrupts.h"
#include "harness/cli/output.h"
#include "harness/cli/shell/command_tree.h"
#include "harness/cli/text_table.h"
#include "harness/cli/usage_message.h"
#include "harness/cli/validators.h"
#include "harness/device/cuda_backend.h"
#include "harness/device/library_environment.h"
#include "harness/files/debug_log.h"
#include "harness/files/host_memory.h"
#include "harness/process/exit_code.h"
#include "harness/process/interrupted.h"
#include "harness/record/escape.h"
#include "harness/record/provenance.h"
#include "kernels/cpu/blas.h"
#include "kernels/load/shared_library.h"

namespace alsbench {
namespace {

std::string text_or(const std::string& text, const char* otherwise) {
  return text.empty() ? otherwise : text;
}

// Enough to tell two builds apart in a report: a line each, no newline at the end.
std::string version_text() {
  const BuildProvenance build = build_provenance();
  return fmt::format(
      "alsbench {}\n"
      "commit: {}{}\n"
      "compiler: {}\n"
      "build type: {}\n"
      "CUDA toolkit: {}\n"
      "cuBLAS: {}\n"
      "BLAS: {}",
      build.version, build.git_commit, build.git_dirty ? ", with local changes" : "",
      build.compiler, build.build_type, text_or(build.cuda_toolkit, "none"),
      text_or(built_cublas_version(), "none"), built_blas_version());
}

int report(ExitCode code, const std::string& message) {
  const bool color = use_color(stderr);
  print_message("alsbench: {}error:{} {}\n", color ? "\033[31m" : "", color ? "\033[0m" : "",
                printable(message));
  return code;
}

void add_commands(CLI::App& app, CommandResult& result) {
  for (const auto add :
       {add_list_command,       add_schema_command,  add_compile_command,   add_doctor_command,
        add_run_command,        add_profile_command, add_merge_command,     add_plan_command,
        add_suite_command,      add_best_command,    add_compare_command,   add_ab_command,
        add_aa_command,         add_bisect_command,  add_history_command,   add_export_command,
        add_report_command,     add_worker_command,  add_data_command,      add_train_command,
        add_evaluate_command,   add_predict_command, add_recommend_command, add_similar_command,
        add_explain_command,    add_fold_in_command, add_import_command,    add_tune_command,
        add_completion_command, add_manual_command})
    add(app, result);
}

// Shows a value that may be left out as [F], and not what it then is, which reads like a default.
// An option that excludes nearly all others says so, and does not list them.
class HelpFormatter : public CLI::Formatter {
 public:
  // No line is longer than 80 columns; descriptions go on in their own column.
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    constexpr size_t kHelpWidth = 80;
    const std::string help = CLI::Formatter::make_help(app, std::move(name), mode);
    std::string text;
    for (size_t begin = 0; begin < help.size();) {
      const size_t end = std::min(help.find('\n', begin), help.size());
      const std::string line = help.substr(begin, end - begin);
      const size_t indent = line.starts_with("  ") ? get_column_width() : 0;
      text += wrapped_to(kHelpWidth, line.empty() ? "\n" : line, indent);
      begin = end + 1;
    }
    return text;
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text = CLI::Formatter::make_option_opts(option);
    const std::string& type = option->get_type_name();
    const std::string value = type + "=" + option->get_default_str();
    if (const size_t at = text.find(value); takes_value_or_none(*option) && at != text.npos)
      text.replace(at, value.size(), "[" + type + "]");
    constexpr size_t kMaxExcludedOptions = 16;
    if (const size_t at = text.find(" Excludes:");
        at != text.npos && option->get_excludes().size() > kMaxExcludedOptions)
      text.replace(at, text.npos, " Excludes: most options");
    return text;
  }
};

// Every option of every command that takes a value: what all refuse, whatever else they check.
// "-" is standard output, as in other programs.
const CLI::Validator& dash_as_stdout() {
  static const CLI::Validator validator(
      [](std::string& text) {
        if (text == "-") text = kStdout;
        return std::string();
      },
      "");
  return validator;
}

// Type F is a text that may be printed; ratings say that theirs are not.
bool names_an_output(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type == "F" ||
         (type == "PATH" && (option.check_lname("out") || option.check_lname("test-out")));
}

void add_default_validators(CLI::App& app) {
  const auto is_number = [](const std::string& type) {
    return type.starts_with("INT") || type.starts_with("UINT") || type.starts_with("FLOAT");
  };
  for (CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_min() > 0) option->check(not_empty());
    if (is_number(option->get_type_name())) option->check(decimal_number());
    if (names_an_output(*option)) option->transform(dash_as_stdout());
  }
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    add_default_validators(*command);
}

int parse_and_run(int argc, char** argv) {
  CLI::App app("Benchmark, autotune and regression-test GPU kernels for ALS matrix factorization",
               "alsbench");
  app.set_version_flag("--version", version_text, "Print version, commit and build configuration");
  app.formatter(std::make_shared<HelpFormatter>());
  app.require_subcommand(1);
  CommandResult result;
  add_commands(app, result);
  add_default_validators(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    return report(kExitUsage, usage_message(app, error, {argv + 1, argv + argc}));
  }
  if (logs_debug()) log_debug(fmt::format("{}", fmt::join(argv, argv + argc, " ")));
  start_threads();
  return result.action();
}

// Of fmt where standard output takes no more, and of a thread that cannot be started.
std::string system_error_text(const std::system_error& error) {
  if (std::ferror(stdout) != 0) return lost_output();
  if (error.code() != std::errc::resource_unavailable_try_again) return error.what();
  return fmt::format("cannot start a thread: {}; raise ulimit -v or ulimit -u", error.what());
}

}  // namespace

void CommandResult::runs(CLI::App& command, std::function<int()> act) {
  command.callback([this, act = std::move(act)] { action = act; });
}

int run_cli(int argc, char** argv) {
  install_cleanup_handlers();
  try {
    const int code = parse_and_run(argc, argv);
    flush_output();
    return code;
  } catch (const UsageError& error) {
    return report(kExitUsage, error.what());
  } catch (const ObjectionError& error) {
    return report(kExitUsage, error.what());
  } catch (const Interrupted& error) {
    return report(kExitInterrupted, error.what());
  } catch (const BaselineError& error) {
    return report(kExitBaseline, error.what());
  } catch (const EnvironmentError& error) {
    return report(kExitEnvironment, error.what());
  } catch (const MissingLibrary& error) {
    return report(kExitEnvironment, error.what());
  } catch (const OutOfMemoryError& error) {
    return report(kExitEnvironment, error.what());
  } catch (const std::bad_alloc& error) {
    return report(kExitEnvironment, host_memory_text(error));
  } catch (const std::filesystem::filesystem_error& error) {  // such as a loop of links
    return report(kExitUsage, fmt::format("cannot use '{}': {}; give another name",
                                          error.path1().string(), error.code().message()));
  } catch (const std::system_error& error) {
    return report(kExitEnvironment, system_error_text(error));
  } catch (const std::exception& error) {
    return report(kExitCasesFailed, error.what());
  }
}

}  // namespace alsbench
