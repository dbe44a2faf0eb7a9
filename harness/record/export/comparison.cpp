// SPDX-License-Identifier: Apache-2.0
// Comparisons (results/schema/comparison.schema.json) in the formats that have a place for them.
// Their cases are in order already: findings first, then by effect.
#include <fmt/format.h>

#include "harness/record/escape.h"
#include "harness/record/export/export.h"
#include "harness/record/tables.h"

namespace alsbench {
namespace {

double number_of(const JsonField& json, const char* key, double otherwise = 0) {
  return json.at(key).is_null() ? otherwise : json.at(key).number();
}

std::string text_of(const JsonField& json, const char* key) { return json.at(key).text_or_empty(); }

bool flag(const JsonField& json, const char* key) { return json.at(key).boolean(); }

// Launches of a side that other work disturbed; files of before 1.3.0 do not say.
bool disturbed(const JsonField& c, const char* side) {
  return optional_integer(c.find(side)).value_or(0) > 0;
}

std::string change_of(const JsonField& c, const char* ratio) {
  const bool rough = disturbed(c, "base_disturbed") || disturbed(c, "test_disturbed");
  return c.at(ratio).is_null() ? "" : change_cell(c.at(ratio).number(), rough);
}

std::string interval_of(const JsonField& c) {
  if (c.at("ratio_low").is_null()) return "";
  return change_of(c, "ratio_low") + " to " + change_of(c, "ratio_high");
}

// The reason, and the figures that changed: "registers 40 -> 72 (worse)".
std::string note_of(const JsonField& c) {
  std::string note = text_of(c, "reason");
  for (const JsonField& figure : c.at("figures").elements()) {
    const JsonField base = figure.at("base"), test = figure.at("test");
    if (base.value() == test.value()) continue;
    note += fmt::format("{}{} {} -> {}{}", note.empty() ? "" : "; ", text_of(figure, "name"),
                        base.value().dump(), test.value().dump(),
                        flag(figure, "worse") ? " (worse)" : "");
  }
  return note;
}

std::string verdict_of(const JsonField& c) {
  const std::string verdict = text_of(c, "verdict");
  const bool worse = flag(c, "regressed") && verdict != "slower";
  return verdict + (worse ? ", worse" : "") + (flag(c, "cross_environment") ? " (cross-env)" : "");
}

// "failure", "error", "skipped" or "": passed.
std::string_view junit_kind(const JsonField& c) {
  const std::string verdict = text_of(c, "verdict");
  if (verdict == "failed" || verdict == "wrong" || verdict == "missing") return "error";
  if (flag(c, "regressed")) return "failure";
  return verdict == "undecided" || verdict == "environment" ? "skipped" : "";
}

// "slower +20.00 %: registers 40 -> 72 (worse)".
std::string message_of(const JsonField& c) {
  const std::string effect = change_of(c, "ratio"), note = note_of(c);
  return fmt::format("{}{}{}{}", verdict_of(c), effect.empty() ? "" : " " + effect + " %",
                     note.empty() ? "" : ": ", note);
}

std::string junit_element(const JsonField& c) {
  const std::string head = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.9f}\"",
                                       xml_text(text_of(c, "role")), xml_text(text_of(c, "name")),
                                       number_of(c, "test_seconds"));
  const std::string_view kind = junit_kind(c);
  if (kind.empty()) return head + "/>\n";
  return fmt::format("{}>\n      <{} message=\"{}\"/>\n    </testcase>\n", head, kind,
                     xml_text(message_of(c)));
}

Table table_of(const JsonField& comparison) {
  Table table{
      {"verdict", "base ms", "test ms", "effect %", "interval %", "adj. p", "code", "case", "note"},
      {}};
  for (const JsonField& c : comparison.at("cases").elements()) {
    const auto p = optional_number(c.find("adjusted_p"));
    table.rows.push_back(
        {verdict_of(c),
         milliseconds_cell(number_of(c, "base_seconds"), disturbed(c, "base_disturbed")),
         milliseconds_cell(number_of(c, "test_seconds"), disturbed(c, "test_disturbed")),
         change_of(c, "ratio"), interval_of(c), p ? fmt::format("{:.2g}", *p) : "",
         text_of(c, "code"), text_of(c, "name"), note_of(c)});
  }
  return table;
}

}  // namespace

std::string comparison_to_junit(const JsonField& comparison) {
  std::string tests;
  int64_t failures = 0, errors = 0, skipped = 0;
  for (const JsonField& c : comparison.at("cases").elements()) {
    tests += junit_element(c);
    const std::string_view kind = junit_kind(c);
    failures += kind == "failure" ? 1 : 0;
    errors += kind == "error" ? 1 : 0;
    skipped += kind == "skipped" ? 1 : 0;
  }
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
                  comparison.at("cases").elements().size(), failures, errors, skipped);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"alsbench\" {}>\n  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n"
      "</testsuites>\n",
      counts, xml_text(text_of(comparison, "procedure")), counts, tests);
}

// What stayed undecided is worth a line only where it kept the whole from a verdict.
std::string comparison_to_annotations(const JsonField& comparison) {
  const bool unfit = text_of(comparison, "conclusion") == "unfit";
  std::string lines;
  for (const JsonField& c : comparison.at("cases").elements()) {
    const std::string_view kind = junit_kind(c);
    if (kind.empty() || (kind == "skipped" && !unfit)) continue;
    lines += annotation(kind == "skipped" ? "warning" : "error", verdict_of(c),
                        fmt::format("{}: {}", text_of(c, "name"), message_of(c)));
  }
  return lines;
}

std::string comparison_to_bencher(const JsonField& comparison) {
  constexpr double kNanoseconds = 1e9;
  Json metrics = Json::object();
  for (const JsonField& c : comparison.at("cases").elements()) {
    const auto ratio = optional_number(c.find("ratio")), low = optional_number(c.find("ratio_low")),
               high = optional_number(c.find("ratio_high"));
    if (!ratio) continue;
    Json change{{"value", *ratio}};
    if (low) change["lower_value"] = *low;
    if (high) change["upper_value"] = *high;
    metrics[bencher_name(text_of(c, "name"))] = {
        {"latency", {{"value", number_of(c, "test_seconds") * kNanoseconds}}},
        {"time-ratio", change}};
  }
  return metrics.dump(2) + "\n";
}

std::string comparison_to_csv(const JsonField& comparison) {
  Table table{{"name", "role", "device", "verdict", "regressed", "base_launches", "test_launches",
               "base_seconds", "test_seconds", "ratio", "ratio_low", "ratio_high", "p",
               "adjusted_p", "code", "cross_environment"},
              {}};
  for (const JsonField& c : comparison.at("cases").elements()) {
    std::vector<std::string> row;
    for (const std::string& key : table.header) {
      const JsonField field = c.at(key);
      const Json& value = field.value();
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

std::string comparison_to_markdown(const JsonField& comparison) {
  const JsonField rules = comparison.at("rules");
  std::string head = fmt::format(
      "### alsbench {}: {}\n\nbase {}, test {}; bound {:g} %, alpha {:g}\n\n",
      markdown_cell(text_of(comparison, "procedure")),
      markdown_cell(text_of(comparison, "conclusion")), markdown_cell(text_of(comparison, "base")),
      markdown_cell(text_of(comparison, "test")), number_of(rules, "bound") * 100,
      number_of(rules, "alpha"));
  const std::vector<std::string> differences = comparison.at("differences").texts();
  for (const std::string& difference : differences)
    head += fmt::format("- differs: {}\n", markdown_cell(difference));
  if (!differences.empty()) head += '\n';
  return markdown_within(head, table_of(comparison), kSummaryBytes);
}

}  // namespace alsbench
