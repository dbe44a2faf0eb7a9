// SPDX-License-Identifier: Apache-2.0
// Comparisons (results/schema/comparison.schema.json) in the formats that have a place for them.
// Their cases are in order already: findings first, then by effect.
#include <fmt/format.h>

#include "harness/record/escape.h"
#include "harness/record/export/export.h"
#include "harness/record/tables.h"

namespace alsbench {
namespace {

double number_of(const Json& json, const char* key, double otherwise = 0) {
  const Json& value = json.at(key);
  return value.is_number() ? value.get<double>() : otherwise;
}

std::string text_of(const Json& json, const char* key) {
  const Json& value = json.at(key);
  return value.is_string() ? value.get<std::string>() : "";
}

// Launches of a side that other work disturbed; files of before 1.3.0 do not say.
bool disturbed(const Json& c, const char* side) { return c.value(side, int64_t{0}) > 0; }

std::string change_of(const Json& c, const char* ratio) {
  const bool rough = disturbed(c, "base_disturbed") || disturbed(c, "test_disturbed");
  return c.at(ratio).is_number() ? change_cell(c[ratio].get<double>(), rough) : "";
}

std::string interval_of(const Json& c) {
  if (!c.at("ratio_low").is_number()) return "";
  return change_of(c, "ratio_low") + " to " + change_of(c, "ratio_high");
}

// The reason, and the figures that changed: "registers 40 -> 72 (worse)".
std::string note_of(const Json& c) {
  std::string note = text_of(c, "reason");
  for (const Json& figure : c.at("figures")) {
    if (figure.at("base") == figure.at("test")) continue;
    note += fmt::format("{}{} {} -> {}{}", note.empty() ? "" : "; ", text_of(figure, "name"),
                        figure["base"].dump(), figure["test"].dump(),
                        figure.at("worse").get<bool>() ? " (worse)" : "");
  }
  return note;
}

std::string verdict_of(const Json& c) {
  const std::string verdict = text_of(c, "verdict");
  const bool worse = c.at("regressed").get<bool>() && verdict != "slower";
  return verdict + (worse ? ", worse" : "") +
         (c.at("cross_environment").get<bool>() ? " (cross-env)" : "");
}

// "failure", "error", "skipped" or "": passed.
std::string_view junit_kind(const Json& c) {
  const std::string verdict = text_of(c, "verdict");
  if (verdict == "failed" || verdict == "wrong" || verdict == "missing") return "error";
  if (c.at("regressed").get<bool>()) return "failure";
  return verdict == "undecided" || verdict == "environment" ? "skipped" : "";
}

std::string junit_element(const Json& c) {
  const std::string head = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.9f}\"",
                                       xml_text(text_of(c, "role")), xml_text(text_of(c, "name")),
                                       number_of(c, "test_seconds"));
  const std::string_view kind = junit_kind(c);
  if (kind.empty()) return head + "/>\n";
  const std::string effect = change_of(c, "ratio");
  const std::string note = note_of(c);
  const std::string message =
      fmt::format("{}{}{}{}", verdict_of(c), effect.empty() ? "" : " " + effect + " %",
                  note.empty() ? "" : ": ", note);
  return fmt::format("{}>\n      <{} message=\"{}\"/>\n    </testcase>\n", head, kind,
                     xml_text(message));
}

Table table_of(const Json& comparison) {
  Table table{
      {"verdict", "base ms", "test ms", "effect %", "interval %", "adj. p", "code", "case", "note"},
      {}};
  for (const Json& c : comparison.at("cases")) {
    const Json& p = c.at("adjusted_p");
    table.rows.push_back(
        {verdict_of(c),
         milliseconds_cell(number_of(c, "base_seconds"), disturbed(c, "base_disturbed")),
         milliseconds_cell(number_of(c, "test_seconds"), disturbed(c, "test_disturbed")),
         change_of(c, "ratio"), interval_of(c),
         p.is_number() ? fmt::format("{:.2g}", p.get<double>()) : "", text_of(c, "code"),
         text_of(c, "name"), note_of(c)});
  }
  return table;
}

}  // namespace

std::string comparison_to_junit(const Json& comparison) {
  std::string tests;
  int64_t failures = 0, errors = 0, skipped = 0;
  for (const Json& c : comparison.at("cases")) {
    tests += junit_element(c);
    const std::string_view kind = junit_kind(c);
    failures += kind == "failure" ? 1 : 0;
    errors += kind == "error" ? 1 : 0;
    skipped += kind == "skipped" ? 1 : 0;
  }
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
                  comparison["cases"].size(), failures, errors, skipped);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"alsbench\" {}>\n  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n"
      "</testsuites>\n",
      counts, xml_text(text_of(comparison, "procedure")), counts, tests);
}

std::string comparison_to_bencher(const Json& comparison) {
  constexpr double kNanoseconds = 1e9;
  Json metrics = Json::object();
  for (const Json& c : comparison.at("cases")) {
    if (!c.at("ratio").is_number()) continue;
    Json change{{"value", c["ratio"]}};
    if (c.at("ratio_low").is_number()) change["lower_value"] = c["ratio_low"];
    if (c.at("ratio_high").is_number()) change["upper_value"] = c["ratio_high"];
    metrics[bencher_name(text_of(c, "name"))] = {
        {"latency", {{"value", number_of(c, "test_seconds") * kNanoseconds}}},
        {"time-ratio", change}};
  }
  return metrics.dump(2) + "\n";
}

std::string comparison_to_csv(const Json& comparison) {
  Table table{{"name", "role", "device", "verdict", "regressed", "base_launches", "test_launches",
               "base_seconds", "test_seconds", "ratio", "ratio_low", "ratio_high", "p",
               "adjusted_p", "code", "cross_environment"},
              {}};
  for (const Json& c : comparison.at("cases")) {
    std::vector<std::string> row;
    for (const std::string& key : table.header) {
      const Json& value = c.at(key);
      row.push_back(value.is_null()     ? ""
                    : value.is_string() ? value.get<std::string>()
                                        : value.dump());
    }
    row.push_back(note_of(c));
    table.rows.push_back(std::move(row));
  }
  table.header.emplace_back("note");
  return to_csv(table);
}

std::string comparison_to_markdown(const Json& comparison) {
  const Json& rules = comparison.at("rules");
  std::string head = fmt::format(
      "### alsbench {}: {}\n\nbase {}, test {}; bound {:g} %, alpha {:g}\n\n",
      markdown_cell(text_of(comparison, "procedure")),
      markdown_cell(text_of(comparison, "conclusion")), markdown_cell(text_of(comparison, "base")),
      markdown_cell(text_of(comparison, "test")), number_of(rules, "bound") * 100,
      number_of(rules, "alpha"));
  for (const Json& difference : comparison.at("differences"))
    head += fmt::format("- differs: {}\n", markdown_cell(difference.get<std::string>()));
  if (!comparison["differences"].empty()) head += '\n';
  return markdown_within(head, table_of(comparison), kSummaryBytes);
}

}  // namespace alsbench
