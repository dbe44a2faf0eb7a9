#include "harness/record/tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>

namespace alsbench {
namespace {

using Visit = std::function<void(const Json& record, const std::string& name, const Json* mode)>;

// A case has a row for each cache mode it was measured in, or one that says what became of it.
void for_each_row(const std::vector<Json>& cases, const Visit& visit) {
  for (const Json& record : cases) {
    const std::string name = record.at("name");
    bool measured = false;
    for (const char* mode : {"cold", "hot"}) {
      if (!record.contains(mode) || !record[mode].is_object()) continue;
      if (!record[mode].at("statistics").is_object()) continue;
      visit(record, name + "/" + mode, &record[mode]);
      measured = true;
    }
    if (!measured) visit(record, name, nullptr);
  }
}

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

std::string training_summary(const Json& record) {
  const Json& iterations = record["training"]["iterations"];
  if (iterations.empty()) return "no iterations";
  double seconds = 0;
  for (const Json& iteration : iterations)
    seconds += iteration.at("seconds").at("total").get<double>();
  const Json& last = iterations.back();
  return fmt::format("test RMSE {} after {} iterations, {:.3f} s",
                     last["test_rmse"].is_number()
                         ? fmt::format("{:.4f}", last["test_rmse"].get<double>())
                         : std::string("none"),
                     iterations.size(), seconds);
}

std::string note(const Json& record, const Json* mode) {
  if (record.value("outcome", "") != "ok")
    return record["detail"].is_string() ? record["detail"].get<std::string>() : "";
  if (record.contains("training") && record["training"].is_object())
    return training_summary(record);
  return mode != nullptr ? "stopped by " + mode->value("stop_reason", "") : "";
}

// A cell of one line.
std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  return text;
}

}  // namespace

Table summary_table(const std::vector<Json>& cases) {
  constexpr size_t kNoteLength = 80;
  Table table{
      {"case", "outcome", "median ms", "+-%", "GFLOP/s", "% gemm", "GB/s", "% copy", "note"}, {}};
  for_each_row(cases, [&](const Json& record, const std::string& name, const Json* mode) {
    std::string text = one_line(note(record, mode));
    if (text.size() > kNoteLength) text = text.substr(0, kNoteLength - 3) + "...";
    table.rows.push_back({name, record.value("outcome", ""),
                          number(mode, {"statistics", "median_seconds"}, "{:.4f}", 1e3),
                          number(mode, {"statistics", "median_noise"}, "{:.1f}", 100),
                          number(mode, {"flops_per_second"}, "{:.1f}", 1e-9),
                          number(mode, {"share_of_roof", "flops"}, "{:.1f}", 100),
                          number(mode, {"compulsory_bytes_per_second"}, "{:.1f}", 1e-9),
                          number(mode, {"share_of_roof", "compulsory_bytes"}, "{:.1f}", 100),
                          text});
  });
  return table;
}

Table full_table(const std::vector<Json>& cases) {
  Table table{{"name", "role", "outcome", "samples", "median_seconds", "min_seconds", "q1_seconds",
               "q3_seconds", "max_seconds", "median_noise", "stop_reason", "flops_per_second",
               "paper_flops_per_second", "logical_bytes_per_second", "compulsory_bytes_per_second",
               "share_of_flops_roof", "share_of_bytes_roof", "registers", "detail"},
              {}};
  for_each_row(cases, [&](const Json& record, const std::string& name, const Json* mode) {
    const bool compiled = record.contains("kernels") && !record["kernels"].empty();
    const auto statistic = [&](const char* key) { return number(mode, {"statistics", key}, "{}"); };
    table.rows.push_back(
        {name, record.value("role", ""), record.value("outcome", ""), statistic("count"),
         statistic("median_seconds"), statistic("min_seconds"), statistic("q1_seconds"),
         statistic("q3_seconds"), statistic("max_seconds"), statistic("median_noise"),
         mode != nullptr ? mode->value("stop_reason", "") : "",
         number(mode, {"flops_per_second"}, "{}"), number(mode, {"paper_flops_per_second"}, "{}"),
         number(mode, {"logical_bytes_per_second"}, "{}"),
         number(mode, {"compulsory_bytes_per_second"}, "{}"),
         number(mode, {"share_of_roof", "flops"}, "{}"),
         number(mode, {"share_of_roof", "compulsory_bytes"}, "{}"),
         compiled ? number(&record["kernels"][0], {"registers"}, "{}") : "", note(record, mode)});
  });
  return table;
}

std::string to_markdown(const Table& table) {
  const auto line = [](std::vector<std::string> cells) {
    for (std::string& cell : cells) {
      cell = one_line(cell);
      for (size_t bar = cell.find('|'); bar != std::string::npos; bar = cell.find('|', bar + 2))
        cell.insert(bar, "\\");
    }
    return fmt::format("| {} |\n", fmt::join(cells, " | "));
  };
  std::string text = line(table.header);
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
