// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/tuning_journal.h"

#include <fmt/format.h>

#include <map>

#include "harness/algorithms/algorithms.h"
#include "harness/files/gzip.h"
#include "harness/record/core_codecs.h"
#include "variants/catalog.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

constexpr const char* kKind = "tuning";

const Json& head_of(const std::filesystem::path& path, const JournalContent& content,
                    const std::string& kind) {
  if (content.records.empty() || content.records[0].value("kind", "") != kind)
    throw UsageError(fmt::format("{}: is no journal of a {}", path.string(), kind));
  return content.records[0];
}

Json json_of(const TuningHead& head) {
  return {{"kind", kKind},
          {"search", head.search},
          {"device", to_json(head.device)},
          {"shape", to_json(head.shape)},
          {"provenance", to_json(head.provenance)}};
}

TuningHead head_from_json(const std::filesystem::path& path, const Json& json) {
  try {
    const JsonField fields(json);
    return {json.at("search"), device_record_from_json(fields.at("device")),
            shape_from_json(fields.at("shape")), provenance_from_json(fields.at("provenance"))};
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: is damaged: {}", path.string(), error.what()));
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

SearchPoint point_of(const std::string& text, const Json& search) {
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
  const auto stage = stage_named(search.value("stage", ""));
  const auto backend = backend_named(search.value("backend", ""));
  if (stage && backend) point.variant = find_variant(*stage, point.variant_name, *backend);
  return point;
}

}  // namespace

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
  const Json& first = head_of(path, resumed.content, head.at("kind"));
  const std::string difference = first_difference(first.at("search"), head.at("search"));
  if (!difference.empty())
    throw UsageError(
        fmt::format("{}: is of another tuning ({}); resume with the command that "
                    "started it, or start afresh with --fresh in place of --resume",
                    path.string(), difference));
  return resumed;
}

TuningJournal TuningJournal::create(const std::filesystem::path& path, const TuningHead& head) {
  return TuningJournal(Journal::create(path, json_of(head)));
}

TuningJournal TuningJournal::resume(const std::filesystem::path& path, const TuningHead& head,
                                    const SearchSpace& space) {
  ResumedJournal resumed = resume_journal(path, json_of(head));
  TuningJournal journal(std::move(resumed.journal));
  journal.problems_ = resumed.content.problems;
  std::vector<Evaluation> list;
  for (const Json& record : resumed.content.records)
    if (record.value("kind", "") == "evaluation" && !record.at("playoff").get<bool>())
      list.push_back(evaluation_from_json(record, space));
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
  const Json& search = recording.head.search;
  const Json data = search.value("data", Json::object());
  if (!data.contains("users")) return;
  Shape shape;
  shape.rows = data.at("users");
  shape.cols = data.at("items");
  const std::string first = all_parts().front();  // of users, the others of items
  if (search.value("side", first) != first) std::swap(shape.rows, shape.cols);
  shape.nnz = data.at("train_ratings");
  shape.rank = search.at("problem").at("rank");
  recording.space.expect(shape);
}

}  // namespace

Recording read_recording(const std::filesystem::path& path) {
  const JournalContent content = parse_journal(read_whole_file_unzipped(path));
  const Json& first = head_of(path, content, kKind);
  Recording recording;
  recording.problems = content.problems;
  recording.head = head_from_json(path, first);
  std::vector<SearchPoint> points;
  std::map<std::string, size_t> seen;
  for (const Json& record : content.records) {
    if (record.value("kind", "") != "evaluation") continue;
    const std::string text = record.at("point");
    if (seen.emplace(text, points.size()).second)
      points.push_back(point_of(text, recording.head.search));
  }
  if (points.empty())
    throw UsageError(fmt::format("{}: holds no evaluation to replay", path.string()));
  recording.space = SearchSpace(std::move(points), recording.head.search.at("space").at("default"));
  expect_work(recording);
  std::vector<Evaluation> list;
  for (const Json& record : content.records)
    if (record.value("kind", "") == "evaluation")
      list.push_back(evaluation_from_json(record, recording.space));
  recording.evaluations = joined(list);
  return recording;
}

}  // namespace alsbench
