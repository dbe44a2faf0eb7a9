// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/suite/suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/error.h"
#include "base/suggestion.h"
#include "harness/algorithms/algorithms.h"
#include "harness/files/embedded.h"
#include "harness/files/gzip.h"
#include "harness/files/hash.h"
#include "harness/files/strict_json.h"
#include "harness/sweep/suite/suite_document.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

constexpr std::string_view kSuiteFolder = "configs/suites/";
constexpr std::string_view kJsonSuffix = ".json";

ProblemSpec problem_of(const ProblemEntry& entry) {
  ProblemSpec problem;
  problem.data.dataset = entry.dataset;
  problem.data.scale = entry.scale;
  problem.data.path = entry.path;
  problem.data.format = entry.format;
  problem.data.columns = entry.columns;
  problem.data.values = entry.values;
  problem.data.test_path = entry.test;
  problem.data.test_fraction = entry.test_fraction;
  problem.data.split_by = entry.split_by;
  problem.data.seed = static_cast<uint64_t>(entry.seed);
  problem.data.duplicates = entry.duplicates;
  problem.rank = entry.rank;
  problem.lambda = entry.lambda;
  for (const auto& [name, size] : entry.sizes) problem.data.sizes.set(name, std::to_string(size));
  if (problem.data.has_sizes()) problem.rank = 1;
  const std::vector<Backend> backends = backends_of(entry.backend);
  if (backends.size() == 1) problem.backend = backends.front();
  return problem;
}

void check_problem_names(const std::vector<JsonField>& elements,
                         const std::vector<ProblemSpec>& problems) {
  for (size_t i = 0; i < problems.size(); ++i)
    for (size_t j = 0; j < i && elements[i].is_sound(); ++j)
      if (elements[j].is_sound() && problems[i].name() == problems[j].name())
        elements[i].report(fmt::format(
            "has the same name as /problems/{}: {}; {} must differ", j, problems[i].name(),
            problems[i].data.has_sizes() ? "sizes" : "data set, scale and rank"));
}

// The member, or where it is absent the object itself.
JsonField member_or_self(const JsonField& json, std::string_view name) {
  return json.member(name).value_or(json);
}

// The named variants of a stage ("*": all that are not hidden) on the backends that have them.
std::vector<const Variant*> variants_of(const MeasureEntry& entry, Stage stage,
                                        const JsonField& json) {
  const std::vector<Backend> backends = backends_of(entry.backend);
  std::vector<std::string> names = entry.variant.values;
  if (names.empty()) names = {"*"};
  std::vector<std::string> known;
  std::vector<const Variant*> found;
  for (const Variant& variant : catalog())
    if (variant.stage == stage && !variant.hidden &&
        std::ranges::find(known, variant.name) == known.end())
      known.push_back(variant.name);  // several backends may have it
  for (const std::string& name : names) {
    const size_t before = found.size();
    for (const Variant& variant : catalog()) {
      const bool named = name == "*" ? !variant.hidden : variant.name == name;
      if (variant.stage == stage && named &&
          std::ranges::find(backends, variant.backend) != backends.end())
        found.push_back(&variant);
    }
    if (found.size() == before)
      member_or_self(json, "variant")
          .report(unknown_name(fmt::format("variant of stage {}", name_of(stage)), name, known));
  }
  return found;
}

// Every value of an axis must mean something to some variant.
void check_axes(const MeasureSpec& spec, const JsonField& json) {
  for (const Axis& axis : spec.axes)
    for (const std::string& value : axis.values)
      if (const auto problem = axis_problem(spec.variants, axis.name, value)) {
        json.at("axes").at(axis.name).report(*problem);
        if (problem->starts_with("unknown parameter")) break;  // the same for every value
      }
  if (spec.tuned() && !spec.axes.empty())
    json.at("axes").report(
        "has no effect with config 'tuned', which leaves every parameter to the tuning "
        "database");
  if (spec.tuned()) return;
  for (const Variant* variant : spec.variants)
    member_or_self(json, "config").attempt([&] { variant->space.parse(spec.config); });
}

MeasureSpec measure_of(const MeasureEntry& entry, const JsonField& json) {
  MeasureSpec spec;
  if (!json.is_sound()) return spec;
  spec.stage = stage_named(entry.stage).value();
  spec.variants = variants_of(entry, spec.stage, json);
  const std::vector<std::string> parts = parts_with(spec.stage);
  spec.parts = entry.part.values;
  for (const std::string& part : spec.parts)
    if (std::ranges::find(parts, part) == parts.end())
      json.at("part").report(unknown_name("part", part, parts));
  if (spec.parts.empty()) spec.parts = {parts.front()};
  spec.modes = entry.cache.values;
  if (spec.modes.empty()) spec.modes = {CacheMode::cold, CacheMode::hot};
  spec.axes = axes_of(entry.axes);
  spec.config = entry.config;
  check_axes(spec, json);
  return spec;
}

StopRule sampling_of(const SamplingEntry& entry, const JsonField& json) {
  StopRule rule;
  rule.min_samples = entry.min_samples.value_or(rule.min_samples);
  rule.max_samples = entry.max_samples.value_or(std::max(rule.max_samples, rule.min_samples));
  rule.max_noise = entry.max_noise.value_or(rule.max_noise);
  rule.max_seconds = entry.max_seconds.value_or(rule.max_seconds);
  if (json.is_sound() && rule.max_samples < rule.min_samples)
    json.report(
        fmt::format("max_samples {} is below min_samples {}", rule.max_samples, rule.min_samples));
  return rule;
}

// The elements of a list; none where there is no list.
std::vector<JsonField> elements_of(const JsonField& json, std::string_view name) {
  const auto list = json.member(name);
  return list && list->value().is_array() ? list->elements() : std::vector<JsonField>{};
}

// The specification of each entry of a list.
template <class Entry, class Make>
auto specs_of(const std::vector<Entry>& entries, const std::vector<JsonField>& elements,
              const Make& make) {
  std::vector<decltype(make(entries.front(), elements.front()))> specs;
  for (size_t i = 0; i < entries.size(); ++i) specs.push_back(make(entries[i], elements[i]));
  return specs;
}

Suite suite_of(const SuiteDocument& document, const JsonField& json) {
  Suite suite;
  suite.name = document.name;
  suite.description = document.description;
  suite.answer = document.answer;
  for (const ProblemEntry& entry : document.problems) suite.problems.push_back(problem_of(entry));
  check_problem_names(elements_of(json, "problems"), suite.problems);
  suite.measure = specs_of(document.measure, elements_of(json, "measure"), measure_of);
  const std::vector<JsonField> ceilings = elements_of(json, "ceilings");
  suite.ceilings = specs_of(document.ceilings, ceilings, measure_of);
  for (size_t i = 0; i < ceilings.size(); ++i)
    if (suite.ceilings[i].tuned())
      ceilings[i].at("config").report("ceilings name their configuration");
  const std::vector<JsonField> train = elements_of(json, "train"),
                               peers = elements_of(json, "peers");
  suite.train = specs_of(document.train, train, train_of);
  check_train_names(suite.train, train);
  suite.peers = specs_of(document.peers, peers, peer_of);
  check_peer_names(suite.peers, peers);
  suite.sampling = sampling_of(document.sampling, member_or_self(json, "sampling"));
  suite.timeout_seconds = document.timeout_seconds;
  return suite;
}

std::map<std::string, std::string>& added_suites() {
  static std::map<std::string, std::string> suites;
  return suites;
}

std::optional<std::string> named_suite(const std::string& name) {
  for (const EmbeddedFile& file : embedded_configs())
    if (file.path == std::string(kSuiteFolder) + name + std::string(kJsonSuffix))
      return std::string(file.content);
  const auto added = added_suites().find(name);
  return added == added_suites().end() ? std::nullopt : std::optional(added->second);
}

}  // namespace

std::string ProblemSpec::name() const {
  if (data.has_sizes()) return data.sizes.text();
  std::string set = data.dataset.empty() ? data.path.stem().string() : data.dataset;
  if (data.scale != 1) set += fmt::format("@{}", data.scale);
  return fmt::format("{}/rank:{}", set, rank);
}

Suite parse_suite(const std::string& text, const std::string& source) {
  const Json json = parse_json(text, source);
  DocumentErrors errors;
  const JsonField root(json, "", &errors);
  const auto document = read_as<SuiteDocument>(root);
  if (!json.is_object()) errors.throw_of("suite " + source);
  Suite suite = suite_of(document, root);
  errors.throw_of("suite " + source);
  suite.hash = Fnv1a128().add(text).hex();
  return suite;
}

std::vector<std::string> suite_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_configs()) {
    if (!file.path.starts_with(kSuiteFolder)) continue;
    std::string_view name = file.path.substr(kSuiteFolder.size());
    name.remove_suffix(kJsonSuffix.size());
    names.emplace_back(name);
  }
  for (const auto& [name, text] : added_suites()) names.push_back(name);
  return names;
}

void add_suite(const std::string& name, std::string text) {
  if (named_suite(name))
    throw UsageError(fmt::format("there is a suite '{}' already; choose another name", name));
  added_suites()[name] = std::move(text);
}

std::filesystem::path suite_file(const std::string& name_or_path) {
  return named_suite(name_or_path) ? "" : name_or_path;
}

std::string suite_text(const std::string& name_or_path) {
  if (auto named = named_suite(name_or_path)) return *std::move(named);
  if (!std::filesystem::exists(name_or_path))
    throw UsageError(unknown_name("suite", name_or_path, suite_names()) + "; nor is it a file");
  return document_text(name_or_path);
}

Suite load_suite(const std::string& name_or_path) {
  return parse_suite(suite_text(name_or_path), name_or_path);
}

}  // namespace alsbench
