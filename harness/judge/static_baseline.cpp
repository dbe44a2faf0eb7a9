// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/static_baseline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "base/error.h"
#include "harness/files/strict_json.h"
#include "harness/judge/kernel_resources.h"
#include "harness/record/document.h"

namespace alsbench {
namespace {

std::string text_of(const FigureChange& change) {
  if (change.name == "occupancy")
    return fmt::format("occupancy {:g}% -> {:g}%", 100 * change.base, 100 * change.test);
  const char* name = change.name == "local_bytes"    ? "local memory"
                     : change.name == "shared_bytes" ? "shared memory"
                                                     : change.name.c_str();
  const char* unit = change.name.ends_with("_bytes") ? " B" : "";
  return fmt::format("{} {:g}{} -> {:g}{}", name, change.base, unit, change.test, unit);
}

StaticFinding compare_kernels(const StaticKernel& base, const StaticKernel& test) {
  std::vector<std::string> changes;
  bool worse = false, better = false;
  if (base.config != test.config)
    changes.push_back(fmt::format("default {} -> {}", base.config.text(), test.config.text()));
  for (const FigureChange& change :
       resource_changes(resources_of(*base.report), resources_of(*test.report))) {
    changes.push_back(text_of(change));
    worse = worse || change.worse;
    better = better || change.better;
  }
  if (base.report->block != test.report->block)
    changes.push_back(fmt::format("block {} -> {}", base.report->block, test.report->block));
  if (changes.empty() && base.report->code_hash != test.report->code_hash)
    changes.emplace_back("other machine code, the same resources");
  StaticFinding finding{StaticVerdict::same, test.name(),
                        fmt::format("{}", fmt::join(changes, ", "))};
  if (worse)
    finding.verdict = StaticVerdict::regressed;
  else if (better)
    finding.verdict = StaticVerdict::improved;
  else if (!changes.empty())
    finding.verdict = StaticVerdict::code_changed;
  return finding;
}

// The first line of a compiler's log, and the first one that is an error, which names file and
// line.
std::string brief(const std::string& log) {
  std::istringstream lines(log);
  std::string first, line;
  std::getline(lines, first);
  while (std::getline(lines, line))
    if (line.find("error:") != std::string::npos) return first + ": " + line;
  return first;
}

StaticFinding finding_of(const StaticKernel* base, const StaticKernel* test) {
  const bool was = base != nullptr && base->outcome == Outcome::ok;
  const std::string name = (test != nullptr ? test : base)->name();
  if (test != nullptr && test->outcome == Outcome::compile_error)
    return {StaticVerdict::failed, name, brief(test->detail)};
  const bool is = test != nullptr && test->outcome == Outcome::ok;
  if (was && is) return compare_kernels(*base, *test);
  if (was)
    return {StaticVerdict::missing, name,
            test != nullptr ? test->detail : "the catalog has no such variant or launch"};
  if (base == nullptr) return {StaticVerdict::added, name, "is not in the baseline"};
  if (is) return {StaticVerdict::added, name, "was skipped: " + base->detail};
  if (test == nullptr) return {StaticVerdict::missing, name, "the catalog has no such variant"};
  return {StaticVerdict::same, name, ""};
}

constexpr const char* kMakeAgain = "restore it, or make it again with alsbench compile --write";

}  // namespace

std::string StaticKernel::name() const {
  return fmt::format("{} rank:{} #{}", variant, rank, launch);
}

std::vector<StaticFinding> compare_static(const StaticBaseline& base, const StaticBaseline& test) {
  std::map<std::string, std::pair<const StaticKernel*, const StaticKernel*>> pairs;
  for (const StaticKernel& kernel : base.kernels) pairs[kernel.name()].first = &kernel;
  for (const StaticKernel& kernel : test.kernels) pairs[kernel.name()].second = &kernel;
  std::vector<StaticFinding> findings;
  for (const auto& [name, pair] : pairs) findings.push_back(finding_of(pair.first, pair.second));
  std::ranges::stable_sort(findings, {}, &StaticFinding::verdict);
  return findings;
}

void describe(Fields<StaticKernel>& fields) {
  fields.record("static_kernel", "A launch of a default configuration at one rank.");
  fields("variant", &StaticKernel::variant);
  fields("config", &StaticKernel::config);
  fields("rank", &StaticKernel::rank).range(Range::Kind::from_1);
  fields("launch", &StaticKernel::launch, "number in the variant's plan")
      .range(Range::Kind::from_0);
  fields("outcome", &StaticKernel::outcome, "ok or skipped");
  fields("detail", &StaticKernel::detail, "why it was skipped").nullable();
  fields("report", &StaticKernel::report, "null: it was skipped");
  fields("source_hash", &StaticKernel::source_hash,
         "of what it was compiled from: sources, template instance, options and compiler")
      .nullable();
  fields.check([](const JsonField& json, StaticKernel& kernel) {
    const bool ok = kernel.outcome == Outcome::ok;
    if (ok && !kernel.report) json.at("report").fail("is null, although the outcome is ok");
    if (!ok && kernel.detail.empty()) json.at("detail").fail("says no reason");
  });
}

void describe(Fields<StaticBaseline>& fields) {
  fields.record(
      "",
      "Resources and code of every CUDA variant's default configuration, by one compiler on one "
      "architecture. Holds nothing of the machine that wrote it.");
  describe_document(fields, "static");
  fields("arch", &StaticBaseline::arch);
  fields("compiler", &StaticBaseline::compiler);
  fields("ranks", &StaticBaseline::ranks).range(Range::Kind::not_empty);
  fields("kernels", &StaticBaseline::kernels).range(Range::Kind::not_empty);
}

void describe(Fields<StaticFinding>& fields) {
  fields("verdict", &StaticFinding::verdict);
  fields("kernel", &StaticFinding::kernel);
  fields("detail", &StaticFinding::detail);
  fields("cross_environment", &StaticFinding::cross_environment, "the compilers differ");
}

void describe(Fields<StaticCount>& fields) {
  fields("verdict", &StaticCount::verdict);
  fields("count", &StaticCount::count).range(Range::Kind::from_0);
}

void describe(Fields<StaticComparison>& fields) {
  fields("baseline", &StaticComparison::baseline, "file");
  fields("arch", &StaticComparison::arch);
  fields("base_compiler", &StaticComparison::base_compiler);
  fields("test_compiler", &StaticComparison::test_compiler);
  fields("compiled", &StaticComparison::compiled, "launches that were compiled")
      .range(Range::Kind::from_0);
  fields("known", &StaticComparison::known,
         "launches with the sources and compiler of the baseline, which were not")
      .range(Range::Kind::from_0);
  fields("counts", &StaticComparison::counts, "findings of each verdict");
  fields("findings", &StaticComparison::findings, "one a kernel, the gravest first");
}

void describe(Fields<StaticComparisonDocument>& fields) {
  fields.record("", "Kernels against their static baselines: `alsbench compile --against`.");
  describe_document(fields, "static_comparison");
  fields("comparisons", &StaticComparisonDocument::comparisons).range(Range::Kind::not_empty);
}

StaticBaseline static_baseline_from_json(const Json& json, const std::string& source) {
  try {
    check_document(json, "static", source);
  } catch (const UsageError& error) {
    throw BaselineError(error.what());
  }
  try {
    return read_written(json, source, read_as<StaticBaseline>);
  } catch (const UsageError& error) {
    throw BaselineError(fmt::format("{}; {}", error.what(), kMakeAgain));
  }
}

StaticBaseline read_static_baseline(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path))
    throw BaselineError(fmt::format(
        "{}: there is no such baseline; make it with alsbench compile --against {} --write",
        path.string(), path.string()));
  Json json;
  try {
    json = read_json(path);
  } catch (const UsageError& error) {
    throw BaselineError(fmt::format("{}; {}", error.what(), kMakeAgain));
  }
  return static_baseline_from_json(json, path.string());
}

}  // namespace alsbench
