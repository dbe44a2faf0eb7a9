// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/suite/suite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/error.h"
#include "base/suggestion.h"
#include "harness/algorithms/algorithms.h"
#include "harness/data/raw_ratings.h"
#include "harness/files/embedded.h"
#include "harness/files/gzip.h"
#include "harness/files/hash.h"
#include "harness/files/strict_json.h"
#include "harness/sweep/suite/suite_reader.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

constexpr std::string_view kSuiteFolder = "configs/suites/";
constexpr std::string_view kJsonSuffix = ".json";
constexpr int32_t kMostRank = 4096;

bool is_roof(Stage stage) { return stage->roof; }
bool any_stage(Stage) { return true; }

std::vector<std::string> stage_names(bool (*wanted)(Stage)) {
  std::vector<std::string> names;
  for (const Stage stage : all_stages())
    if (wanted(stage)) names.emplace_back(name_of(stage));
  return names;
}

// Whether a name is safe in the name of a file, on a terminal and in a table.
bool is_file_name(std::string_view name) {
  constexpr size_t kLongest = 100;
  const auto fits = [](unsigned char c) {
    return (c < 0x80 && std::isalnum(c) != 0) || c == '-' || c == '_' || c == '.';
  };
  return !name.empty() && name.size() <= kLongest && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), fits);
}

// A file or folder that the suite names.
std::filesystem::path read_path(SuiteReader& reader, const Json& json, const std::string& pointer,
                                const char* key) {
  const std::filesystem::path path = reader.text(json, pointer, key, "");
  if (SuiteReader::is_text(json, key) && !std::filesystem::exists(path))
    reader.error(pointer + "/" + key,
                 fmt::format("there is no file or folder '{}'; a path is relative to the working "
                             "directory",
                             path.string()));
  return path;
}

DataRequest read_data(SuiteReader& reader, const Json& json, const std::string& pointer) {
  DataRequest data;
  const bool generated = json.contains("dataset"), from_file = json.contains("path");
  if (generated == from_file)
    reader.error(pointer, generated ? "has both 'dataset' and 'path'; give one of them"
                                    : "needs 'dataset' or 'path'");
  const auto meaningless = [&](const std::string& key, const char* beside) {
    if (json.contains(beside) && json.contains(key))
      reader.error(pointer + "/" + key, fmt::format("has no meaning beside '{}'", beside));
  };
  meaningless("scale", "path");
  for (const char* key : {"format", "columns", "test", "test_fraction", "split_by", "duplicates"})
    meaningless(key, "dataset");
  meaningless("test_fraction", "test");
  meaningless("split_by", "test");
  data.dataset = reader.text(json, pointer, "dataset", "");
  const auto names = dataset_names();
  if (SuiteReader::is_text(json, "dataset") &&
      std::find(names.begin(), names.end(), data.dataset) == names.end())
    reader.error(pointer + "/dataset", unknown_name("data set", data.dataset, names));
  data.scale = reader.number(json, pointer, "scale", 1, 1e-6, 1000);
  data.seed = static_cast<uint64_t>(reader.integer(json, pointer, "seed", 1, 0, int64_t{1} << 53));
  data.path = read_path(reader, json, pointer, "path");
  data.format = reader.text(json, pointer, "format", "");
  if (!data.format.empty()) reader.attempt(pointer + "/format", [&] { format_named(data.format); });
  data.columns = reader.text(json, pointer, "columns", "");
  reader.attempt(pointer + "/columns", [&] { static_cast<void>(ColumnChoice(data.columns)); });
  data.test_path = read_path(reader, json, pointer, "test");
  data.test_fraction = reader.number(json, pointer, "test_fraction", 0.1, 0, 0.9);
  const std::string split_by = reader.text(json, pointer, "split_by", "random");
  reader.attempt(pointer + "/split_by", [&] { data.split_by = split_by_named(split_by); });
  if (!takes_share(data.split_by) && json.contains("test_fraction"))
    reader.error(pointer + "/test_fraction",
                 fmt::format("has no meaning beside the split by {}", split_by));
  const std::string duplicates = reader.text(json, pointer, "duplicates", "error");
  reader.attempt(pointer + "/duplicates", [&] { data.duplicates = duplicates_named(duplicates); });
  return data;
}

ProblemSpec read_problem(SuiteReader& reader, const Json& json, const std::string& pointer) {
  ProblemSpec problem;
  if (!reader.object(json, pointer,
                     {"dataset", "path", "scale", "rank", "lambda", "seed", "format", "columns",
                      "test", "test_fraction", "split_by", "duplicates", "backend"},
                     {}))
    return problem;
  problem.data = read_data(reader, json, pointer);
  problem.rank = static_cast<int32_t>(reader.integer(json, pointer, "rank", 100, 1, kMostRank));
  problem.lambda = static_cast<float>(reader.number(json, pointer, "lambda", 0.05, 0, 1e6));
  const std::vector<Backend> backends = reader.backends(json, pointer);
  if (backends.size() == 1) problem.backend = backends.front();
  return problem;
}

// The named variants of a stage ("*": all that are not hidden) on the backends that have them.
std::vector<const Variant*> read_variants(SuiteReader& reader, const Json& json,
                                          const std::string& pointer, Stage stage) {
  const std::vector<Backend> backends = reader.backends(json, pointer);
  std::vector<std::string> names = reader.texts(json, pointer, "variant");
  if (names.empty()) names = {"*"};
  std::vector<std::string> known;
  std::vector<const Variant*> found;
  for (const Variant& variant : catalog())
    if (variant.stage == stage && !variant.hidden &&
        std::find(known.begin(), known.end(), variant.name) == known.end())
      known.push_back(variant.name);  // several backends may have it
  for (const std::string& name : names) {
    const size_t before = found.size();
    for (const Variant& variant : catalog()) {
      const bool named = name == "*" ? !variant.hidden : variant.name == name;
      if (variant.stage == stage && named &&
          std::find(backends.begin(), backends.end(), variant.backend) != backends.end())
        found.push_back(&variant);
    }
    if (found.size() == before && !backends.empty())
      reader.error(pointer + "/variant",
                   unknown_name(fmt::format("variant of stage {}", name_of(stage)), name, known));
  }
  return found;
}

// Every value of an axis must mean something to some variant.
void check_axes(SuiteReader& reader, const MeasureSpec& spec, const std::string& pointer) {
  for (const Axis& axis : spec.axes)
    for (const std::string& value : axis.values)
      if (const auto problem = axis_problem(spec.variants, axis.name, value)) {
        reader.error(pointer + "/axes/" + axis.name, *problem);
        if (problem->starts_with("unknown parameter")) break;  // the same for every value
      }
  if (spec.tuned() && !spec.axes.empty())
    reader.error(pointer + "/axes",
                 "has no meaning beside config 'tuned', which leaves every "
                 "parameter to the tuning database");
  if (spec.tuned()) return;
  for (const Variant* variant : spec.variants)
    reader.attempt(pointer + "/config", [&] { variant->space.parse(spec.config); });
}

MeasureSpec read_measure(SuiteReader& reader, const Json& json, const std::string& pointer,
                         bool (*wanted)(Stage)) {
  MeasureSpec spec;
  if (!reader.object(json, pointer,
                     {"stage", "variant", "backend", "part", "axes", "config", "cache"}, {"stage"}))
    return spec;
  const std::string stage_text = reader.text(json, pointer, "stage", "");
  const auto stage = stage_named(stage_text);
  if (stage) {
    spec.stage = *stage;
    spec.variants = read_variants(reader, json, pointer, *stage);
  }
  if (SuiteReader::is_text(json, "stage") && !(stage && wanted(*stage)))
    reader.error(pointer + "/stage", unknown_name(wanted == is_roof ? "roof" : "stage", stage_text,
                                                  stage_names(wanted)));
  const std::vector<std::string> parts = stage ? parts_with(*stage) : all_parts();
  for (const std::string& text : reader.texts(json, pointer, "part")) {
    if (std::find(parts.begin(), parts.end(), text) != parts.end())
      spec.parts.push_back(text);
    else
      reader.error(pointer + "/part", unknown_name("part", text, parts));
  }
  if (spec.parts.empty()) spec.parts = {parts.front()};
  for (const std::string& text : reader.texts(json, pointer, "cache")) {
    if (text == "cold" || text == "hot")
      spec.modes.push_back(text == "cold" ? CacheMode::cold : CacheMode::hot);
    else
      reader.error(pointer + "/cache", unknown_name("cache", text, {"cold", "hot"}));
  }
  if (spec.modes.empty()) spec.modes = {CacheMode::cold, CacheMode::hot};
  spec.axes = reader.axes(json, pointer);
  spec.config = reader.text(json, pointer, "config", "");
  if (stage) check_axes(reader, spec, pointer);
  return spec;
}

StopRule read_sampling(SuiteReader& reader, const Json& suite) {
  StopRule rule;
  if (!suite.contains("sampling")) return rule;
  const Json& json = suite["sampling"];
  const std::string pointer = "/sampling";
  if (!reader.object(json, pointer, {"min_samples", "max_samples", "max_noise", "max_seconds"}, {}))
    return rule;
  rule.min_samples = reader.integer(json, pointer, "min_samples", rule.min_samples, 1, 1000000);
  rule.max_samples = reader.integer(json, pointer, "max_samples",
                                    std::max(rule.max_samples, rule.min_samples), 1, 1000000);
  rule.max_noise = reader.number(json, pointer, "max_noise", rule.max_noise, 0, 1);
  rule.max_seconds = reader.number(json, pointer, "max_seconds", rule.max_seconds, 1e-3, 86400);
  if (rule.max_samples < rule.min_samples)
    reader.error(pointer, fmt::format("max_samples {} is below min_samples {}", rule.max_samples,
                                      rule.min_samples));
  return rule;
}

Suite read_suite(SuiteReader& reader, const Json& json) {
  Suite suite;
  if (!reader.object(json, "",
                     {"$schema", "name", "description", "problems", "measure", "train", "peers",
                      "roofs", "sampling", "timeout_seconds"},
                     {"name", "description", "problems"}))
    return suite;
  suite.name = reader.text(json, "", "name", "");
  if (SuiteReader::is_text(json, "name") && !is_file_name(suite.name))
    reader.error("/name", fmt::format("'{}' becomes part of file names; use letters, digits, '-', "
                                      "'_' and '.', at most 100, the first no '.'",
                                      suite.name));
  suite.description = reader.text(json, "", "description", "");
  for (const auto& [problem, pointer] : reader.array(json, "", "problems")) {
    suite.problems.push_back(read_problem(reader, *problem, pointer));
    for (size_t i = 0; i + 1 < suite.problems.size(); ++i)
      if (suite.problems[i].name() == suite.problems.back().name())
        reader.error(pointer, fmt::format("has the same name as /problems/{}: {}; data set, scale "
                                          "and rank must differ",
                                          i, suite.problems[i].name()));
  }
  for (const auto& [measure, pointer] : reader.array(json, "", "measure"))
    suite.measure.push_back(read_measure(reader, *measure, pointer, any_stage));
  for (const auto& [roof, pointer] : reader.array(json, "", "roofs")) {
    suite.roofs.push_back(read_measure(reader, *roof, pointer, is_roof));
    if (suite.roofs.back().tuned())
      reader.error(pointer + "/config", "roofs name their configuration");
  }
  for (const auto& [train, pointer] : reader.array(json, "", "train"))
    suite.train.push_back(read_train(reader, *train, pointer));
  check_train_names(reader, suite.train);
  for (const auto& [peer, pointer] : reader.array(json, "", "peers"))
    suite.peers.push_back(read_peer_spec(reader, *peer, pointer));
  check_peer_names(reader, suite.peers);
  for (const char* list : {"problems", "measure", "train", "peers"})
    if (json.contains(list) && json[list].is_array() && json[list].empty())
      reader.error(std::string("/") + list, "must not be empty; fill it or leave it out");
  if (!json.contains("measure") && !json.contains("train") && !json.contains("peers"))
    reader.error("", "has neither 'measure', nor 'train', nor 'peers'");
  suite.sampling = read_sampling(reader, json);
  suite.timeout_seconds = reader.number(json, "", "timeout_seconds", 60, 0.1, 86400);
  return suite;
}

const EmbeddedFile* shipped_suite(const std::string& name) {
  for (const EmbeddedFile& file : embedded_configs())
    if (file.path == std::string(kSuiteFolder) + name + std::string(kJsonSuffix)) return &file;
  return nullptr;
}

}  // namespace

std::string ProblemSpec::name() const {
  std::string set = data.dataset.empty() ? data.path.stem().string() : data.dataset;
  if (data.scale != 1) set += fmt::format("@{}", data.scale);
  return fmt::format("{}/rank:{}", set, rank);
}

Suite parse_suite(const std::string& text, const std::string& source) {
  const Json json = parse_json(text, source);
  SuiteReader reader;
  Suite suite = read_suite(reader, json);
  if (!reader.errors().empty())
    throw UsageError(fmt::format("suite {} has {} error{}:\n  {}", source, reader.errors().size(),
                                 reader.errors().size() == 1 ? "" : "s",
                                 fmt::join(reader.errors(), "\n  ")));
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
  return names;
}

std::filesystem::path suite_file(const std::string& name_or_path) {
  return shipped_suite(name_or_path) == nullptr ? name_or_path : "";
}

std::string suite_text(const std::string& name_or_path) {
  if (const EmbeddedFile* shipped = shipped_suite(name_or_path))
    return std::string(shipped->content);
  if (!std::filesystem::exists(name_or_path))
    throw UsageError(unknown_name("suite", name_or_path, suite_names()) + "; nor is it a file");
  return document_text(name_or_path);
}

Suite load_suite(const std::string& name_or_path) {
  return parse_suite(suite_text(name_or_path), name_or_path);
}

}  // namespace alsbench
