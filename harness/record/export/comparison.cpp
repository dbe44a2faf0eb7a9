// SPDX-License-Identifier: Apache-2.0
// Comparisons in the formats that have a place for them.
// Their cases are in order already: findings first, then by effect.
#include <fmt/format.h>

#include "harness/record/comparison_table.h"
#include "harness/record/escape.h"
#include "harness/record/export/export.h"
#include "harness/record/tables.h"

namespace alsbench {
namespace {

std::string change_of(const CaseComparison& c, double ratio) {
  return change_cell(ratio, c.disturbed());
}

// The reason, and the figures that changed: "registers 40 -> 72 (worse)".
std::string note_of(const CaseComparison& c) {
  std::string note = c.reason;
  for (const FigureChange& figure : c.figures)
    if (figure.changed())
      note += fmt::format("{}{} {} -> {}{}", note.empty() ? "" : "; ", figure.name, figure.base,
                          figure.test, figure.worse ? " (worse)" : "");
  return note;
}

// "failure", "error", "skipped" or "": passed.
std::string_view junit_kind(const CaseComparison& c) {
  if (c.verdict == Verdict::failed || c.verdict == Verdict::wrong || c.verdict == Verdict::missing)
    return "error";
  if (c.regressed()) return "failure";
  return c.verdict == Verdict::undecided || c.verdict == Verdict::environment ? "skipped" : "";
}

// "slower +20.00 %: registers 40 -> 72 (worse)".
std::string message_of(const CaseComparison& c) {
  const std::string effect = c.compared() ? fmt::format(" {} %", change_of(c, c.ratio)) : "";
  const std::string note = note_of(c);
  return fmt::format("{}{}{}{}", verdict_cell(c), effect, note.empty() ? "" : ": ", note);
}

bool moved(const CaseComparison& control) {
  return control.verdict == Verdict::slower || control.verdict == Verdict::faster;
}

// "slower +5.00 %: the machine was not quiet".
std::string message_of_control(const CaseComparison& control) {
  return message_of(control) + ": the machine was not quiet";
}

std::string junit_element(const CaseComparison& c, std::string_view kind,
                          const std::string& message) {
  const std::string head = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.9f}\"",
                                       xml_text(name_of(c.role)), xml_text(c.name), c.test_seconds);
  if (kind.empty()) return head + "/>\n";
  return fmt::format("{}>\n      <{} message=\"{}\"/>\n    </testcase>\n", head, kind,
                     xml_text(message));
}

}  // namespace

std::string comparison_to_junit(const ComparisonDocument& document) {
  JunitSuite suite{std::string(name_of(document.procedure))};
  for (const CaseComparison& c : document.comparison.cases) {
    const std::string_view kind = junit_kind(c);
    suite.elements += junit_element(c, kind, message_of(c));
    suite.seconds += c.test_seconds;
    ++suite.tests;
    suite.failures += kind == "failure" ? 1 : 0;
    suite.errors += kind == "error" ? 1 : 0;
    suite.skipped += kind == "skipped" ? 1 : 0;
  }
  for (const CaseComparison& control : document.comparison.controls) {
    if (!moved(control)) continue;
    suite.elements += junit_element(control, "skipped", message_of_control(control));
    ++suite.tests;
    ++suite.skipped;
  }
  return junit_document(suite);
}

// An undecided case or a moved control is worth a line only where it kept the whole from a verdict.
std::string comparison_to_annotations(const ComparisonDocument& document) {
  const bool unfit = document.conclusion == Conclusion::unfit;
  std::string lines;
  for (const CaseComparison& c : document.comparison.cases) {
    const std::string_view kind = junit_kind(c);
    if (kind.empty() || (kind == "skipped" && !unfit)) continue;
    lines += annotation(kind == "skipped" ? "warning" : "error", verdict_cell(c),
                        fmt::format("{}: {}", c.name, message_of(c)));
  }
  for (const CaseComparison& control : document.comparison.controls)
    if (unfit && moved(control))
      lines += annotation("warning", "control " + verdict_cell(control),
                          fmt::format("{}: {}", control.name, message_of_control(control)));
  return lines;
}

std::string comparison_to_bencher(const ComparisonDocument& document) {
  constexpr double kNanoseconds = 1e9;
  Json metrics = Json::object();
  for (const CaseComparison& c : document.comparison.cases) {
    if (!c.compared()) continue;
    Json change{{"value", c.ratio}};
    if (c.has_interval()) {
      change["lower_value"] = c.ratio_low;
      change["upper_value"] = c.ratio_high;
    }
    Json& measures = metrics[bencher_name(c.name)];
    if (c.quantity.is_time()) measures["latency"] = {{"value", c.test_seconds * kNanoseconds}};
    measures["time-ratio"] = change;
  }
  return metrics.dump(2) + "\n";
}

std::string comparison_to_csv(const ComparisonDocument& document) {
  const std::vector<RecordColumn>& columns = record_type<CaseComparison>().columns;
  Table table;
  for (const RecordColumn& column : columns) table.header.push_back(column.name);
  table.header.emplace_back("note");
  for (const CaseComparison& c : document.comparison.cases) {
    std::vector<std::string>& cells = table.rows.emplace_back();
    for (const RecordColumn& column : columns) cells.push_back(cell_text(column.cell(&c)));
    cells.push_back(note_of(c));
  }
  return to_csv(table);
}

std::string comparison_to_markdown(const ComparisonDocument& document) {
  const Comparison& comparison = document.comparison;
  std::string head = fmt::format(
      "### alsbench {}: {}\n\n**{}: {}**\n\nbase {}, test {}; bound {:g} %, alpha {:g}\n\n",
      name_of(document.procedure), name_of(document.conclusion),
      conclusion_text(document.conclusion), counts_text(comparison), markdown_cell(comparison.base),
      markdown_cell(comparison.test), comparison.rules.bound * 100, comparison.rules.alpha);
  for (const auto& [story, evidence] : told_stories(comparison.stories))
    head += fmt::format("- {}: {}\n", story, markdown_cell(evidence));
  for (const std::string& difference : comparison.differences)
    head += fmt::format("- differs: {}\n", markdown_cell(difference));
  for (const std::string& side : comparison.disturbed)
    head += fmt::format("- disturbed by other work on the machine, marked \"!\": {}\n",
                        markdown_cell(side));
  if (!comparison.stories.empty() || !comparison.differences.empty() ||
      !comparison.disturbed.empty())
    head += '\n';
  return markdown_within(head, comparison_table(comparison), kSummaryBytes);
}

}  // namespace alsbench
