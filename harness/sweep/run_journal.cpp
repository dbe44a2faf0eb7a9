// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/run_journal.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/record/escape.h"
#include "harness/sweep/rates.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

Json json_of(const RunSelection& selection) {
  Json devices = Json::object();
  for (const auto& [id, name] : selection.devices) devices[id] = alsbench::json_of(name);
  return {{"suite_hash", selection.suite_hash},
          {"scale", alsbench::json_of(selection.scale)},
          {"seed", alsbench::json_of(selection.seed)},
          {"devices", std::move(devices)},
          {"sampling", to_json(selection.sampling)},
          {"launches", selection.launches},
          {"hang_timeout", selection.timeout_seconds},
          {"profile", selection.profile},
          {"counters", selection.counters},
          {"build", to_json(selection.build)}};
}

// "scale: 0.1 there, 0.2 here; ..." of two selections, "" when they are equal.
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

int64_t integer_of(const JsonField& field) { return field.integer(); }

void check_head(const std::filesystem::path& path, const Json& first, const RunHead& head) {
  if (const std::string suite = text_at(first, "suite"); suite != head.suite)
    throw UsageError(
        fmt::format("{}: is of suite {}, not of {}", path.string(), visible(suite), head.suite));
  const std::string differing =
      differences(first.value("selection", Json::object()), json_of(head.selection));
  if (!differing.empty())
    throw UsageError(
        fmt::format("{}: is of another run: {}; resume with the command that started it, or "
                    "start afresh with --fresh in place of --resume",
                    path.string(), visible(differing)));
}

}  // namespace

RunJournal RunJournal::create(const std::filesystem::path& path, const RunHead& head) {
  RunJournal run(Journal::create(path, {{"kind", "run"},
                                        {"suite", head.suite},
                                        {"selection", json_of(head.selection)},
                                        {"provenance", to_json(head.provenance)}}));
  run.provenance_ = head.provenance;
  return run;
}

RunJournal RunJournal::resume(const std::filesystem::path& path, const RunHead& head) {
  if (!has_journal(path)) return create(path, head);
  auto [journal, content] = Journal::resume(path);
  if (content.records.empty() || text_at(content.records[0], "kind") != "run")
    throw UsageError(fmt::format("{}: is no journal of a run", path.string()));
  check_head(path, content.records[0], head);
  RunJournal run(std::move(journal));
  run.problems_ = content.problems;
  const auto read = [&](size_t number, const char* field, const auto& codec) {
    return read_record(content, number, path,
                       [&](const JsonField& record) { return codec(record.at(field)); });
  };
  run.provenance_ = read(0, "provenance", provenance_from_json);
  for (size_t i = 1; i < content.records.size(); ++i) {
    const std::string kind = text_at(content.records[i], "kind");
    if (kind == "device") run.keep(read(i, "device", device_record_from_json));
    if (kind == "case")
      run.keep(read(i, "record", case_record_from_json), read(i, "launch", integer_of));
  }
  return run;
}

void RunJournal::add_device(const DeviceRecord& device) {
  if (keep(device)) journal_.append({{"kind", "device"}, {"device", to_json(device)}});
}

void RunJournal::add_record(const CaseRecord& record, int64_t launch) {
  journal_.append({{"kind", "case"}, {"launch", launch}, {"record", to_json(record)}});
  keep(record, launch);
}

bool RunJournal::keep(const DeviceRecord& device) {
  return devices_.emplace(device.id, device).second;
}

void RunJournal::keep(const CaseRecord& record, int64_t launch) {
  const auto [known, added] = index_.try_emplace(record.name, records_.size());
  if (added) records_.emplace_back();
  records_[known->second].insert_or_assign(launch, record);
}

std::optional<Outcome> RunJournal::known(const Case& c, Retry retry, int64_t launch) const {
  const auto found = index_.find(c.name());
  if (found == index_.end()) return std::nullopt;
  for (const auto& [index, record] : records_[found->second]) {
    const Outcome outcome = record.outcome;
    if (index < launch && outcome != Outcome::ok) return outcome;
    if (index != launch) continue;
    const bool again = retry == Retry::failed && failed(outcome);
    const bool complete = outcome != Outcome::ok ||
                          std::all_of(c.modes.begin(), c.modes.end(),
                                      [&](CacheMode mode) { return record.of(mode).has_value(); });
    return complete && !again ? std::optional(outcome) : std::nullopt;
  }
  return std::nullopt;
}

std::vector<CaseRecord> RunJournal::records() const {
  std::vector<CaseRecord> merged;
  for (const std::map<int64_t, CaseRecord>& launches : records_) {
    merged.push_back(launches.begin()->second);
    for (auto next = std::next(launches.begin()); next != launches.end(); ++next)
      merged.back() = merge_launches(merged.back(), next->second);
  }
  return merged;
}

std::vector<DeviceRecord> RunJournal::devices() const {
  std::vector<DeviceRecord> list;
  for (const auto& [name, device] : devices_) list.push_back(device);
  return list;
}

}  // namespace alsbench
