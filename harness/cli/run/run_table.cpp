// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/run/run_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "harness/cli/run/run_remarks.h"
#include "harness/cli/text_table.h"
#include "harness/record/escape.h"
#include "harness/record/tables.h"
#include "harness/sweep/rates.h"

namespace alsbench {
namespace {

constexpr size_t kConfigWidth = 18;

using Records = std::vector<const CaseRecord*>;

// "cuda", or "cuda:1" where it is not the first GPU or names say that there were several.
std::string place_of(const CaseRecord& record) {
  const std::string& device = record.device;
  const std::string backend(name_of(record.backend));
  const bool several = record.name.find("/device:") != std::string::npos;
  return !several && (device == "cpu" || device == "0") ? backend : backend + ":" + device;
}

using Groups = std::vector<std::pair<std::string, Records>>;

// "netflix rank 100, side x, cpu"; a problem of sizes has neither rank nor sides.
std::string heading_of(const CaseRecord& record) {
  const ProblemRecord& problem = record.problem;
  const size_t rank_at = problem.name.find("/rank:");
  if (rank_at == std::string::npos) return fmt::format("{}, {}", problem.name, place_of(record));
  const std::string side = record.part.empty() ? "" : fmt::format(", side {}", record.part);
  const std::string name = fmt::format("{} rank {}", problem.name.substr(0, rank_at), problem.rank);
  if (record.role == Role::training) return name + ", training";
  if (record.role == Role::peer) return name + ", other programs";
  return fmt::format("{}{}, {}", name, side, place_of(record));
}

// Records under a heading each, in order of first appearance.
Groups by_heading(const std::vector<CaseRecord>& records) {
  Groups groups;
  for (const CaseRecord& record : records) {
    if (record.outcome == Outcome::skipped) continue;
    const std::string heading = heading_of(record);
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& known) { return known.first == heading; });
    if (group == groups.end()) group = groups.insert(groups.end(), {heading, {}});
    group->second.push_back(&record);
  }
  return groups;
}

std::string kind_of(const CaseRecord& record) {
  return fmt::format("{}/{}", record.stage, record.variant);
}

// Parameters with several values among the records of one variant.
std::set<std::string> varying(const Records& group, const CaseRecord& like) {
  std::map<std::string, std::set<std::string>> values;
  for (const CaseRecord* record : group)
    if (kind_of(*record) == kind_of(like) && record->backend == like.backend)
      for (const auto& [name, value] : record->config.entries()) values[name].insert(value);
  std::set<std::string> names;
  for (const auto& [name, seen] : values)
    if (seen.size() > 1) names.insert(name);
  return names;
}

// "gather=strided,l1=off": what varies in the group, and what is not the variant's default, where
// that is known.
std::string short_config(const CaseRecord& record, const Records& group) {
  const Variant* const variant = variant_of(record);
  const Config defaults = variant == nullptr ? Config() : variant->space.default_config();
  const std::set<std::string> differing = varying(group, record);
  std::string text;
  for (const auto& [name, value] : record.config.entries())
    if (differing.contains(name) || !defaults.is(name, value))
      text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value);
  return text.empty() ? "default" : text;
}

// Broken after commas into pieces that fit the column.
std::vector<std::string> wrapped(const std::string& config) {
  std::vector<std::string> lines{""};
  for (size_t begin = 0; begin < config.size();) {
    const size_t comma = std::min(config.find(',', begin), config.size() - 1);
    const std::string piece = config.substr(begin, comma + 1 - begin);
    if (!lines.back().empty() && lines.back().size() + piece.size() > kConfigWidth)
      lines.emplace_back();
    lines.back() += piece;
    begin = comma + 1;
  }
  return lines;
}

std::string number(std::optional<double> value, double scale, int digits) {
  if (!value || !std::isfinite(*value)) return "";
  return fmt::format("{:.{}f}", *value * scale, digits);
}

// Whether a row says more of a reference than another: timed, undisturbed, fast.
bool before(const ResultRow& a, const ResultRow& b) {
  if (!a.timed() || !b.timed()) return a.timed() && !b.timed();
  return std::pair(a.measurement->disturbed(), a.seconds()) <
         std::pair(b.measurement->disturbed(), b.seconds());
}

// Rows of cases, and before them, by name, those of references: of several measurements of one,
// with one group of cases each, the fastest that is not disturbed.
std::vector<ResultRow> shown_rows(const Records& group) {
  std::map<std::string, ResultRow> fastest;
  std::vector<ResultRow> cases;
  for (const CaseRecord* record : group)
    for (const ResultRow& row : rows_of(*record)) {
      if (record->role != Role::ceiling) {
        cases.push_back(row);
        continue;
      }
      const auto [known, added] = fastest.try_emplace(
          fmt::format("{} {} {}", kind_of(*record), record->config.text(), row.mode_name()), row);
      if (!added && before(row, known->second)) known->second = row;
    }
  std::vector<ResultRow> rows;
  for (const auto& [name, row] : fastest) rows.push_back(row);
  rows.insert(rows.end(), cases.begin(), cases.end());
  return rows;
}

// A disturbed one has two digits, since more say nothing, and the mark "!".
std::string median_of(const MeasurementRecord& measured) {
  if (measured.disturbed()) return fmt::format("{:.2g}!", 1e3 * measured.statistics.median);
  return number(measured.statistics.median, 1e3, 4);
}

// "copy"; "copy?" where a nearer ceiling may not have been measured.
std::string ceiling_cell(const MeasurementRecord& measured) {
  const Share* nearest = measured.nearest_ceiling();
  return (nearest == nullptr ? "" : nearest->reference_rate) +
         (measured.unmeasured_ceilings.empty() ? "" : "?");
}

std::string share_cell(const Share* share) {
  return share == nullptr ? "" : number(share->value, 100, 1);
}

using Columns = std::vector<std::string>;
using Cells = std::map<std::string, std::string>;  // by column

const std::string kTaken(kTakenByOthers);

// From left to right.
const Columns kColumns{"case",    "configuration", "cache", "median ms", "+-%",
                       kTaken,    "GFLOP/s",       "GB/s",  "gather",    "% ceiling",
                       "ceiling", "% gemm",        "bound"};

Cells measured_cells(const MeasurementRecord& measured, int64_t min_samples) {
  return {{"median ms", median_of(measured)},
          {"+-%", number(measured.statistics.median_noise, 100, 1) +
                      (too_few_samples(measured, min_samples) ? "*" : "")},
          {kTaken, taken_cell(measured)},
          {"GFLOP/s", number(measured.flops_per_second, 1e-9, 1)},
          {"GB/s", number(measured.compulsory_bytes_per_second, 1e-9, 1)},
          {"gather", number(measured.gathered_bytes_per_second, 1e-9, 1)},
          {"% ceiling", share_cell(measured.nearest_ceiling())},
          {"ceiling", ceiling_cell(measured)},
          {"% gemm", share_cell(measured.share_of("gemm"))},
          {"bound", bound_cell(measured)}};
}

// Cells of the columns that are shown, from left to right.
std::vector<std::string> under(const Columns& shown, const Cells& cells) {
  std::vector<std::string> kept;
  for (const std::string& column : kColumns)
    if (std::ranges::find(shown, column) != shown.end())
      kept.push_back(cells.contains(column) ? cells.at(column) : "");
  return kept;
}

bool is_measured(const CaseRecord& record) {
  return record.role != Role::training && record.role != Role::peer;
}

TextTable measurements_table(const Records& group, int64_t min_samples, const Columns& shown) {
  Cells names;
  for (const std::string& column : kColumns) names[column] = column;
  TextTable table(under(shown, names));
  for (const ResultRow& row : shown_rows(group)) {
    const std::vector<std::string> config = wrapped(short_config(*row.record, group));
    Cells cells;
    if (row.timed())
      cells = measured_cells(*row.measurement, min_samples);
    else
      cells["median ms"] = name_of(row.outcome());
    cells["case"] = kind_of(*row.record);
    cells["configuration"] = config.front();
    cells["cache"] = row.mode_name();
    table.add(under(shown, cells));
    for (size_t i = 1; i < config.size(); ++i) table.add({"", config[i]});
  }
  return table;
}

bool fits(const std::string& text) {
  const size_t maximum = run_line_width();
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (end - begin > maximum) return false;
    begin = end + 1;
  }
  return true;
}

// Whether `has` is true of a measurement of the groups.
template <class Has>
bool any_measurement(const Groups& groups, const Has& has) {
  for (const auto& [name, group] : groups)
    for (const CaseRecord* record : group)
      if ((record->cold && has(*record->cold)) || (record->hot && has(*record->hot))) return true;
  return false;
}

// Removes the columns of rates that no measurement has a cell of.
void drop_empty(Columns& shown, const Groups& groups, int64_t min_samples) {
  for (const char* rate : {"GFLOP/s", "GB/s", "gather", "% gemm"})
    if (!any_measurement(groups, [&](const MeasurementRecord& m) {
          return !measured_cells(m, min_samples).at(rate).empty();
        }))
      std::erase(shown, rate);
}

// The columns of all tables of a run, with what bounds the rows and what other work took where
// that is known. Where a table has no room, columns at the end of the list go first.
Columns columns_that_fit(const Groups& groups, int64_t min_samples) {
  Columns shown{"case",    "configuration", "cache",   "median ms", "+-%",   "% ceiling",
                "ceiling", "GB/s",          "GFLOP/s", "% gemm",    "gather"};
  Groups measured;
  for (const auto& group : groups)
    if (is_measured(*group.second.front())) measured.push_back(group);
  if (any_measurement(measured, [](const MeasurementRecord& m) { return m.bound.has_value(); }))
    shown.emplace_back("bound");
  if (any_measurement(measured, [](const MeasurementRecord& m) { return !taken_cell(m).empty(); }))
    shown.insert(shown.begin() + 5, kTaken);
  drop_empty(shown, measured, min_samples);
  const auto has_room = [&](const auto& group) {
    return fits(measurements_table(group.second, min_samples, shown).text(std::nullopt));
  };
  while (shown.back() != "ceiling" && !std::all_of(measured.begin(), measured.end(), has_room))
    shown.pop_back();
  return shown;
}

// "train/cg/cuda/netflix/rank:100" -> "cg"
std::string training_name(const CaseRecord& record) {
  const size_t begin = record.name.find('/') + 1;
  const std::string end = fmt::format("/{}/", name_of(record.backend));
  return record.name.substr(begin, record.name.find(end) - begin);
}

// Of a disturbed one two digits, and the mark "!".
std::string training_seconds(const TrainingLaunch& launch) {
  return disturbed(launch.iterations) ? fmt::format("{:.2g}!", launch.seconds())
                                      : fmt::format("{:.3f}", launch.seconds());
}

// Nothing where the device tells no energy.
std::optional<double> iteration_joules(const CaseRecord& record) {
  const std::optional<TrainingResult>& result = record.training->first().result;
  if (!result || !result->energy.measured) return std::nullopt;
  return result->energy.measured->joules;
}

std::string trainings_table(const Records& group) {
  const std::string metric = upper_case(group.front()->training->metric);
  std::vector<std::string> header{"training",        "on",     "iterations", "test " + metric,
                                  "train " + metric, "seconds"};
  const bool joules = std::ranges::any_of(
      group, [](const CaseRecord* record) { return iteration_joules(*record).has_value(); });
  if (joules) header.emplace_back("J/iteration");
  TextTable table(header);
  for (const CaseRecord* record : group) {
    const TrainingLaunch& launch = record->training->first();
    const std::vector<IterationRecord>& iterations = launch.iterations;
    std::vector<std::string> row{training_name(*record), place_of(*record)};
    if (!record->ok() || iterations.empty())
      row.emplace_back(name_of(record->outcome));
    else
      row.insert(row.end(),
                 {std::to_string(iterations.size()), number(iterations.back().test_metric, 1, 4),
                  number(iterations.back().train_metric, 1, 4), training_seconds(launch)});
    if (joules) {
      row.resize(header.size() - 1);
      row.push_back(number(iteration_joules(*record), 1, 4));
    }
    table.add(row);
  }
  return table.text();
}

std::string peer_name(const CaseRecord& record) {
  const std::string rest = record.name.substr(record.name.find('/') + 1);
  return rest.substr(0, rest.find('/'));
}

std::vector<std::string> peer_cells(const CaseRecord& record) {
  const PeerRecord& peer = record.peer.value();
  const auto score = [&](double PeerScore::*which) {
    return peer.score ? std::optional((*peer.score).*which) : std::nullopt;
  };
  return {peer_name(record),
          visible(peer.request.version),
          std::string(name_of(record.outcome)),
          fmt::to_string(peer.request.iterations),
          peer.score
              ? upper_case(peer.request.metric) + " " + number(score(&PeerScore::test_metric), 1, 4)
              : "",
          number(peer.iteration_seconds(), 1, 3),
          number(peer.own_iteration_seconds(), 1, 3),
          number(peer.own_seconds, 1, 3),
          peer.use ? number(peer.use->wall_seconds, 1, 3) + (peer.disturbed() ? "!" : "") : ""};
}

// A row each, and below it what is doubtful of each.
std::string peers_table(const Records& records) {
  TextTable table({"peer", "version", "outcome", "iterations", "test", "s/iteration", "it says",
                   "training, it says", "run s"});
  std::string remarks;
  for (const CaseRecord* record : records) {
    table.add(peer_cells(*record));
    for (const std::string& doubt : record->peer->warnings)
      remarks += fmt::format("? {}: {}\n", peer_name(*record), visible(doubt));
    if (record->peer->disturbed())
      remarks += fmt::format("! {}: other processes used {:.0f} % of the CPUs\n",
                             peer_name(*record), 100 * *record->peer->use->other_share);
  }
  return table.text() + remarks;
}

}  // namespace

std::string run_table(const std::vector<CaseRecord>& records, int64_t min_samples) {
  const Groups groups = by_heading(records);
  const Columns shown = columns_that_fit(groups, min_samples);
  std::string text;
  for (const auto& [heading, group] : groups) {
    const Role role = group.front()->role;
    text += heading + "\n" +
            (role == Role::training ? trainings_table(group)
             : role == Role::peer   ? peers_table(group)
                                    : measurements_table(group, min_samples, shown).text()) +
            "\n";
  }
  const std::string rest = run_remarks(records, min_samples);
  if (rest.empty() && !text.empty()) text.pop_back();
  return text + rest;
}

}  // namespace alsbench
