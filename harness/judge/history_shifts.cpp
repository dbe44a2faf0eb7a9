// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/history_shifts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "harness/files/strict_json.h"
#include "harness/judge/statistics.h"
#include "harness/record/document.h"

namespace alsbench {
namespace {

std::vector<double> logs_of(const std::vector<double>& ratios) {
  std::vector<double> logs;
  for (const double ratio : ratios) logs.push_back(std::log(ratio));
  return logs;
}

// Of a series as a whole, whose clearest change may be at any of its places.
double p_of_series(const std::vector<ChangePoint>& points) {
  double minimum = 1;
  for (const ChangePoint& point : points) minimum = std::min(minimum, point.p);
  return minimum;
}

Shift shift_of(size_t series, const ChangePoint& point, double adjusted_p) {
  const CaseComparison& c = point.comparison;
  return {series,          point.at,     c.ratio,
          c.ratio_low,     c.ratio_high, std::max(adjusted_p, c.adjusted_p),
          point.creep_last};
}

// The places of a series of so many runs at which a shift can be told.
std::pair<size_t, size_t> testable_places(int64_t runs, int64_t family, const ChangeRules& rules) {
  std::pair<size_t, size_t> told{0, 0};
  for (int64_t at = rules.fewest; at + rules.fewest <= runs; ++at) {
    if (!can_be_significant(at, runs - at, rules.alpha, places_of(runs, rules) * family)) continue;
    if (told.first == 0) told.first = static_cast<size_t>(at);
    told.second = static_cast<size_t>(at);
  }
  return told;
}

// Whether no later series has taken the place of each one, of another driver or other controls.
std::vector<bool> still_running(const std::vector<HistorySeries>& series) {
  std::map<std::pair<std::string, std::string>, size_t> latest;
  for (size_t s = 0; s < series.size(); ++s) {
    const auto [known, added] = latest.try_emplace({series[s].name, series[s].device}, s);
    if (series[s].runs.back() > series[known->second].runs.back()) known->second = s;
  }
  std::vector<bool> going(series.size(), false);
  for (const auto& [name, s] : latest) going[s] = true;
  return going;
}

// Counts the places that can be told, and lists the series that have others.
void find_short_series(const std::vector<HistorySeries>& series, const ChangeRules& rules,
                       ShiftSearch& search) {
  const auto family = static_cast<int64_t>(series.size());
  search.runs_needed = values_needed(family, rules);
  const std::vector<bool> going = still_running(series);
  std::map<size_t, ShortSeries> by_length;
  for (size_t s = 0; s < series.size(); ++s) {
    const size_t runs = series[s].ratio.size();
    const auto [first, last] = testable_places(static_cast<int64_t>(runs), family, rules);
    search.places += first > 0 ? static_cast<int64_t>(last - first + 1) : 0;
    if (!going[s]) continue;
    if (static_cast<int64_t>(runs) >= search.runs_needed) {
      search.any_testable = true;
      continue;
    }
    ShortSeries& same =
        by_length.try_emplace(runs, ShortSeries{runs, {}, first, last}).first->second;
    same.series.push_back(s);
  }
  for (auto& [runs, same] : by_length) search.too_short.push_back(std::move(same));
}

void check_accepted(const JsonField& json, const AcceptedShift& accepted) {
  const auto check_day = [&](const char* key, const std::string& value, bool with_time) {
    if (is_day(value) || (with_time && is_utc_time(value))) return;
    json.at(key).fail(fmt::format("'{}' is not a date; write it as 2026-12-31{}", value,
                                  with_time ? ", or in UTC as 2026-12-31T12:00:00Z" : ""));
  };
  if (accepted.name.empty()) json.at("name").fail("is empty");
  check_day("from", accepted.from, true);
  check_day("to", accepted.to, true);
  if (accepted.reason.empty()) json.at("reason").fail("is empty");
  check_day("expires", accepted.expires, false);
}

}  // namespace

std::vector<HistorySeries> series_of(const std::vector<HistoryRun>& runs) {
  std::vector<HistorySeries> list;
  std::map<std::tuple<std::string, std::string, std::string, std::string, std::string>, size_t>
      index;
  for (size_t r = 0; r < runs.size(); ++r)
    for (const HistoryPoint& point : runs[r].points) {
      const auto [found, added] = index.try_emplace(
          {point.name, point.device, point.driver, point.controls, point.quantity.text()},
          list.size());
      if (added)
        list.push_back({point.name, point.device, point.driver, point.controls, point.quantity});
      HistorySeries& series = list[found->second];
      series.runs.push_back(r);
      series.ratio.push_back(point.seconds / point.control_seconds);
    }
  return list;
}

ShiftSearch find_shifts(const std::vector<HistorySeries>& series, const ChangeRules& rules) {
  std::vector<std::vector<ChangePoint>> points;
  std::vector<double> p;
  for (const HistorySeries& one : series) {
    points.push_back(change_points(logs_of(one.ratio), rules));
    p.push_back(p_of_series(points.back()));
  }
  const std::vector<double> adjusted = benjamini_hochberg(p);
  ShiftSearch search;
  find_short_series(series, rules, search);
  for (size_t s = 0; s < series.size(); ++s)
    if (adjusted[s] < rules.alpha)
      for (const ChangePoint& point : points[s])
        search.shifts.push_back(shift_of(s, point, adjusted[s]));
  return search;
}

void describe(Fields<AcceptedShift>& fields) {
  fields.record("shift", "");
  fields("name", &AcceptedShift::name, "of the series; a trailing * stands for any ending");
  fields("device", &AcceptedShift::device, "its class; left out: any").omitted();
  fields("from", &AcceptedShift::from,
         "the first run after the shift is not older than this day or time in UTC");
  fields("to", &AcceptedShift::to, "nor younger than this one");
  fields("max_ratio", &AcceptedShift::max_ratio, "the largest accepted change: 1.05 is 5 % slower")
      .range(Range::Kind::above_0);
  fields("reason", &AcceptedShift::reason);
  fields("expires", &AcceptedShift::expires,
         "the last day, as 2026-12-31; behind it the shift is an alarm again");
  fields.check(
      [](const JsonField& json, AcceptedShift& accepted) { check_accepted(json, accepted); });
}

void describe(Fields<AcceptedShifts>& fields) {
  fields.record("",
                "Shifts of a history that people accepted: `alsbench history DIR --accepted F`.");
  describe_document(fields, "accepted_shifts");
  fields("shifts", &AcceptedShifts::shifts);
}

std::vector<AcceptedShift> read_accepted_shifts(const std::filesystem::path& path) {
  const Json json = read_json(path);
  check_document(json, "accepted_shifts", path.string());
  return read_document(json, path.string(), read_as<AcceptedShifts>).shifts;
}

const AcceptedShift* accepted_by(const std::vector<AcceptedShift>& list,
                                 const HistorySeries& series, const Shift& shift,
                                 const std::string& time_utc) {
  const auto accepts = [&](const AcceptedShift& accepted) {
    const bool ending = accepted.name.ends_with('*');
    const bool named =
        ending ? series.name.starts_with(accepted.name.substr(0, accepted.name.size() - 1))
               : series.name == accepted.name;
    // A day stands before every time of it: "to" is compared with as much of the time as it has.
    return named && (accepted.device.empty() || accepted.device == series.device) &&
           shift.ratio <= accepted.max_ratio && accepted.from <= time_utc &&
           time_utc.substr(0, accepted.to.size()) <= accepted.to;
  };
  const auto found = std::ranges::find_if(list, accepts);
  return found == list.end() ? nullptr : &*found;
}

bool expired(const AcceptedShift& accepted, const std::string& today) {
  return today.substr(0, accepted.expires.size()) > accepted.expires;
}

void describe(Fields<ShiftFinding>& fields) {
  fields.record("shift", "A lasting change of a series.");
  fields("state", &ShiftFinding::state);
  fields("series", &ShiftFinding::series, "index in series");
  fields("run", &ShiftFinding::run,
         "index in runs: the first after the shift; of a creep, the first that it may begin with");
  fields("creep_last_run", &ShiftFinding::creep_last_run,
         "of a creep, a sum of small changes: index of the run that it may end with")
      .omitted();
  fields("ratio", &ShiftFinding::ratio, "after / before").range(Range::Kind::above_0);
  fields("ratio_low", &ShiftFinding::ratio_low);
  fields("ratio_high", &ShiftFinding::ratio_high);
  fields("adjusted_p", &ShiftFinding::adjusted_p).range(Range::Kind::share);
  fields("note", &ShiftFinding::note);
}

void describe(Fields<HistoryEntry>& fields) {
  fields.record("history_entry", "A result file of a history.");
  fields("file", &HistoryEntry::file);
  fields("time_utc", &HistoryEntry::time_utc);
  fields("git_commit", &HistoryEntry::git_commit);
  fields("suite", &HistoryEntry::suite);
}

void describe(Fields<HistorySeries>& fields) {
  fields.record("series",
                "A case in one unit on one class of device with one driver, over the runs.");
  fields("name", &HistorySeries::name);
  fields("device", &HistorySeries::device);
  fields("driver", &HistorySeries::driver);
  fields("controls", &HistorySeries::controls);
  fields.inlined(&HistorySeries::quantity);
  fields("runs", &HistorySeries::runs, "indices in runs");
  fields("ratio_to_controls", &HistorySeries::ratio, "one a run");
}

void describe(Fields<HistoryDocument>& fields) {
  fields.record("", "Series and shifts of a history: `alsbench history DIR --json`.");
  describe_document(fields, "history");
  fields("runs", &HistoryDocument::runs, "in the order of time");
  fields("series", &HistoryDocument::series);
  fields("shifts", &HistoryDocument::shifts);
}

HistoryDocument document_of(const std::vector<HistoryRun>& runs, std::vector<HistorySeries> series,
                            std::vector<ShiftFinding> shifts) {
  HistoryDocument document{{}, std::move(series), std::move(shifts)};
  for (const HistoryRun& run : runs)
    document.runs.push_back({run.file, run.time_utc, run.git_commit, run.suite});
  return document;
}

}  // namespace alsbench
