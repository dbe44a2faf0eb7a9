// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/inspect/compile_against.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/message.h"
#include "harness/cli/inspect/default_kernels.h"
#include "harness/cli/output.h"
#include "harness/cli/text_table.h"
#include "harness/custom/load.h"
#include "harness/device/cuda_backend.h"
#include "harness/files/gzip.h"
#include "harness/judge/static_baseline.h"
#include "harness/process/exit_code.h"
#include "harness/record/document.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

// The rank of the suite `ci`, that of the paper, and one at which a team of warps shares a row.
const std::vector<int32_t> kRanks{64, 100, 128};

constexpr const char* kNoCustomKernel =
    "--against: the folders of --kernels have no kernel of CUDA, so nothing is compiled; leave "
    "--against out";

struct BaselineTarget {
  fs::path path;
  std::string arch;
};

// That of --arch, else of the file's name, else what a file of another name says.
std::string arch_of_file(const AgainstOptions& options) {
  if (!options.architectures.empty()) return options.architectures[0];
  const std::string name = options.baseline.filename().string();
  std::string stem = name.substr(0, name.rfind(".json"));
  if (options.write || stem.starts_with("sm_") || !fs::exists(options.baseline)) return stem;
  return read_static_baseline(options.baseline).arch;
}

std::vector<BaselineTarget> targets_of(const AgainstOptions& options) {
  const fs::path& baseline = options.baseline;
  std::vector<BaselineTarget> targets;
  if (is_document_name(baseline.native())) {
    if (options.write && baseline.extension() != ".json")
      throw UsageError(
          fmt::format("--against {}: compressed baselines cannot be written; name a .json file",
                      baseline.string()));
    if (options.architectures.size() > 1)
      throw UsageError(fmt::format("--against {}: a file holds one architecture; name its folder",
                                   baseline.string()));
    return {{baseline, arch_of_file(options)}};
  }
  for (const std::string& arch : options.architectures)
    targets.push_back({baseline / (arch + ".json"), arch});
  if (targets.empty() && fs::is_directory(baseline))
    for (const auto& entry : fs::directory_iterator(baseline))
      if (entry.path().extension() == ".json")
        targets.push_back({entry.path(), entry.path().stem().string()});
  std::sort(targets.begin(), targets.end(), [](const BaselineTarget& a, const BaselineTarget& b) {
    return parse_architecture(a.arch) < parse_architecture(b.arch);
  });
  if (targets.empty())
    throw BaselineError(
        fmt::format("--against {}: has no <arch>.json; make them with --arch and "
                    "--write",
                    baseline.string()));
  return targets;
}

FilePlan file_plan(const AgainstOptions& options, const std::vector<BaselineTarget>& targets) {
  FilePlan plan;
  plan.reads(options.baseline, "--against", ".json");
  for (const BaselineTarget& target : targets)
    options.write ? plan.writes(target.path, "--against") : plan.reads(target.path, "--against");
  if (!options.write) writes_output(plan, options.output);
  return plan;
}

// A source of the user's that does not compile is wrong input.
int exit_of_failures() { return custom::kernel_names().empty() ? kExitCasesFailed : kExitUsage; }

// A custom kernel's problem has no rank, so one stands for all.
int write_baseline(const BaselineTarget& target, const AgainstOptions& options) {
  const std::vector<std::string> custom = custom::kernel_names();
  const std::vector<int32_t> ranks = custom.empty() ? kRanks : std::vector<int32_t>{1};
  const StaticBaseline baseline =
      compile_defaults({target.arch, ranks, custom}, {}, options.jobs).baseline;
  if (baseline.kernels.empty()) throw UsageError(kNoCustomKernel);
  int64_t failed = 0;
  for (const StaticKernel& kernel : baseline.kernels)
    if (kernel.outcome == Outcome::compile_error) {
      ++failed;
      print_message("{} {}: {}\n", target.arch, kernel.name(), kernel.detail);
    }
  if (failed > 0) {
    print_message("{}: not written: {} kernel{} not compile\n", target.path.string(), failed,
                  failed == 1 ? " does" : "s do");
    return exit_of_failures();
  }
  write_text(target.path.string(), text_by_lines(to_json(baseline), "kernels"));
  if (!options.output.quiet)
    print_message("{}: {} kernels, {}\n", target.path.string(), baseline.kernels.size(),
                  baseline.compiler);
  return kExitOk;
}

// With --kernels, the kernels of these folders are compared alone.
void keep_custom(StaticBaseline& base) {
  const std::vector<std::string> custom = custom::kernel_names();
  if (custom.empty()) return;
  std::erase_if(base.kernels, [&](const StaticKernel& kernel) {
    const std::string stage = kernel.variant.substr(0, kernel.variant.find('/'));
    return std::find(custom.begin(), custom.end(), stage) == custom.end();
  });
}

// Everything that refuses comes before anything is compiled.
StaticBaseline read_comparable(const BaselineTarget& target, const AgainstOptions& options) {
  StaticBaseline base = read_static_baseline(target.path);
  const std::string compiler = "nvrtc " + nvrtc_release();
  if (base.arch != target.arch)
    throw BaselineError(
        fmt::format("{}: is of {}, not of {}", target.path.string(), base.arch, target.arch));
  if (base.compiler != compiler && !options.cross_env)
    throw BaselineError(fmt::format(
        "{}: was made with {}, but this machine has {}, whose code differs; "
        "use that compiler, make the baseline again with --write, or compare anyway with "
        "--cross-env",
        target.path.string(), base.compiler, compiler));
  keep_custom(base);
  return base;
}

std::vector<StaticCount> counts_of(const std::vector<StaticFinding>& findings) {
  std::vector<StaticCount> counts;
  for (const EnumName<StaticVerdict>& word : kNamesOf<StaticVerdict>)
    counts.push_back(
        {word.value, std::count_if(findings.begin(), findings.end(), [&](const StaticFinding& one) {
           return one.verdict == word.value;
         })});
  return counts;
}

StaticComparison compared(const BaselineTarget& target, const StaticBaseline& base,
                          const AgainstOptions& options) {
  const auto [test, compiled, known] =
      compile_defaults({target.arch, base.ranks, custom::kernel_names()},
                       options.recompile ? KnownKernels() : known_kernels(base), options.jobs);
  if (test.kernels.empty()) throw UsageError(kNoCustomKernel);
  if (!options.output.quiet)
    print_message(
        "{}: {} launches compiled; {} have the sources and the compiler of the baseline\n",
        target.arch, compiled, known);
  StaticComparison comparison{.baseline = target.path.string(),
                              .arch = target.arch,
                              .base_compiler = base.compiler,
                              .test_compiler = test.compiler,
                              .compiled = static_cast<int64_t>(compiled),
                              .known = static_cast<int64_t>(known),
                              .counts = {},
                              .findings = compare_static(base, test)};
  comparison.counts = counts_of(comparison.findings);
  for (StaticFinding& finding : comparison.findings)
    finding.cross_environment = base.compiler != test.compiler;
  return comparison;
}

void print_findings(const std::vector<StaticComparison>& comparisons) {
  TextTable table({"verdict", "arch", "kernel", "change"});
  size_t same = 0;
  for (const StaticComparison& comparison : comparisons)
    for (const StaticFinding& finding : comparison.findings)
      if (finding.verdict == StaticVerdict::same)
        ++same;
      else
        table.add({std::string(name_of(finding.verdict)), comparison.arch, finding.kernel,
                   finding.detail + (finding.cross_environment ? " [cross-env]" : "")});
  fmt::print("{}{} kernel{} the same\n", table.text(), same, same == 1 ? " is" : "s are");
}

int exit_code_of(const std::vector<StaticComparison>& comparisons) {
  int worst = kExitOk;
  for (const StaticComparison& comparison : comparisons)
    for (const StaticFinding& finding : comparison.findings) {
      const StaticVerdict verdict = finding.verdict;
      if (verdict == StaticVerdict::regressed) worst = std::max<int>(worst, kExitRegression);
      if (verdict == StaticVerdict::failed) worst = std::max<int>(worst, exit_of_failures());
      if (verdict == StaticVerdict::missing) worst = std::max<int>(worst, kExitCasesFailed);
    }
  return worst;
}

}  // namespace

int compile_against(const AgainstOptions& options) {
  const std::vector<BaselineTarget> targets = targets_of(options);
  file_plan(options, targets).check();
  if (options.write) {
    int worst = kExitOk;
    for (const BaselineTarget& target : targets)
      worst = std::max(worst, write_baseline(target, options));
    return worst;
  }
  std::vector<StaticBaseline> bases;
  for (const BaselineTarget& target : targets) bases.push_back(read_comparable(target, options));
  StaticComparisonDocument document;
  for (size_t i = 0; i < targets.size(); ++i)
    document.comparisons.push_back(compared(targets[i], bases[i], options));
  if (!options.output.json.empty()) write_json(options.output.json, to_json(document));
  if (!options.output.json_on_stdout()) print_findings(document.comparisons);
  return exit_code_of(document.comparisons);
}

}  // namespace alsbench
