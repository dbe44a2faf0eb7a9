// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/run_journal.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "harness/record/escape.h"
#include "harness/sweep/rates.h"

namespace alsbench {
namespace {

int64_t integer_of(const JsonField& field) { return field.integer(); }

SuiteRecord suite_of(const JsonField& head) {
  const JsonField selection = head.at("selection");
  const Json suite{{"name", head.at("suite").value()},
                   {"description", head.at("description").value()},
                   {"answer", head.at("answer").value()},
                   {"hash", selection.at("suite_hash").value()},
                   {"sampling", selection.at("sampling").value()},
                   {"timeout_seconds", selection.at("hang_timeout").value()}};
  selection.at("launches").integer();
  return read_as<SuiteRecord>(JsonField(suite));
}

// Of launches (from 0) in their order, whether no other is needed.
bool complete(const std::map<int64_t, CaseRecord>& launches, int64_t wanted) {
  return static_cast<int64_t>(launches.size()) >= wanted ||
         launches.rbegin()->second.outcome != Outcome::ok;
}

CaseRecord merged(const std::map<int64_t, CaseRecord>& launches) {
  CaseRecord record = launches.begin()->second;
  for (auto next = std::next(launches.begin()); next != launches.end(); ++next)
    record = merge_launches(record, next->second);
  return record;
}

void check_head(const std::filesystem::path& path, const Json& first, const RunHead& head) {
  if (text_at(first, "kind") != "run")
    throw UsageError(fmt::format("{}: is no journal of a run", path.string()));
  if (const std::string suite = text_at(first, "suite"); suite != head.suite)
    throw UsageError(
        fmt::format("{}: is of suite {}, not of {}", path.string(), visible(suite), head.suite));
  const std::string differing =
      differences(first.value("selection", Json::object()), to_json(head.selection));
  if (!differing.empty())
    throw UsageError(
        fmt::format("{}: is of another run: {}; resume with the command that started it, or "
                    "start afresh with --fresh in place of --resume",
                    path.string(), visible(differing)));
}

// Another machine, or other variables of its environment.
bool elsewhere(const Provenance& there, const Provenance& here) {
  return to_json(there).at("host") != to_json(here).at("host");
}

}  // namespace

RunRecords::RunRecords(const RunHead& head)
    : suite_{head.suite,
             head.description,
             head.answer,
             head.selection.suite_hash,
             head.selection.sampling,
             head.selection.timeout_seconds},
      selection_(to_json(head.selection)),
      shards_{{head.shard, head.provenance, {}}} {}

RunRecords::RunRecords(const JournalContent& content, const std::filesystem::path& path)
    : problems_(content.problems) {
  if (content.records.empty() || text_at(content.records[0], "kind") != "run")
    throw UsageError(fmt::format("{}: is no journal of a run", path.string()));
  const auto read = [&](size_t number, const char* field, const auto& codec) {
    return read_record(content, number, path,
                       [&](const JsonField& record) { return codec(record.at(field)); });
  };
  suite_ = read_record(content, 0, path, suite_of);
  selection_ = content.records[0].at("selection");
  resume_as(read(0, "shard", read_as<ShardRecord>), read(0, "provenance", read_as<Provenance>));
  for (size_t i = 1; i < content.records.size(); ++i) {
    const std::string kind = text_at(content.records[i], "kind");
    if (kind == "resumed")
      resume_as(read(i, "shard", read_as<ShardRecord>), read(i, "provenance", read_as<Provenance>));
    if (kind == "device") keep(read(i, "device", read_as<DeviceRecord>));
    if (kind == "case") keep(read(i, "record", read_as<CaseRecord>), read(i, "launch", integer_of));
  }
}

void RunRecords::resume_as(const ShardRecord& shard, const Provenance& provenance) {
  shards_.push_back({shard, provenance, {}});
}

bool RunRecords::keep(const DeviceRecord& device) {
  std::vector<DeviceRecord>& devices = shards_.back().devices;
  if (std::ranges::any_of(devices,
                          [&](const DeviceRecord& known) { return known.id == device.id; }))
    return false;
  devices.push_back(device);
  return true;
}

void RunRecords::keep(CaseRecord record, int64_t launch) {
  const auto [known, added] = index_.try_emplace(record.name, records_.size());
  if (added) records_.emplace_back();
  record.shard = static_cast<int64_t>(shards_.size()) - 1;
  records_[known->second].insert_or_assign(launch, std::move(record));
}

std::optional<Outcome> RunRecords::known(const Case& c, Retry retry, int64_t launch) const {
  const auto found = index_.find(c.name());
  if (found == index_.end()) return std::nullopt;
  for (const auto& [index, record] : records_[found->second]) {
    const Outcome outcome = record.outcome;
    if (index < launch && outcome != Outcome::ok) return outcome;
    if (index != launch) continue;
    const bool again = retry == Retry::failed && failed(outcome);
    const bool measured =
        outcome != Outcome::ok ||
        std::ranges::all_of(c.modes, [&](CacheMode mode) { return record.of(mode).has_value(); });
    return measured && !again ? std::optional(outcome) : std::nullopt;
  }
  return std::nullopt;
}

std::vector<CaseRecord> RunRecords::records() const {
  std::vector<CaseRecord> list;
  for (const auto& launches : records_) list.push_back(merged(launches));
  return list;
}

ResultDocument RunRecords::document() const {
  ResultDocument document;
  document.provenance = shards_.front().provenance;
  document.suite = suite_;
  document.selection = selection_;
  document.shards = shards_;
  for (const auto& launches : records_)
    if (complete(launches, selection_.at("launches").get<int64_t>()))
      document.cases.push_back(merged(launches));
  return document;
}

Json to_json(const RunSelection& selection) {
  Json devices = Json::object();
  for (const auto& [id, name] : selection.devices) devices[id] = json_of(name);
  Json json{{"suite_hash", selection.suite_hash},
            {"scale", json_of(selection.scale)},
            {"seed", json_of(selection.seed)},
            {"devices", std::move(devices)},
            {"sampling", to_json(selection.sampling)},
            {"launches", selection.launches},
            {"hang_timeout", selection.timeout_seconds},
            {"profile", selection.profile},
            {"counters", selection.counters},
            {"energy", selection.energy},
            {"build", to_json(selection.build)}};
  for (const KernelsProvenance& kernels : selection.kernels)
    json["kernels"][kernels.name] = kernels.hash;
  return json;
}

Json to_json(const RunHead& head) {
  return {{"kind", "run"},
          {"suite", head.suite},
          {"description", head.description},
          {"answer", name_of(head.answer)},
          {"selection", to_json(head.selection)},
          {"shard", to_json(head.shard)},
          {"provenance", to_json(head.provenance)}};
}

std::string differences(const Json& there, const Json& here) {
  const Json flat_there = there.flatten(), flat_here = here.flatten();
  std::string text;
  const auto add = [&](const std::string& place, const std::string& old_value,
                       const std::string& new_value) {
    text += fmt::format("{}{}: {} there, {} here", text.empty() ? "" : "; ",
                        place.substr(std::min<size_t>(1, place.size())), old_value, new_value);
  };
  for (const auto& [place, value] : flat_there.items())
    if (!flat_here.contains(place))
      add(place, value.dump(), "nothing");
    else if (flat_here[place] != value)
      add(place, value.dump(), flat_here[place].dump());
  for (const auto& [place, value] : flat_here.items())
    if (!flat_there.contains(place)) add(place, "nothing", value.dump());
  return text;
}

RunJournal RunJournal::create(const std::filesystem::path& path, const RunHead& head) {
  return {Journal::create(path, to_json(head)), RunRecords(head)};
}

RunJournal RunJournal::resume(const std::filesystem::path& path, const RunHead& head) {
  if (!has_journal(path)) return create(path, head);
  auto [journal, content] = Journal::resume(path);
  check_head(path, content.records.empty() ? Json::object() : content.records[0], head);
  RunJournal run(std::move(journal), RunRecords(content, path));
  const MeasuredShard& last = run.kept_.last_shard();
  if (!(last.shard == head.shard) || elsewhere(last.provenance, head.provenance)) {
    run.journal_.append({{"kind", "resumed"},
                         {"shard", to_json(head.shard)},
                         {"provenance", to_json(head.provenance)}});
    run.kept_.resume_as(head.shard, head.provenance);
  }
  return run;
}

void RunJournal::add_device(const DeviceRecord& device) {
  if (kept_.keep(device)) journal_.append({{"kind", "device"}, {"device", to_json(device)}});
}

void RunJournal::add_record(const CaseRecord& record, int64_t launch) {
  journal_.append({{"kind", "case"}, {"launch", launch}, {"record", to_json(record)}});
  kept_.keep(record, launch);
}

}  // namespace alsbench
