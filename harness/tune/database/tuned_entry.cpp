// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/database/tuned_entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.h"
#include "harness/record/core_codecs.h"
#include "harness/record/device_name.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

constexpr std::string_view kUnnamedAlgorithm = "als";  // of an entry that names none

int log2_floor(double value) {
  return value > 0 ? static_cast<int>(std::floor(std::log2(value))) : -1;
}

Json to_json(const TunedAccuracy& accuracy, const std::string& metric) {
  return {{"iterations", accuracy.iterations},
          {metric, json_of(accuracy.metric)},
          {"exact_" + metric, json_of(accuracy.exact)},
          {"tolerance", accuracy.tolerance}};
}

const Algorithm& algorithm_of(const JsonField& json) {
  const auto name = json.find("algorithm");
  if (!name) return algorithm_named(kUnnamedAlgorithm);
  try {
    return algorithm_named(name->text());
  } catch (const UsageError& error) {
    name->fail(error.what());
  }
}

TunedAccuracy accuracy_from_json(const JsonField& json, const std::string& metric) {
  return {json.at("iterations").integer32(), json.at(metric).number_or_nan(),
          json.at("exact_" + metric).number_or_nan(), json.at("tolerance").number()};
}

Shape tuned_shape_from_json(const JsonField& json) {
  Shape shape = read_as<Shape>(json);
  if (shape.rows < 0 || shape.cols < 0 || shape.nnz < 0 || shape.rank < 1)
    json.fail("rows, cols and nnz must not be negative, rank at least 1");
  return shape;
}

}  // namespace

void describe(Fields<SearchEffort>& fields) {
  fields.record("search", "The effort of a search.");
  fields("strategy", &SearchEffort::strategy);
  fields("budget_evaluations", &SearchEffort::budget_evaluations, "0: not limited");
  fields("budget_seconds", &SearchEffort::budget_seconds, "0: not limited");
  fields("evaluations", &SearchEffort::evaluations, "distinct configurations measured");
  fields("seed", &SearchEffort::seed);
}

void describe(Fields<EntryProvenance>& fields) {
  using P = EntryProvenance;
  fields("time_utc", &P::time_utc).since("1.0.0");
  fields("version", &P::version).omitted();
  fields("git_commit", &P::git_commit).since("1.0.0");
  fields("git_dirty", &P::git_dirty).omitted();
  fields("compiler", &P::compiler).omitted();
  fields("cuda_toolkit", &P::cuda_toolkit).since("1.0.0").nullable();
  fields("nvrtc", &P::nvrtc).since("1.0.0").nullable();
  fields("driver", &P::driver).since("1.0.0").nullable();
  fields.keep_unknown(&P::unknown);
}

std::string ShapeBucket::text() const {
  return fmt::format("rank:{}/rows:2^{}/cols:2^{}/nnz:2^{}/row:2^{}", rank, rows, cols, nnz,
                     mean_row_length);
}

ShapeBucket bucket_of(const Shape& shape) {
  const auto log2_of = [](int64_t count) {
    return count > 0 ? static_cast<int>(std::bit_width(static_cast<uint64_t>(count))) - 1 : -1;
  };
  return {shape.rank, log2_of(shape.rows), log2_of(shape.cols), log2_of(shape.nnz),
          log2_floor(shape.mean_row_length())};
}

std::string key_of(const TunedEntry& entry) {
  std::string key = fmt::format("{}|{}|{}|{}|{}|{}|{}", device_slug(entry.device.name),
                                entry.device.name, entry.device.multiprocessors, entry.what,
                                entry.part, name_of(entry.goal), bucket_of(entry.shape).text());
  if (entry.members > 1) key += fmt::format("|a team of {}", entry.members);
  if (entry.algorithm->name != kUnnamedAlgorithm)
    key += fmt::format("|{}|{}", entry.algorithm->name, entry.minimised);
  if (entry.what != kWholePipeline)
    key += fmt::format("|{}|{}", name_of(entry.storage.factors), name_of(entry.storage.matrices));
  return key;
}

Json to_json(const TunedEntry& entry) {
  Json json{{"device", to_json(entry.device)}, {"what", entry.what}};
  if (entry.members > 1) json["members"] = entry.members;
  if (entry.algorithm->name != kUnnamedAlgorithm) json["algorithm"] = entry.algorithm->name;
  if (!entry.minimised.empty()) json["minimised"] = entry.minimised;
  json.update({{"part", entry.part},
               {"objective", name_of(entry.goal)},
               {"bucket", bucket_of(entry.shape).text()},
               {"shape", to_json(entry.shape)},
               {"data", entry.data},
               {"storage",
                {{"factors", name_of(entry.storage.factors)},
                 {"matrices", name_of(entry.storage.matrices)}}},
               {"pick", entry.pick},
               {"default_pick", entry.default_pick},
               {"median_seconds", entry.median_seconds},
               {"default_seconds", entry.default_seconds},
               {"speedup_over_default", entry.speedup_over_default()},
               {"ties", entry.ties},
               {"search", to_json(entry.search)},
               {"code_hash", entry.code_hash},
               {"accuracy",
                entry.accuracy ? to_json(*entry.accuracy, entry.algorithm->metric) : Json(nullptr)},
               {"provenance", to_json(entry.provenance)}});
  return json;
}

TunedEntry tuned_entry_from_json(const JsonField& json) {
  TunedEntry entry;
  entry.device = read_as<DeviceTraits>(json.at("device"));
  if (const auto members = json.find("members")) {
    entry.members = members->integer32();
    if (entry.members < 2) members->fail("is below 2; leave it out for a single device");
  }
  entry.what = json.at("what").text();
  if (entry.what != kWholePipeline && !stage_named(entry.what.substr(0, entry.what.find('/'))))
    json.at("what").fail(fmt::format("'{}' is neither a stage nor 'pipeline'", entry.what));
  entry.algorithm = &algorithm_of(json);
  entry.minimised = optional_text(json.find("minimised")).value_or("");
  entry.part = json.at("part").text();
  const std::vector<std::string>& parts = entry.algorithm->parts;
  if (std::find(parts.begin(), parts.end(), entry.part) == parts.end())
    json.at("part").fail(fmt::format("has the unknown value '{}'", entry.part));
  entry.goal = json.at("objective").word(named<Goal>);
  entry.shape = tuned_shape_from_json(json.at("shape"));
  entry.data = json.at("data").text();
  entry.storage.factors = json.at("storage").at("factors").word(scalar_named);
  entry.storage.matrices = json.at("storage").at("matrices").word(scalar_named);
  entry.pick = json.at("pick").text();
  entry.default_pick = json.at("default_pick").text();
  entry.median_seconds = json.at("median_seconds").time();
  entry.default_seconds = json.at("default_seconds").time();
  entry.ties = json.at("ties").texts();
  entry.search = read_as<SearchEffort>(json.at("search"));
  entry.code_hash = json.at("code_hash").text();
  json.at("accuracy");  // is required, and may be null
  entry.accuracy = optional_of(json.find("accuracy"), [&](const JsonField& accuracy) {
    return accuracy_from_json(accuracy, entry.algorithm->metric);
  });
  entry.provenance = read_as<EntryProvenance>(json.at("provenance"));
  return entry;
}

std::vector<PipelineStep> steps_of(const std::string& pick, Backend backend) {
  std::vector<PipelineStep> steps;
  for (size_t begin = 0; begin <= pick.size();) {
    const size_t end = std::min(pick.find('/', begin), pick.size());
    steps.push_back(parse_step(std::string_view(pick).substr(begin, end - begin), backend));
    begin = end + 1;
  }
  return steps;
}

}  // namespace alsbench
