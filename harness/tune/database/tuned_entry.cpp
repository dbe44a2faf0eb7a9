// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/database/tuned_entry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.h"
#include "harness/record/core_codecs.h"
#include "harness/record/device_record.h"
#include "harness/record/document.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

int log2_floor(double value) {
  return value > 0 ? static_cast<int>(std::floor(std::log2(value))) : -1;
}

const Algorithm& algorithm_of(const JsonField& json) {
  try {
    return algorithm_named(json.text());
  } catch (const UsageError& error) {
    json.fail(error.what());
  }
}

void check_entry(const JsonField& json, const TunedEntry& entry) {
  // One with sizes may be of a custom kernel, which this process was not given.
  const bool custom = !entry.shape.sizes.entries().empty();
  if (!custom && entry.what != kWholePipeline &&
      !stage_named(entry.what.substr(0, entry.what.find('/'))))
    json.at("what").fail(fmt::format("'{}' is neither a stage nor 'pipeline'", entry.what));
  const std::vector<std::string>& parts = entry.algorithm->parts;
  if (std::ranges::find(parts, entry.part) == parts.end())
    json.at("part").fail(fmt::format("has the unknown value '{}'", entry.part));
  if (entry.shape.rank < 1) json.at("shape").fail("its rank must be at least 1");
}

bool same_parameters(const Config& a, const Config& b) {
  return std::equal(a.entries().begin(), a.entries().end(), b.entries().begin(), b.entries().end(),
                    [](const auto& one, const auto& other) { return one.first == other.first; });
}

// The settings in which `other` differs; nothing where the two are not of the same variants.
std::optional<std::string> difference(const std::vector<StepRecord>& pick,
                                      const std::vector<StepRecord>& other) {
  if (pick.size() != other.size()) return std::nullopt;
  std::vector<std::string> found;
  for (size_t i = 0; i < pick.size(); ++i) {
    const StepRecord &mine = pick[i], &theirs = other[i];
    if (mine.stage != theirs.stage || mine.variant != theirs.variant ||
        !same_parameters(mine.config, theirs.config))
      return std::nullopt;
    for (const auto& [name, value] : theirs.config.entries())
      if (!mine.config.is(name, value))
        found.push_back(
            fmt::format("{}{}={}", pick.size() > 1 ? mine.stage + ":" : "", name, value));
  }
  return fmt::format("{}", fmt::join(found, ","));
}

}  // namespace

void describe(Fields<SearchEffort>& fields) {
  fields.record("search_effort", "The effort of a search.");
  fields("strategy", &SearchEffort::strategy);
  fields("budget_evaluations", &SearchEffort::budget_evaluations, "0: not limited");
  fields("budget_seconds", &SearchEffort::budget_seconds, "0: not limited");
  fields("evaluations", &SearchEffort::evaluations, "distinct configurations measured");
  fields("seed", &SearchEffort::seed);
}

void describe(Fields<EntryProvenance>& fields) {
  fields.record("entry_provenance", "Where an entry was measured.");
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
  if (!sizes.empty()) return sizes;
  return fmt::format("rank:{}/rows:2^{}/cols:2^{}/nnz:2^{}/row:2^{}", rank, rows, cols, nnz,
                     mean_row_length);
}

ShapeBucket bucket_of(const Shape& shape) {
  const auto log2_of = [](int64_t count) {
    return count > 0 ? static_cast<int>(std::bit_width(static_cast<uint64_t>(count))) - 1 : -1;
  };
  return {shape.rank,
          log2_of(shape.rows),
          log2_of(shape.cols),
          log2_of(shape.nnz),
          log2_floor(shape.mean_row_length()),
          shape.sizes.text()};
}

std::string key_of(const TunedEntry& entry) {
  std::string key = fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", device_slug(entry.device.name),
                                entry.device.name, entry.device.multiprocessors, entry.what,
                                entry.part, name_of(entry.goal), bucket_of(entry.shape).text(),
                                entry.algorithm->name, entry.minimised, entry.members);
  if (entry.what != kWholePipeline)
    key += fmt::format("|{}|{}", name_of(entry.storage.factors), name_of(entry.storage.matrices));
  return key;
}

void describe(Fields<TunedAccuracy>& fields) {
  using A = TunedAccuracy;
  fields.record("accuracy", "The metric with which a pipeline was accepted.");
  fields("metric", &A::metric, "its name");
  fields("iterations", &A::iterations).range(Range::Kind::from_1);
  fields("test_metric", &A::test, "of the training ratings where there are no test ratings")
      .nullable();
  fields("exact_metric", &A::exact, "of the exact FP32 pipeline").nullable();
  fields("tolerance", &A::tolerance, "test_metric <= exact_metric * (1 + tolerance) was asked")
      .range(Range::Kind::from_0);
}

void describe(Fields<TunedTraining>& fields) {
  fields.record("tuned_training", "Whose parts were tuned.");
  fields("algorithm", &TunedTraining::algorithm);
  fields("minimised", &TunedTraining::minimised,
         "hyper-parameters that say what is minimised: name=value,...; absent: there are none")
      .omitted();
}

const Type& type_for(const Scalar*) {
  static const types::FormedType<Scalar> type(
      [](const Scalar& scalar) { return Json(name_of(scalar)); },
      [](const JsonField& json) { return json.word(scalar_named); },
      [](Definitions&) {
        Json names = Json::array();
        for (const Scalar scalar : all_scalars()) names.push_back(name_of(scalar));
        return Json{{"enum", std::move(names)}};
      });
  return type;
}

void describe(Fields<Storage>& fields) {
  fields.record("storage", "Storage types of a pipeline.");
  fields("factors", &Storage::factors);
  fields("matrices", &Storage::matrices);
}

void describe(Fields<TunedEntry>& fields) {
  using E = TunedEntry;
  const Json text{{"type", "string"}};
  fields.record("entry", "The choice for one device, shape and objective.");
  fields("device", &E::device);
  fields("what", &E::what, "a stage, one of its variants (stage/variant), or pipeline");
  fields("members", &E::members, "such devices, of a team").range(Range::Kind::from_1);
  fields.custom(
      "algorithm", [](const E& entry) { return Json(entry.algorithm->name); },
      [](const JsonField& json, E& entry) { entry.algorithm = &algorithm_of(json); }, text);
  fields("minimised", &E::minimised,
         "hyper-parameters that say what is minimised: name=value,...; absent: there are none")
      .omitted();
  fields("part", &E::part, "of the model");
  fields("objective", &E::goal);
  fields.derived(
      "bucket", [](const E& entry) { return Json(bucket_of(entry.shape).text()); }, text,
      "the shapes that it stands for");
  fields("shape", &E::shape, "that it was measured at");
  fields("data", &E::data, "name of the problem");
  fields("storage", &E::storage, "of the pick");
  fields("pick", &E::pick, "its steps; of a stage, one").range(Range::Kind::not_empty);
  fields("default_pick", &E::default_pick, "what it is compared with")
      .range(Range::Kind::not_empty);
  fields("median_seconds", &E::median_seconds).range(Range::Kind::time);
  fields("default_seconds", &E::default_seconds).range(Range::Kind::time);
  fields.derived(
      "speedup_over_default", [](const E& entry) { return Json(entry.speedup_over_default()); },
      {{"type", "number"}}, "default_seconds / median_seconds");
  fields("ties", &E::ties, "picks that could not be told from this one, itself among them");
  fields("search", &E::search);
  fields("code_hash", &E::code_hash, "of the kernels that it was measured with; empty: not known");
  fields("accuracy", &E::accuracy, "null: of a stage");
  fields("provenance", &E::provenance);
  fields.check([](const JsonField& json, E& entry) { check_entry(json, entry); });
}

void describe(Fields<TunedDocument>& fields) {
  fields.record("", "A file of the tuning database (`results/tuned`, and the user's own).");
  describe_document(fields, "tuned");
  fields("entries", &TunedDocument::entries, "in order of what they answer");
}

std::string ties_text(const std::vector<StepRecord>& pick,
                      const std::vector<std::vector<StepRecord>>& ties, const std::string& indent) {
  constexpr size_t kShown = 3;
  std::string text;
  size_t others = 0;
  for (const std::vector<StepRecord>& tied : ties) {
    if (tied == pick || ++others > kShown) continue;
    const auto differs = difference(pick, tied);
    text += fmt::format("{}tied with {}\n", indent,
                        differs ? "the same, but " + *differs : text_of(tied));
  }
  if (others > kShown)
    text += fmt::format("{}tied with {} more, which --json names\n", indent, others - kShown);
  return text;
}

}  // namespace alsbench
