// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/tuning_journal.h"

#include <fmt/format.h>

#include <map>

#include "base/error.h"
#include "harness/algorithms/algorithms.h"
#include "harness/files/gzip.h"
#include "harness/record/core_codecs.h"
#include "harness/record/escape.h"
#include "harness/sweep/suite/case.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

constexpr const char* kKind = "tuning";

const Json& head_of(const std::filesystem::path& path, const JournalContent& content,
                    const std::string& kind) {
  if (content.records.empty() || text_at(content.records[0], "kind") != kind)
    throw UsageError(fmt::format("{}: is no journal of a {}", path.string(), kind));
  return content.records[0];
}

// The evaluations of a journal, without those of its playoff where these are not asked for.
template <class Read>
void each_evaluation(const JournalContent& content, const std::filesystem::path& path,
                     bool playoff_too, const Read& read) {
  for (size_t i = 1; i < content.records.size(); ++i) {
    if (text_at(content.records[i], "kind") != "evaluation") continue;
    read_record(content, i, path, [&](const JsonField& record) {
      if (playoff_too || !record.at("playoff").boolean()) read(record);
      return true;
    });
  }
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

SearchPoint point_of(const std::string& text, const TuningSearch& search) {
  const size_t colon = std::min(text.find(':'), text.size());
  std::vector<std::pair<std::string, std::string>> entries;
  for (size_t begin = colon + 1; begin < text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string item = text.substr(begin, end - begin);
    const size_t equals = item.find('=');
    if (equals == std::string::npos)
      throw UsageError(
          fmt::format("'{}' is no point: '{}' is not of the form name=value", text, item));
    entries.emplace_back(item.substr(0, equals), item.substr(equals + 1));
    begin = end + 1;
  }
  SearchPoint point{nullptr, text.substr(0, colon), Config(std::move(entries)), {}};
  const auto stage = stage_named(search.stage);
  const Variant* variant =
      stage ? find_variant(*stage, point.variant_name, search.backend) : nullptr;
  if (variant != nullptr && fits(variant->space, point.config)) point.variant = variant;
  return point;
}

}  // namespace

void describe(Fields<SamplingPlan>& fields) {
  fields("estimate_samples", &SamplingPlan::estimate_samples, "of every point");
  fields("contender_samples", &SamplingPlan::contender_samples, "of a point near the best");
  fields("contender_margin", &SamplingPlan::contender_margin);
  fields("bail_out", &SamplingPlan::bail_out, "times the best, after which no more are taken");
  fields("playoff_samples", &SamplingPlan::playoff_samples, "of every finalist");
  fields("playoff_margin", &SamplingPlan::playoff_margin);
  fields("tie_margin", &SamplingPlan::tie_margin);
}

void describe(Fields<TuningSearch>& fields) {
  fields("stage", &TuningSearch::stage);
  fields("backend", &TuningSearch::backend);
  fields("part", &TuningSearch::part);
  fields("device", &TuningSearch::device, "its name");
  fields("problem", &TuningSearch::problem);
  fields("data", &TuningSearch::data);
  fields("space", &TuningSearch::space);
  fields("sampling", &TuningSearch::sampling);
  fields("strategy", &TuningSearch::strategy);
  fields("passes", &TuningSearch::passes);
  fields("seed", &TuningSearch::seed);
}

void describe(Fields<TuningHead>& fields) {
  fields.derived("kind", [](const TuningHead&) { return Json(kKind); }, {{"const", kKind}});
  fields("search", &TuningHead::search);
  fields("device", &TuningHead::device);
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
  each_evaluation(resumed.content, path, false, [&](const JsonField& record) {
    list.push_back(evaluation_from_json(record, space));
  });
  journal.known_ = joined(list);
  return journal;
}

void TuningJournal::add(const Evaluation& evaluation, const SearchSpace& space, bool playoff) {
  Json record{{"kind", "evaluation"}, {"playoff", playoff}};
  record.update(to_json(evaluation, space));
  journal_.append(record);
}

namespace {

// What a live search knows beforehand, from the head's sizes.
void expect_work(Recording& recording) {
  const TuningSearch& search = recording.head.search;
  Shape shape;
  shape.rows = search.data.users;
  shape.cols = search.data.items;
  if (search.part != all_parts().front())  // of users, the others of items
    std::swap(shape.rows, shape.cols);
  shape.nnz = search.data.train_ratings;
  shape.rank = search.problem.rank;
  recording.space.expect(shape);
}

}  // namespace

Recording read_recording(const std::filesystem::path& path) {
  const JournalContent content = parse_journal(document_text(path));
  head_of(path, content, kKind);
  Recording recording;
  recording.problems = content.problems;
  recording.head = read_record(content, 0, path, read_as<TuningHead>);
  std::vector<SearchPoint> points;
  std::map<std::string, size_t> seen;
  each_evaluation(content, path, true, [&](const JsonField& record) {
    const std::string text = record.at("point").text();
    if (seen.emplace(text, points.size()).second)
      points.push_back(point_of(text, recording.head.search));
  });
  if (points.empty())
    throw UsageError(fmt::format("{}: holds no evaluation to replay", path.string()));
  recording.space = SearchSpace(std::move(points), recording.head.search.space.default_point);
  expect_work(recording);
  std::vector<Evaluation> list;
  each_evaluation(content, path, true, [&](const JsonField& record) {
    list.push_back(evaluation_from_json(record, recording.space));
  });
  recording.evaluations = joined(list);
  return recording;
}

}  // namespace alsbench
