#include "harness/record/tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/record/escape.h"
#include "harness/record/result_rows.h"

namespace alsbench {
namespace {

// The number at a path of keys, scaled and formatted, or "" where it is absent or null.
std::string number(const Json* json, std::initializer_list<const char*> path,
                   const std::string& format, double scale = 1) {
  for (const char* key : path) {
    if (json == nullptr || !json->is_object() || !json->contains(key)) return "";
    json = &(*json)[key];
  }
  if (json == nullptr || !json->is_number()) return "";
  return fmt::format(fmt::runtime(format), json->get<double>() * scale);
}

// At most `length` bytes, cut between characters.
std::string shortened(std::string text, size_t length) {
  if (text.size() <= length) return text;
  size_t end = length - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80) --end;
  return text.substr(0, end) + "...";
}

std::string training_summary(const ResultRow& row) {
  const Json rmse = last_test_rmse(row);
  return fmt::format("test RMSE {} after {} iterations, {:.3f} s",
                     rmse.is_number() ? fmt::format("{:.4f}", rmse.get<double>()) : "none",
                     (*row.record)["training"]["iterations"].size(), training_seconds(row));
}

std::string note(const ResultRow& row) {
  if (row.outcome != Outcome::ok) return reason_of(row);
  if (row.trained()) return training_summary(row);
  return row.measurement != nullptr ? "stopped by " + row.measurement->value("stop_reason", "")
                                    : "";
}

}  // namespace

Table summary_table(const std::vector<Json>& cases) {
  constexpr size_t kNoteLength = 80;
  Table table{
      {"case", "outcome", "median ms", "+-%", "GFLOP/s", "% gemm", "GB/s", "% copy", "note"}, {}};
  for (const ResultRow& row : rows_of(cases)) {
    const Json* mode = row.measurement;
    table.rows.push_back({row.name, std::string(name_of(row.outcome)),
                          number(mode, {"statistics", "median_seconds"}, "{:.4f}", 1e3),
                          number(mode, {"statistics", "median_noise"}, "{:.1f}", 100),
                          number(mode, {"flops_per_second"}, "{:.1f}", 1e-9),
                          number(mode, {"share_of_roof", "flops"}, "{:.1f}", 100),
                          number(mode, {"compulsory_bytes_per_second"}, "{:.1f}", 1e-9),
                          number(mode, {"share_of_roof", "compulsory_bytes"}, "{:.1f}", 100),
                          shortened(note(row), kNoteLength)});
  }
  return table;
}

Table full_table(const std::vector<Json>& cases) {
  Table table{{"name",
               "role",
               "outcome",
               "samples",
               "median_seconds",
               "min_seconds",
               "q1_seconds",
               "q3_seconds",
               "max_seconds",
               "median_noise",
               "stop_reason",
               "flops_per_second",
               "paper_flops_per_second",
               "logical_bytes_per_second",
               "compulsory_bytes_per_second",
               "share_of_flops_roof",
               "share_of_bytes_roof",
               "registers",
               "peak_device_bytes",
               "detail"},
              {}};
  for (const ResultRow& row : rows_of(cases)) {
    const Json &record = *row.record, *mode = row.measurement;
    const bool compiled = record.contains("kernels") && !record["kernels"].empty();
    const auto statistic = [&](const char* key) { return number(mode, {"statistics", key}, "{}"); };
    table.rows.push_back({row.name,
                          record.value("role", ""),
                          std::string(name_of(row.outcome)),
                          statistic("count"),
                          statistic("median_seconds"),
                          statistic("min_seconds"),
                          statistic("q1_seconds"),
                          statistic("q3_seconds"),
                          statistic("max_seconds"),
                          statistic("median_noise"),
                          mode != nullptr ? mode->value("stop_reason", "") : "",
                          number(mode, {"flops_per_second"}, "{}"),
                          number(mode, {"paper_flops_per_second"}, "{}"),
                          number(mode, {"logical_bytes_per_second"}, "{}"),
                          number(mode, {"compulsory_bytes_per_second"}, "{}"),
                          number(mode, {"share_of_roof", "flops"}, "{}"),
                          number(mode, {"share_of_roof", "compulsory_bytes"}, "{}"),
                          compiled ? number(&record["kernels"][0], {"registers"}, "{}") : "",
                          number(&record, {"peak_device_bytes"}, "{:.0f}"),
                          note(row)});
  }
  return table;
}

std::string to_markdown(const Table& table) {
  const auto line = [](const std::vector<std::string>& cells) {
    std::vector<std::string> escaped;
    for (const std::string& cell : cells) escaped.push_back(markdown_cell(cell));
    return fmt::format("| {} |\n", fmt::join(escaped, " | "));
  };
  std::string text = fmt::format("| {} |\n", fmt::join(table.header, " | "));
  text += line(std::vector<std::string>(table.header.size(), "---"));
  for (const auto& row : table.rows) text += line(row);
  return text;
}

std::string to_csv(const Table& table) {
  const auto quoted = [](const std::string& cell) {
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

}  // namespace alsbench
