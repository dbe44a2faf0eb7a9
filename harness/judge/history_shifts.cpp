// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/history_shifts.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <regex>
#include <tuple>

#include "harness/files/atomic_file.h"
#include "harness/files/strict_json.h"
#include "harness/judge/verdict.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

// One place of one series, compared.
struct Place {
  size_t series = 0, at = 0;
  CaseComparison comparison;
};

std::vector<double> logs_of(const std::vector<double>& ratio, size_t from, size_t to) {
  std::vector<double> logs;
  for (size_t i = from; i < to; ++i) logs.push_back(std::log(ratio[i]));
  return logs;
}

std::vector<Place> places_of(const std::vector<HistorySeries>& series, const ShiftRules& rules,
                             const Rules& time_rules) {
  const auto window = static_cast<size_t>(rules.window), fewest = static_cast<size_t>(rules.fewest);
  std::vector<Place> places;
  for (size_t s = 0; s < series.size(); ++s) {
    const std::vector<double>& ratio = series[s].ratio;
    for (size_t at = fewest; at + fewest <= ratio.size(); ++at) {
      Place place{s, at, {}};
      estimate_logs(place.comparison, logs_of(ratio, at - std::min(at, window), at),
                    logs_of(ratio, at, std::min(at + window, ratio.size())), time_rules);
      places.push_back(std::move(place));
    }
  }
  return places;
}

Shift shift_of(const Place& place) {
  const CaseComparison& c = place.comparison;
  return {place.series, place.at, c.ratio, c.ratio_low, c.ratio_high, c.adjusted_p};
}

double effect(const Shift& shift) { return std::abs(std::log(shift.ratio)); }

// "2026-12-31", or a time of that day as results have it: "2026-12-31T12:00:00Z".
bool is_day_or_time(const std::string& text) { return is_day(text.substr(0, text.find('T'))); }

std::string date(const JsonField& json, bool (*holds)(const std::string&)) {
  const std::string value = json.text();
  if (!holds(value)) json.fail(fmt::format("'{}' is no day; write it as 2026-12-31", value));
  return value;
}

std::string some_text(const JsonField& json) {
  const std::string text = json.text();
  if (text.empty()) json.fail("is empty");
  return text;
}

AcceptedShift accepted_from_json(const JsonField& json) {
  return {some_text(json.at("name")),
          optional_text(json.find("device")).value_or(""),
          date(json.at("from"), is_day_or_time),
          date(json.at("to"), is_day_or_time),
          json.at("most_ratio").number(),
          some_text(json.at("reason")),
          date(json.at("expires"), is_day)};
}

}  // namespace

bool is_day(const std::string& text) {
  static const std::regex form("([0-9]{4})-([0-9]{2})-([0-9]{2})");
  std::smatch parts;
  if (!std::regex_match(text, parts, form)) return false;
  const auto number = [&](int part) { return static_cast<unsigned>(std::stoi(parts[part])); };
  return std::chrono::year_month_day(std::chrono::year(static_cast<int>(number(1))),
                                     std::chrono::month(number(2)), std::chrono::day(number(3)))
      .ok();
}

std::vector<HistorySeries> series_of(const std::vector<HistoryRun>& runs) {
  std::vector<HistorySeries> list;
  std::map<std::tuple<std::string, std::string, std::string, std::string>, size_t> index;
  for (size_t r = 0; r < runs.size(); ++r)
    for (const HistoryPoint& point : runs[r].points) {
      const auto [found, added] =
          index.try_emplace({point.name, point.device, point.driver, point.canaries}, list.size());
      if (added) list.push_back({point.name, point.device, point.driver, point.canaries, {}, {}});
      HistorySeries& series = list[found->second];
      series.runs.push_back(r);
      series.ratio.push_back(point.seconds / point.canary_seconds);
    }
  return list;
}

ShiftSearch find_shifts(const std::vector<HistorySeries>& series, const ShiftRules& rules) {
  Rules time_rules;
  time_rules.bound = rules.bound;
  time_rules.alpha = rules.alpha;
  std::vector<Place> places = places_of(series, rules, time_rules);
  std::vector<CaseComparison*> comparisons;
  for (Place& place : places) comparisons.push_back(&place.comparison);
  judge_times(comparisons, time_rules);
  ShiftSearch search;
  search.places = static_cast<int64_t>(places.size());
  const Place* previous = nullptr;  // the last place that stands out
  for (const Place& place : places) {
    const Verdict verdict = place.comparison.verdict;
    if (verdict != Verdict::slower && verdict != Verdict::faster) continue;
    const Shift shift = shift_of(place);
    const bool neighbour = previous != nullptr && previous->series == place.series &&
                           previous->at + 1 == place.at && previous->comparison.verdict == verdict;
    if (!neighbour)
      search.shifts.push_back(shift);
    else if (effect(shift) > effect(search.shifts.back()))
      search.shifts.back() = shift;
    previous = &place;
  }
  return search;
}

std::vector<AcceptedShift> read_accepted_shifts(const std::filesystem::path& path) {
  const std::string source = path.string();
  const Json json = parse_json(read_whole_file(path), source);
  if (text_at(json, "kind") != "accepted_shifts")
    throw UsageError(
        fmt::format("{}: is no file of accepted shifts (kind 'accepted_shifts')", source));
  return read_document(json, source, [](const JsonField& file) {
    const auto shifts = file.find("shifts");
    return shifts ? list_of(*shifts, accepted_from_json) : std::vector<AcceptedShift>();
  });
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
           shift.ratio <= accepted.most && accepted.from <= time_utc &&
           time_utc.substr(0, accepted.to.size()) <= accepted.to;
  };
  const auto found = std::find_if(list.begin(), list.end(), accepts);
  return found == list.end() ? nullptr : &*found;
}

bool expired(const AcceptedShift& accepted, const std::string& today) {
  return today.substr(0, accepted.expires.size()) > accepted.expires;
}

}  // namespace alsbench
