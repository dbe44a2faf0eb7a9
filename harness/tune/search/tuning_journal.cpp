// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/tuning_journal.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "base/error.h"
#include "harness/algorithms/algorithms.h"
#include "harness/files/gzip.h"
#include "harness/record/core_codecs.h"
#include "harness/record/escape.h"
#include "harness/sweep/suite/case.h"
#include "harness/tune/search/tuner_file.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

constexpr const char* kKind = "tuning";
constexpr const char* kEvaluation = "evaluation";

const Json& head_of(const std::filesystem::path& path, const JournalContent& content,
                    const std::string& kind) {
  if (content.records.empty() || text_at(content.records[0], "kind") != kind)
    throw UsageError(fmt::format("{}: is no journal of a {}", path.string(), kind));
  return content.records[0];
}

// Where two searches differ first: "/space/total: 48 there, 24 here".
std::string first_difference(const Json& there, const Json& here) {
  const Json old_values = there.flatten(), new_values = here.flatten();
  for (const auto& [place, value] : new_values.items()) {
    if (!old_values.contains(place)) return fmt::format("{}: missing there", place);
    if (old_values[place] != value)
      return fmt::format("{}: {} there, {} here", place, old_values[place].dump(), value.dump());
  }
  for (const auto& [place, value] : old_values.items())
    if (!new_values.contains(place)) return fmt::format("{}: missing here", place);
  return "";
}

// Whether a configuration means something to this build. It may lack parameters that are newer.
bool fits(const ParameterSpace& space, const Config& config) {
  try {
    space.parse(config.text());
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

SearchPoint point_of(const PointRecord& record, const TuningSearch& search) {
  SearchPoint point{nullptr, record.variant, record.config, {}};
  const auto stage = stage_named(search.stage);
  const Variant* variant =
      stage && search.backend ? find_variant(*stage, record.variant, *search.backend) : nullptr;
  if (variant != nullptr && fits(variant->space, record.config)) point.variant = variant;
  return point;
}

// A measurement, as a journal has it.
struct JournaledEvaluation {
  bool playoff = false;
  EvaluationRecord evaluation;
};
void describe(Fields<JournaledEvaluation>& fields) {
  fields.constant("kind", kEvaluation, {{"const", kEvaluation}});
  fields("playoff", &JournaledEvaluation::playoff);
  fields.inlined(&JournaledEvaluation::evaluation);
}

// The evaluations of a journal, without those of its playoff where these are not asked for.
std::vector<EvaluationRecord> evaluations_of(const JournalContent& content,
                                             const std::filesystem::path& path, bool playoff_too) {
  std::vector<EvaluationRecord> list;
  for (size_t i = 1; i < content.records.size(); ++i) {
    if (text_at(content.records[i], "kind") != kEvaluation) continue;
    JournaledEvaluation record = read_record(content, i, path, read_as<JournaledEvaluation>);
    if (playoff_too || !record.playoff) list.push_back(std::move(record.evaluation));
  }
  return list;
}

}  // namespace

void describe(Fields<SamplingPlan>& fields) {
  fields.record("sampling_plan", "How many samples a search takes.");
  fields("estimate_samples", &SamplingPlan::estimate_samples, "of every point");
  fields("contender_samples", &SamplingPlan::contender_samples, "of a point near the best");
  fields("contender_margin", &SamplingPlan::contender_margin);
  fields("bail_out", &SamplingPlan::bail_out, "times the best, after which no more are taken");
  fields("playoff_samples", &SamplingPlan::playoff_samples, "of every finalist");
  fields("playoff_margin", &SamplingPlan::playoff_margin);
  fields("tie_margin", &SamplingPlan::tie_margin);
}

void describe(Fields<TuningSearch>& fields) {
  fields.record("stage_search_setup", "The setup of a search for a configuration of a stage.");
  fields("stage", &TuningSearch::stage);
  fields("backend", &TuningSearch::backend,
         "null, as are problem and data: of a recording from outside");
  fields("part", &TuningSearch::part, "of the model, that the stage updates");
  fields("device", &TuningSearch::device, "its name");
  fields("problem", &TuningSearch::problem);
  fields("data", &TuningSearch::data);
  fields("space", &TuningSearch::space);
  fields("sampling", &TuningSearch::sampling);
  fields("strategy", &TuningSearch::strategy);
  fields("passes", &TuningSearch::passes);
  fields("seed", &TuningSearch::seed);
  fields("kernels", &TuningSearch::kernels, "custom ones that the program was given").omitted();
  fields("also", &TuningSearch::also, "further problems, whose times count as well").omitted();
}

void describe(Fields<TuningHead>& fields) {
  fields.constant("kind", kKind, {{"const", kKind}});
  fields("search", &TuningHead::search);
  fields("device", &TuningHead::device,
         "null, as are shape and provenance: of a recording from outside");
  fields("shape", &TuningHead::shape);
  fields("provenance", &TuningHead::provenance);
}

std::vector<Evaluation> joined(const std::vector<Evaluation>& list) {
  std::vector<Evaluation> result;
  std::map<size_t, size_t> index;
  for (const Evaluation& evaluation : list) {
    const auto [entry, added] = index.try_emplace(evaluation.point, result.size());
    if (added)
      result.push_back(evaluation);
    else
      result[entry->second].join(evaluation);
  }
  return result;
}

ResumedJournal resume_journal(const std::filesystem::path& path, const Json& head) {
  if (!has_journal(path)) {
    JournalContent content;
    content.records.push_back(head);
    return {Journal::create(path, head), content};
  }
  ResumedJournal resumed = Journal::resume(path);
  const std::string kind = head.at("kind");
  const Json& first = head_of(path, resumed.content, kind);
  const std::string difference = first_difference(first.value("search", Json()), head.at("search"));
  if (!difference.empty())
    throw UsageError(
        fmt::format("{}: is of another tuning ({}); resume with the command that "
                    "started it, or start afresh with --fresh in place of --resume",
                    path.string(), visible(difference)));
  return resumed;
}

TuningJournal TuningJournal::create(const std::filesystem::path& path, const TuningHead& head) {
  return TuningJournal(Journal::create(path, to_json(head)));
}

TuningJournal TuningJournal::resume(const std::filesystem::path& path, const TuningHead& head,
                                    const SearchSpace& space) {
  ResumedJournal resumed = resume_journal(path, to_json(head));
  TuningJournal journal(std::move(resumed.journal));
  journal.problems_ = resumed.content.problems;
  std::vector<Evaluation> list;
  for (const EvaluationRecord& record : evaluations_of(resumed.content, path, false))
    list.push_back(of_journal(path, [&] { return evaluation_of(record, space); }));
  journal.known_ = joined(list);
  return journal;
}

void TuningJournal::add(const Evaluation& evaluation, const SearchSpace& space, bool playoff) {
  journal_.append(to_json(JournaledEvaluation{playoff, record_of(evaluation, space)}));
}

void expect_work(Recording& recording) {
  const TuningSearch& search = recording.head.search;
  if (!search.data || !search.problem) return;
  Shape shape;
  shape.rows = search.data->users;
  shape.cols = search.data->items;
  if (search.part != all_parts().front())  // of users, the others of items
    std::swap(shape.rows, shape.cols);
  shape.nnz = search.data->train_ratings;
  shape.rank = search.problem->rank;
  recording.space.expect(shape);
}

Recording read_recording(const std::filesystem::path& path) {
  const std::string text = document_text(path);
  if (is_tuner_file(text)) return read_tuner_file(text, path.string());
  const JournalContent content = parse_journal(text);
  head_of(path, content, kKind);
  Recording recording;
  recording.problems = content.problems;
  recording.head = read_record(content, 0, path, read_as<TuningHead>);
  const std::vector<EvaluationRecord> records = evaluations_of(content, path, true);
  std::vector<SearchPoint> points;
  std::set<std::string> seen;
  for (const EvaluationRecord& record : records)
    if (seen.insert(record.point.text()).second)
      points.push_back(point_of(record.point, recording.head.search));
  if (points.empty())
    throw UsageError(fmt::format("{}: holds no evaluation to replay", path.string()));
  const TuningSearch& search = recording.head.search;
  recording.space = SearchSpace(std::move(points), search.space.default_point.text());
  expect_work(recording);
  std::vector<Evaluation> list;
  for (const EvaluationRecord& record : records)
    list.push_back(evaluation_of(record, recording.space));
  recording.evaluations = joined(list);
  return recording;
}

}  // namespace alsbench
