// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/static_baseline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "harness/files/strict_json.h"
#include "harness/judge/kernel_resources.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

constexpr std::string_view kStaticVersion = "1.1.0";
constexpr std::string_view kVersionPrefix = "1.";  // every minor version of this major one

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
    changes.push_back(fmt::format("default {} -> {}", base.config, test.config));
  for (const FigureChange& change :
       resource_changes(resources_of(base.report), resources_of(test.report))) {
    changes.push_back(text_of(change));
    worse = worse || change.worse;
    better = better || change.better;
  }
  if (base.report.block != test.report.block)
    changes.push_back(fmt::format("block {} -> {}", base.report.block, test.report.block));
  if (changes.empty() && base.report.code_hash != test.report.code_hash)
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

StaticFinding finding_of(const StaticKernel* base, const StaticKernel* test) {
  const bool was = base != nullptr && base->outcome == "ok";
  const std::string name = (test != nullptr ? test : base)->name();
  if (test != nullptr && test->outcome == "compile_error")
    return {StaticVerdict::failed, name, test->detail.substr(0, test->detail.find('\n'))};
  const bool is = test != nullptr && test->outcome == "ok";
  if (was && is) return compare_kernels(*base, *test);
  if (was)
    return {StaticVerdict::missing, name,
            test != nullptr ? test->detail : "the catalog has no such variant or launch"};
  if (base == nullptr) return {StaticVerdict::added, name, "is not in the baseline"};
  if (is) return {StaticVerdict::added, name, "was skipped: " + base->detail};
  if (test == nullptr) return {StaticVerdict::missing, name, "the catalog has no such variant"};
  return {StaticVerdict::same, name, ""};
}

Json to_json(const StaticKernel& kernel) {
  Json json{{"variant", kernel.variant},
            {"config", kernel.config},
            {"rank", kernel.rank},
            {"launch", kernel.launch},
            {"outcome", kernel.outcome}};
  if (kernel.outcome != "ok") {
    json["detail"] = kernel.detail;
    return json;
  }
  json["block"] = kernel.report.block;  // stands first in files of these
  json.update(alsbench::to_json(kernel.report, kKernelResources));
  if (!kernel.source_hash.empty()) json["source_hash"] = kernel.source_hash;
  return json;
}

StaticKernel kernel_from_json(const JsonField& json) {
  StaticKernel kernel;
  kernel.variant = json.at("variant").text();
  kernel.config = json.at("config").text();
  kernel.rank = json.at("rank").integer32();
  kernel.launch = json.at("launch").integer32();
  kernel.outcome = json.at("outcome").text();
  if (kernel.outcome != "ok") {
    kernel.detail = json.at("detail").text();
    return kernel;
  }
  kernel.report = kernel_report_from_json(json, kKernelResources);
  if (const auto hash = json.find("source_hash")) kernel.source_hash = hash->text();
  return kernel;
}

constexpr const char* kMakeAnew = "restore it, or make it anew with alsbench compile --write";

}  // namespace

std::string StaticKernel::name() const {
  return fmt::format("{} rank:{} #{}", variant, rank, launch);
}

std::string_view name_of(StaticVerdict verdict) {
  constexpr std::array<std::string_view, 7> kNames{"failed",   "missing",      "new", "regressed",
                                                   "improved", "code-changed", "same"};
  return kNames.at(static_cast<size_t>(verdict));
}

std::vector<StaticFinding> compare_static(const StaticBaseline& base, const StaticBaseline& test) {
  std::map<std::string, std::pair<const StaticKernel*, const StaticKernel*>> pairs;
  for (const StaticKernel& kernel : base.kernels) pairs[kernel.name()].first = &kernel;
  for (const StaticKernel& kernel : test.kernels) pairs[kernel.name()].second = &kernel;
  std::vector<StaticFinding> findings;
  for (const auto& [name, pair] : pairs) findings.push_back(finding_of(pair.first, pair.second));
  std::stable_sort(findings.begin(), findings.end(),
                   [](const auto& a, const auto& b) { return a.verdict < b.verdict; });
  return findings;
}

Json to_json(const StaticBaseline& baseline) {
  Json kernels = Json::array();
  for (const StaticKernel& kernel : baseline.kernels) kernels.push_back(to_json(kernel));
  return {{"$schema", "../schema/static.schema.json"},
          {"schema_version", kStaticVersion},
          {"kind", "static"},
          {"arch", baseline.arch},
          {"compiler", "nvrtc " + baseline.compiler},
          {"ranks", baseline.ranks},
          {"kernels", kernels}};
}

StaticBaseline static_baseline_from_json(const Json& json, const std::string& source) {
  if (text_at(json, "kind") != "static")
    throw BaselineError(fmt::format("{}: is no static baseline; {}", source, kMakeAnew));
  const JsonField fields(json);
  try {
    const std::string version = fields.at("schema_version").text();
    const std::string compiler = fields.at("compiler").text();
    if (!version.starts_with(kVersionPrefix))
      throw BaselineError(fmt::format("{}: has schema version {}, but this alsbench reads {}x; {}",
                                      source, version, kVersionPrefix, "use a newer alsbench"));
    StaticBaseline baseline;
    baseline.arch = fields.at("arch").text();
    baseline.compiler = compiler.substr(compiler.find(' ') + 1);
    baseline.ranks =
        list_of(fields.at("ranks"), [](const JsonField& rank) { return rank.integer32(); });
    baseline.kernels = list_of(fields.at("kernels"), kernel_from_json);
    if (baseline.kernels.empty())
      throw BaselineError(fmt::format("{}: has no kernels; {}", source, kMakeAnew));
    return baseline;
  } catch (const UsageError& error) {
    throw BaselineError(fmt::format("{}: is damaged: {}; {}", source, error.what(), kMakeAnew));
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
    throw BaselineError(fmt::format("{}; {}", error.what(), kMakeAnew));
  }
  return static_baseline_from_json(json, path.string());
}

}  // namespace alsbench
