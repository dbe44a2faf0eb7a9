// SPDX-License-Identifier: Apache-2.0
#include "harness/record/tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "harness/record/escape.h"

namespace alsbench {
namespace {

// Scaled and formatted, or "" where it is not known.
std::string number(std::optional<double> value, const std::string& format, double scale = 1) {
  if (!value || !std::isfinite(*value)) return "";
  return fmt::format(fmt::runtime(format), *value * scale);
}

// At most `length` bytes, cut between characters.
std::string shortened(std::string text, size_t length) {
  if (text.size() <= length) return text;
  size_t end = length - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80) --end;
  return text.substr(0, end) + "...";
}

std::string training_summary(const ResultRow& row) {
  const TrainedRow trained = trained_of(row);
  const std::vector<IterationRecord>& iterations = row.record->training->first().iterations;
  return fmt::format("test {} {} after {} iterations, {:.3f} s{}", upper_case(trained.metric),
                     trained.test_metric ? fmt::format("{:.4f}", *trained.test_metric) : "none",
                     trained.iterations, trained.seconds,
                     disturbed(iterations) ? fmt::format("; disturbed: other work took {:.0f} %",
                                                         100 * taken_share(iterations))
                                           : "");
}

std::string peer_summary(const PeerRecord& peer) {
  if (!peer.score || !peer.use) return "";
  return fmt::format("test {} {}, {:.3f} s from start to end{}{}", upper_case(peer.request.metric),
                     number(peer.score->test_metric, "{:.4f}"), peer.use->wall_seconds,
                     peer.disturbed() ? "; disturbed" : "",
                     peer.warnings.empty() ? "" : "; doubtful");
}

std::string contention_note(const MeasurementRecord& measured) {
  const std::string others = text_of(measured.others());
  if (!others.empty()) return "disturbed: other processes ran kernels: " + others;
  return fmt::format("disturbed: other processes took {:.0f} % of the processors",
                     100 * measured.taken_share().value_or(0));
}

// "copy", and those ceilings that may be nearer, had they been measured.
std::string nearest_ceiling_cell(const MeasurementRecord& m) {
  const Share* nearest = m.nearest_ceiling();
  std::string name = nearest == nullptr ? "" : nearest->reference_rate;
  if (m.unmeasured_ceilings.empty()) return name;
  return fmt::format("{}{}(not measured: {})", name, name.empty() ? "" : " ",
                     fmt::join(m.unmeasured_ceilings, ", "));
}

// Whether a spreadsheet would take a cell for a formula: it begins as one does, and is no number.
bool is_formula(const std::string& cell) {
  if (cell.empty() || std::string_view("=+-@\t\r").find(cell.front()) == std::string_view::npos)
    return false;
  double value = 0;
  const char* const end = cell.data() + cell.size();
  const auto parsed = std::from_chars(cell.data(), end, value);
  return parsed.ec != std::errc() || parsed.ptr != end;
}

// A row's name without its configuration, which has columns of its own:
// "solve/cg/cuda/steps=4/netflix/rank:100/part:x/cold" -> "solve/cg/cuda/netflix/...".
std::string name_without_config(const ResultRow& row) {
  const CaseRecord& record = *row.record;
  const std::string id =
      fmt::format("{}/{}/{}", record.stage, record.variant, name_of(record.backend));
  const size_t problem = row.name.find("/" + record.problem.name + "/");
  if (!row.name.starts_with(id) || problem == std::string::npos || problem < id.size())
    return row.name;
  return id + row.name.substr(problem);
}

// The parameters of all configurations, in the order of their first case.
std::vector<std::string> parameters_of(const std::vector<CaseRecord>& cases) {
  std::vector<std::string> names;
  for (const CaseRecord& record : cases)
    for (const auto& [name, value] : record.config.entries())
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

}  // namespace

std::string taken_cell(const MeasurementRecord& measured) {
  const std::optional<double> share = measured.taken_share();
  return measured.disturbed() && share ? fmt::format("{:.0f} %", 100 * *share) : "";
}

std::string note_of(const ResultRow& row) {
  if (!row.record->ok()) return reason_of(row);
  if (row.trained()) return training_summary(row);
  if (row.record->peer) return peer_summary(*row.record->peer);
  if (row.measurement == nullptr) return "";
  if (row.measurement->disturbed()) return contention_note(*row.measurement);
  const std::string& reason = row.measurement->stop_reason;
  return reason == "noise" ? "converged" : "stopped by " + reason;
}

Table summary_table(const std::vector<CaseRecord>& cases) {
  constexpr size_t kNoteLength = 80;
  Table table{{"case", "median ms", "+-%", std::string(kTakenByOthers), "outcome"}, {}};
  const std::vector<std::string> parameters = parameters_of(cases);
  table.header.insert(table.header.end(), parameters.begin(), parameters.end());
  table.header.insert(table.header.end(), {"GFLOP/s", "GB/s", "gathered GB/s", "% ceiling",
                                           "nearest ceiling", "bound", "% gemm", "% copy", "note"});
  for (const ResultRow& row : rows_of(cases)) {
    const MeasurementRecord* m = row.measurement;
    std::vector<std::string> cells{
        name_without_config(row),
        m == nullptr ? ""
                     : number(m->statistics.median, m->disturbed() ? "{:.2g}!" : "{:.4f}", 1e3),
        m == nullptr ? "" : number(m->statistics.median_noise, "{:.1f}", 100),
        m == nullptr ? "" : taken_cell(*m), std::string(name_of(row.outcome()))};
    for (const std::string& name : parameters) cells.push_back(row.record->config.get_or(name, ""));
    if (m != nullptr) {
      const auto share = [](const Share* one) { return number(value_of(one), "{:.1f}", 100); };
      for (std::string& cell : std::vector<std::string>{
               number(m->flops_per_second, "{:.1f}", 1e-9),
               number(m->compulsory_bytes_per_second, "{:.1f}", 1e-9),
               number(m->gathered_bytes_per_second, "{:.1f}", 1e-9), share(m->nearest_ceiling()),
               nearest_ceiling_cell(*m), bound_cell(*m), share(m->share_of(kProducts)),
               share(m->share_of(kCopies))})
        cells.push_back(std::move(cell));
    }
    cells.resize(table.header.size() - 1);
    cells.push_back(shortened(note_of(row), kNoteLength));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string leave_out_constant_columns(Table& table) {
  std::string same;
  for (size_t column = table.header.size(); column-- > 2;) {
    const auto alike = [&](const auto& row) { return row[column] == table.rows.front()[column]; };
    if (table.rows.empty() || !std::all_of(table.rows.begin(), table.rows.end(), alike)) continue;
    const std::string& value = table.rows.front()[column];
    if (!value.empty() && table.rows.size() == 1) continue;
    if (!value.empty())
      same = fmt::format("{} {}{}{}", table.header[column], value, same.empty() ? "" : "; ", same);
    const auto at = static_cast<std::ptrdiff_t>(column);
    table.header.erase(table.header.begin() + at);
    for (auto& row : table.rows) row.erase(row.begin() + at);
  }
  return same;
}

std::string disturbed_text(const std::vector<CaseRecord>& cases) {
  int64_t medians = 0, trainings = 0;
  for (const CaseRecord& record : cases) {
    for (const CacheMode mode : kCacheModes)
      medians += record.of(mode) && record.of(mode)->disturbed() ? 1 : 0;
    trainings += record.training && disturbed(record.training->first().iterations) ? 1 : 0;
  }
  std::vector<std::string> parts;
  for (const auto& [count, name] : {std::pair(medians, "median"), std::pair(trainings, "training")})
    if (count > 0) parts.push_back(fmt::format("{} {}{}", count, name, count == 1 ? "" : "s"));
  return fmt::format("{}", fmt::join(parts, " and "));
}

std::string text_of(const std::vector<DeviceUse>& uses) {
  std::vector<std::string> texts;
  for (const DeviceUse& use : uses) {
    const std::string who = use.name.empty() ? fmt::format("process {}", use.id)
                                             : fmt::format("{} ({})", visible(use.name), use.id);
    texts.push_back(fmt::format("{} {:.0f} %", who, 100 * use.busy));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string milliseconds_cell(double seconds, bool disturbed) {
  if (!(seconds > 0)) return "";
  return disturbed ? fmt::format("{:.2g}!", 1e3 * seconds) : fmt::format("{:.4g}", 1e3 * seconds);
}

std::string bound_cell(const MeasurementRecord& measured) {
  if (!measured.bound) return "";
  return (measured.bound->measured ? "" : "~") + std::string(name_of(measured.bound->by));
}

std::string change_cell(double ratio, bool disturbed) {
  return fmt::format("{:+.{}f}", 100 * (ratio - 1), disturbed ? 0 : 2);
}

std::string to_markdown(const Table& table) {
  const auto line = [](const std::vector<std::string>& cells) {
    std::vector<std::string> escaped;
    for (const std::string& cell : cells) escaped.push_back(markdown_cell(cell));
    return fmt::format("| {} |\n", fmt::join(escaped, " | "));
  };
  std::string text = line(table.header);
  text += line(std::vector<std::string>(table.header.size(), "---"));
  for (const auto& row : table.rows) text += line(row);
  return text;
}

std::string to_csv(const Table& table) {
  const auto quoted = [](std::string cell) {
    if (is_formula(cell)) cell.insert(0, 1, '\'');
    if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
    std::string text = "\"";
    for (const char c : cell) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + "\"";
  };
  std::string text;
  const auto append = [&](const std::vector<std::string>& cells) {
    for (size_t i = 0; i < cells.size(); ++i) text += (i > 0 ? "," : "") + quoted(cells[i]);
    text += "\r\n";
  };
  append(table.header);
  for (const auto& row : table.rows) append(row);
  return text;
}

bool ResultRow::trained() const {
  return record->ok() && record->training && !record->training->first().iterations.empty();
}

double ResultRow::seconds() const {
  if (timed()) return measurement->statistics.median;
  return trained() ? record->training->first().seconds() : 0;
}

std::vector<ResultRow> rows_of(const CaseRecord& record) {
  std::vector<ResultRow> rows;
  for (const CacheMode mode : kCacheModes)
    if (const auto& measurement = record.of(mode))
      rows.push_back(
          {record.name + "/" + std::string(name_of(mode)), mode, &record, &*measurement});
  if (rows.empty()) rows.push_back({record.name, std::nullopt, &record, nullptr});
  return rows;
}

std::vector<ResultRow> rows_of(const std::vector<CaseRecord>& cases) {
  std::vector<ResultRow> rows;
  for (const CaseRecord& record : cases)
    for (ResultRow& row : rows_of(record)) rows.push_back(std::move(row));
  return rows;
}

TrainedRow trained_of(const ResultRow& row) {
  const TrainingRecord& training = *row.record->training;
  const double last = training.first().iterations.back().test_metric;
  return {training.metric, training.first().iterations.size(), training.first().seconds(),
          std::isfinite(last) ? std::optional(last) : std::nullopt};
}

std::string reason_of(const ResultRow& row) { return row.record->ok() ? "" : row.record->detail; }

}  // namespace alsbench
