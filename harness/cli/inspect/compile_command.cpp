// SPDX-License-Identifier: Apache-2.0
// `alsbench compile`: compiles every valid point of the CUDA variants, without a GPU, and reports
// what the compiler made of each kernel; with --against, compares the defaults with a baseline.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <set>
#include <tuple>

#include "base/error.h"
#include "base/message.h"
#include "harness/cli/commands.h"
#include "harness/cli/inspect/compile_against.h"
#include "harness/cli/inspect/compile_document.h"
#include "harness/cli/inspect/default_kernels.h"
#include "harness/cli/inspect/default_shape.h"
#include "harness/cli/interrupts.h"
#include "harness/cli/kernels_option.h"
#include "harness/cli/output.h"
#include "harness/cli/text_table.h"
#include "harness/cli/validators.h"
#include "harness/custom/load.h"
#include "harness/device/cuda_backend.h"
#include "harness/device/device.h"
#include "harness/files/name_pattern.h"
#include "harness/process/exit_code.h"
#include "harness/record/document.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

constexpr size_t kMaxKernels = 1000;  // without --all: some minutes of all processors

struct CompileOptions {
  std::vector<std::string> architectures;  // empty: of the first GPU, else sm_90
  std::string filter;
  int32_t rank = 100;
  int jobs = 0;
  OutputOptions output;
  std::string against;
  std::string pack;                                     // the file to write
  std::vector<int32_t> ranks = {16, 32, 64, 100, 128};  // of the pack
  bool write = false, cross_env = false, recompile = false, all = false;
};

// The document to come, and how each of its kernels is launched.
struct CompilePlan {
  CompileDocument document;
  std::vector<std::pair<KernelLaunch, DeviceTraits>> launches = {};
};

std::string arch_name(int architecture) { return fmt::format("sm_{}", architecture); }

std::vector<DeviceTraits> traits_of(const CompileOptions& options) {
  if (options.architectures.empty())
    return {cuda_device_count() > 0 ? cuda_device_traits(0) : traits_of_architecture(90)};
  std::vector<DeviceTraits> list;
  for (const auto& name : options.architectures) {
    list.push_back(traits_of_architecture(parse_architecture(name)));
    check_compilable(list.back().architecture);
  }
  return list;
}

using Point = std::pair<const Variant*, Config>;

std::vector<Point> points_named(const std::string& filter) {
  const NamePattern pattern("--filter", filter);
  std::vector<Point> points;
  for (const Variant& variant : catalog())
    if (variant.plan && !variant.hidden)
      variant.space.for_each([&](const Config& config) {
        if (pattern.found_in(variant.id() + " " + config.text()))
          points.emplace_back(&variant, config);
      });
  return points;
}

CompilePlan plan_of(const CompileOptions& options) {
  const std::vector<Point> points = points_named(options.filter);
  CompilePlan plan{{cuda_versions().nvrtc, options.rank}};
  CompileDocument& document = plan.document;
  for (const auto& traits : traits_of(options))
    for (const auto& [variant, config] : points) {
      const std::string arch = arch_name(traits.architecture);
      const Shape shape = default_shape(variant->stage, options.rank);
      if (const auto objection = objection_of(*variant, config, shape, traits)) {
        document.skipped.push_back({variant->id(), config, arch, *objection});
        continue;
      }
      for (const auto& launch : variant->plan(config, shape, traits).launches) {
        document.kernels.push_back({variant->id(), config, arch, launch.source, launch.instance});
        plan.launches.emplace_back(launch, traits);
      }
    }
  if (document.kernels.empty() && document.skipped.empty())
    throw UsageError("no point of a CUDA variant matches --filter '" + options.filter +
                     "'; see alsbench list variants");
  return plan;
}

// Says how many there are, before anything is compiled.
void announce(const CompilePlan& plan, const CompileOptions& options) {
  std::set<std::tuple<std::string, std::string, int>> kernels;
  for (const auto& [launch, traits] : plan.launches)
    kernels.emplace(launch.source, launch.instance, traits.architecture);
  if (kernels.size() > kMaxKernels && !options.all)
    throw UsageError(fmt::format(
        "{} has {} kernels, more than {}; narrow it with --filter, or compile them with --all",
        options.filter.empty() ? "the whole catalog" : "--filter '" + options.filter + "'",
        kernels.size(), kMaxKernels));
  if (options.output.quiet) return;
  print_message("compiling {} kernels for {} launches\n", kernels.size(), plan.launches.size());
}

// Nothing where a Ctrl-C ended it before all was compiled.
std::optional<std::vector<CompileResult>> compile(const std::vector<CompileRequest>& requests,
                                                  const CompileOptions& options) {
  const std::atomic<bool>& stop = catch_interrupts();
  size_t compiled = 0;
  const bool progress = !options.output.quiet && isatty(STDERR_FILENO) != 0;
  const auto show = [&](size_t done) {
    compiled = done;
    if (!progress) return;
    print_message("\rcompiled for {} of {}", done, requests.size());
  };
  auto results = compile_all(requests, options.jobs, show, &stop);
  if (progress) print_message("\n");
  if (compiled == requests.size()) return results;
  print_message(
      "interrupted; the kernels of {} of {} launches are compiled and kept in the cache\n",
      compiled, requests.size());
  return std::nullopt;
}

// Returns whether all was compiled.
bool compile(CompilePlan& plan, const CompileOptions& options) {
  std::vector<CompileRequest> requests;
  for (const auto& [launch, traits] : plan.launches)
    requests.push_back({launch.source, launch.instance, traits.architecture, false});
  const auto results = compile(requests, options);
  if (!results) return false;
  for (size_t i = 0; i < results->size(); ++i) {
    const auto& [kernel, error] = (*results)[i];
    const auto& [launch, traits] = plan.launches[i];
    LaunchReport& record = plan.document.kernels[i];
    record.outcome = error.empty() ? Outcome::ok : Outcome::compile_error;
    record.detail = error;
    if (error.empty()) record.report = {report_of(kernel, launch, traits)};
  }
  return true;
}

int compile_pack(const CompileOptions& options) {
  FilePlan files;
  files.writes(options.pack, "--pack", content::kCompressed);
  files.check();
  KernelPackInfo info{options.pack, nvrtc_release(), {}, options.ranks};
  std::vector<CompileRequest> requests;
  for (const DeviceTraits& traits : traits_of(options)) {
    info.architectures.push_back(traits.architecture);
    for (CompileRequest& request : packed_kernels(traits, options.ranks)) {
      request.packed = false;
      requests.push_back(std::move(request));
    }
  }
  const auto results = compile(requests, options);
  if (!results) return kExitInterrupted;
  for (const CompileResult& result : *results)
    if (!result.error.empty()) throw EnvironmentError(result.error);
  write_kernel_pack(info, requests, *results);
  if (!options.output.quiet)
    print_message("{}: {:.1f} MB\n", options.pack,
                  static_cast<double>(std::filesystem::file_size(options.pack)) / 1e6);
  return kExitOk;
}

// "alsbench::solve::cg<...>" -> "cg", "gemm -DTILE=16" -> "gemm"
std::string kernel_name(const std::string& instance) {
  const std::string name = instance.substr(0, instance.find_first_of("< "));
  const size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

std::string table_of(const CompileDocument& document) {
  bool any_spills = false;
  TextTable table({"arch", "variant", "config", "kernel", "regs", "spill B", "stack B", "shared B",
                   "blocks/SM", "occupancy", "seconds", "code"});
  for (const LaunchReport& kernel : document.kernels) {
    std::vector<std::string> cells{kernel.arch, kernel.variant, kernel.config.text(),
                                   kernel_name(kernel.instance)};
    if (!kernel.report) {
      cells.emplace_back("compile error");
      table.add(cells);
      continue;
    }
    const KernelReport& report = *kernel.report;
    const int64_t spills = report.spill_store_bytes + report.spill_load_bytes;
    any_spills = any_spills || spills > 0;
    cells.insert(
        cells.end(),
        {std::to_string(report.registers), fmt::format("{}{}", spills, spills > 0 ? "!" : ""),
         std::to_string(report.stack_bytes),
         std::to_string(report.static_shared_bytes + report.dynamic_shared_bytes),
         std::to_string(report.blocks_per_multiprocessor),
         fmt::format("{:.0f}%", 100 * report.occupancy),
         fmt::format("{:.2f}", report.compile_seconds), report.code_hash.substr(0, 12)});
    table.add(cells);
  }
  return table.text() + (any_spills ? "\n! registers spilled to memory: the kernel is slow\n" : "");
}

// Every failed point by its first line; equal logs once. Returns the number of failures.
size_t print_errors(const CompileDocument& document) {
  size_t failed = 0;
  std::set<std::string> logs;
  for (const LaunchReport& kernel : document.kernels) {
    if (kernel.outcome == Outcome::ok) continue;
    ++failed;
    const size_t line_end = std::min(kernel.detail.find('\n'), kernel.detail.size());
    const std::string log = kernel.detail.substr(line_end);
    print_message("{} {}: {}{}\n", kernel.variant, kernel.config.text(),
                  kernel.detail.substr(0, line_end), logs.insert(log).second ? log : "");
  }
  return failed;
}

// Whether every kernel that failed is a source of the user's: then the input is wrong.
bool all_custom(const CompileDocument& document) {
  const std::vector<std::string> custom = custom::kernel_names();
  return std::ranges::all_of(document.kernels, [&](const LaunchReport& kernel) {
    const std::string stage = kernel.variant.substr(0, kernel.variant.find('/'));
    return kernel.outcome == Outcome::ok || std::ranges::find(custom, stage) != custom.end();
  });
}

int compile_command(const CompileOptions& options) {
  if (!cuda_built()) throw EnvironmentError(std::string(kBuiltWithoutCuda));
  if (!options.against.empty())
    return compile_against({options.against, options.architectures, options.write,
                            options.cross_env, options.recompile, options.jobs, options.output});
  if (!options.pack.empty()) return compile_pack(options);
  FilePlan files;
  writes_output(files, options.output);
  files.check();
  CompilePlan plan = plan_of(options);
  announce(plan, options);
  if (!compile(plan, options)) return kExitInterrupted;
  const CompileDocument& document = plan.document;
  if (!options.output.json.empty()) write_json(options.output.json, to_json(document));
  if (!options.output.json_on_stdout()) fmt::print("{}", table_of(document));
  if (document.kernels.empty())
    throw UsageError("every point objects, so nothing was compiled: " +
                     document.skipped.front().objection);
  const size_t failed = print_errors(document);
  if (!options.output.quiet)
    print_message(
        "{} launches compiled, {} failed; {} points object{}\n", document.kernels.size() - failed,
        failed, document.skipped.size(),
        document.skipped.empty() ? "" : ", the first: " + document.skipped.front().objection);
  if (failed == 0) return kExitOk;
  return all_custom(document) ? kExitUsage : kExitCasesFailed;
}

}  // namespace

void describe(Fields<LaunchReport>& fields) {
  fields.record("compiled_kernel", "One launch of one point on one architecture.");
  fields("variant", &LaunchReport::variant);
  fields("config", &LaunchReport::config);
  fields("arch", &LaunchReport::arch);
  fields("source", &LaunchReport::source);
  fields("instance", &LaunchReport::instance);
  fields("outcome", &LaunchReport::outcome, "ok or compile_error");
  fields("detail", &LaunchReport::detail, "the compiler's complaint").nullable();
  fields("report", &LaunchReport::report, "null: it did not compile");
}

void describe(Fields<SkippedPoint>& fields) {
  fields("variant", &SkippedPoint::variant);
  fields("config", &SkippedPoint::config);
  fields("arch", &SkippedPoint::arch);
  fields("objection", &SkippedPoint::objection);
}

void describe(Fields<CompileDocument>& fields) {
  fields.record("", "Resources and code of every kernel: `alsbench compile`.");
  describe_document(fields, "compile");
  fields("nvrtc", &CompileDocument::nvrtc, "its release");
  fields("rank", &CompileDocument::rank).range(Range::Kind::from_1);
  fields("kernels", &CompileDocument::kernels);
  fields("skipped", &CompileDocument::skipped,
         "points that object to the architecture or the rank");
}

void add_compile_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<CompileOptions>();
  CLI::App* command = app.add_subcommand(
      "compile", "Compile every valid point of the CUDA variants (no GPU needed)");
  command
      ->add_option("--arch", options->architectures,
                   "Architectures, such as sm_80,sm_90 (default: the first GPU's, else sm_90)")
      ->delimiter(',');
  CLI::Option* filter =
      command->add_option("--filter", options->filter,
                          "Regular expression over '<stage>/<variant>/cuda <configuration>'");
  CLI::Option* rank =
      add_checked(*command, "--rank", options->rank, above_zero(), "Rank to compile for")
          ->capture_default_str();
  CLI::Option* all = command->add_flag("--all", options->all,
                                       fmt::format("Compile more than {} kernels", kMaxKernels));
  add_checked(*command, "--jobs,-j", options->jobs, above_zero(),
              "Number of threads (default: all hardware threads)");
  CLI::Option* against =
      command
          ->add_option("--against", options->against,
                       "Compare every variant's default, or that of --kernels alone, with a static "
                       "baseline: FILE.json, or a folder of <arch>.json")
          ->excludes(filter)
          ->excludes(rank)
          ->excludes(all);
  command->add_flag("--write", options->write, "Write the baseline instead")->needs(against);
  command
      ->add_flag("--cross-env", options->cross_env,
                 "Compare even if another compiler made the baseline")
      ->needs(against);
  command
      ->add_flag("--recompile", options->recompile,
                 "Recompile kernels whose sources match the baseline, too")
      ->needs(against);
  CLI::Option* pack =
      command
          ->add_option(
              "--pack", options->pack,
              "Pack of the kernels that trainings run by default, to lie beside the program: " +
                  kernel_pack_name())
          ->excludes(filter)
          ->excludes(rank)
          ->excludes(all)
          ->excludes(against);
  add_checked(*command, "--ranks", options->ranks, above_zero(), "Ranks of the pack")
      ->delimiter(',')
      ->needs(pack)
      ->capture_default_str();
  add_kernels_option(*command);
  add_output_options(*command, options->output);
  result.runs(*command, [options] { return compile_command(*options); });
}

}  // namespace alsbench
