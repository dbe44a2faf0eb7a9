// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "harness/record/provenance.h"

namespace alsbench {
namespace {

constexpr std::array kVerdicts{Verdict::wrong,     Verdict::failed, Verdict::missing,
                               Verdict::added,     Verdict::slower, Verdict::environment,
                               Verdict::undecided, Verdict::faster, Verdict::same};

Json number_or_null(bool known, double value) { return known ? json_of(value) : Json(nullptr); }

Json figure_json(const FigureChange& figure) {
  return {{"name", figure.name},
          {"base", json_of(figure.base)},
          {"test", json_of(figure.test)},
          {"worse", figure.worse}};
}

Json causes_json(const std::vector<Cause>& causes) {
  Json json = Json::array();
  for (const Cause& cause : causes)
    json.push_back({{"kind", name_of(cause.kind)}, {"evidence", cause.evidence}});
  return json;
}

Json case_json(const CaseComparison& c, bool cross_environment) {
  Json figures = Json::array();
  for (const FigureChange& figure : c.figures) figures.push_back(figure_json(figure));
  const bool timed = c.base_seconds > 0, interval = c.compared() && c.ratio_low > 0;
  return {{"name", c.name},
          {"role", name_of(c.role)},
          {"device", c.device},
          {"verdict", name_of(c.verdict)},
          {"time_verdict", c.compared() ? Json(name_of(c.time_verdict)) : Json(nullptr)},
          {"regressed", c.regressed()},
          {"reason", c.reason.empty() ? Json(nullptr) : Json(c.reason)},
          {"base_launches", c.base_launches},
          {"test_launches", c.test_launches},
          {"base_seconds", number_or_null(timed, c.base_seconds)},
          {"test_seconds", number_or_null(timed, c.test_seconds)},
          {"base_disturbed", c.base_disturbed},
          {"test_disturbed", c.test_disturbed},
          {"ratio", number_or_null(c.compared(), c.ratio)},
          {"ratio_low", number_or_null(interval, c.ratio_low)},
          {"ratio_high", number_or_null(interval, c.ratio_high)},
          {"p", number_or_null(c.compared(), c.p)},
          {"adjusted_p", number_or_null(c.compared(), c.adjusted_p)},
          {"launches_needed", c.launches_needed > 0 ? Json(c.launches_needed) : Json(nullptr)},
          {"code", name_of(c.code)},
          {"figures", figures},
          {"causes", causes_json(c.causes)},
          {"cross_environment", cross_environment}};
}

Json rules_json(const Rules& rules) {
  return {{"bound", rules.bound},
          {"alpha", rules.alpha},
          {"rmse_bound", rules.metric_bound},
          {"memory_bound", rules.memory_bound},
          {"max_undecided", rules.max_undecided},
          {"cross_environment", rules.cross_environment}};
}

std::string note_of(const CaseComparison& c) {
  std::vector<std::string> notes;
  for (const Cause& cause : c.causes)
    notes.push_back(fmt::format("cause: {} ({})", name_of(cause.kind), cause.evidence));
  if (c.causes.empty() && (c.verdict == Verdict::slower || c.verdict == Verdict::faster))
    notes.emplace_back("cause: unknown");
  for (const FigureChange& figure : c.figures)
    if (figure.changed())
      notes.push_back(fmt::format("{} {:.5g} -> {:.5g}{}", figure.name, figure.base, figure.test,
                                  figure.worse ? " (worse)" : ""));
  if (!c.reason.empty()) notes.push_back(c.reason);
  return fmt::format("{}", fmt::join(notes, "; "));
}

std::vector<std::string> row_of(const CaseComparison& c, bool cross_environment) {
  const bool interval = c.compared() && c.ratio_low > 0;
  return {std::string(name_of(c.verdict)) +
              (c.regressed() && c.verdict != Verdict::slower ? ", worse" : "") +
              (cross_environment ? " (cross-env)" : ""),
          milliseconds_cell(c.base_seconds, c.base_disturbed > 0),
          milliseconds_cell(c.test_seconds, c.test_disturbed > 0),
          c.compared() ? change_cell(c.ratio, c.disturbed()) : "",
          interval ? fmt::format("{} to {}", change_cell(c.ratio_low, c.disturbed()),
                                 change_cell(c.ratio_high, c.disturbed()))
                   : "",
          c.compared() ? fmt::format("{:.2g}", c.adjusted_p) : "",
          c.compared() ? fmt::format("{}+{}", c.base_launches, c.test_launches) : "",
          c.code == SameCode::unknown ? "" : std::string(name_of(c.code)),
          c.name,
          note_of(c)};
}

Table table_of(const std::vector<CaseComparison>& cases, bool cross_environment) {
  Table table{{"verdict", "base ms", "test ms", "effect %", "interval %", "adj. p", "launches",
               "code", "case", "note"},
              {}};
  for (const CaseComparison& c : cases) table.rows.push_back(row_of(c, cross_environment));
  return table;
}

}  // namespace

Json to_json(const Comparison& comparison, std::string_view procedure,
             std::string_view conclusion) {
  const bool cross = !comparison.differences.empty();
  Json cases = Json::array(), canaries = Json::array();
  for (const CaseComparison& c : comparison.cases) cases.push_back(case_json(c, cross));
  for (const CaseComparison& c : comparison.canaries) canaries.push_back(case_json(c, cross));
  return {{"$schema", "../schema/comparison.schema.json"},
          {"schema_version", kComparisonSchemaVersion},
          {"kind", "comparison"},
          {"procedure", procedure},
          {"base", without_folder(comparison.base)},
          {"test", without_folder(comparison.test)},
          {"rules", rules_json(comparison.rules)},
          {"differences", comparison.differences},
          {"not_compared", comparison.not_compared},
          {"disturbed", comparison.disturbed},
          {"conclusion", conclusion},
          {"cases", cases},
          {"canaries", canaries}};
}

Json to_json(const TwoPhaseDesign& design, const Suite& suite) {
  return {
      {"suite", suite.name},
      {"suite_hash", suite.hash},
      {"seed", design.seed},
      {"screening_launches", design.screening_launches},
      {"screening_alpha", kScreeningAlpha},
      {"max_launches", design.max_launches},
      {"looks", kMostLooks},
      {"budget_seconds", design.budget_seconds > 0 ? Json(design.budget_seconds) : Json(nullptr)}};
}

Table comparison_table(const Comparison& comparison) {
  return table_of(comparison.cases, !comparison.differences.empty());
}

Table canary_table(const Comparison& comparison) {
  return table_of(comparison.canaries, !comparison.differences.empty());
}

std::string counts_text(const Comparison& comparison) {
  std::vector<std::string> counts;
  for (const Verdict verdict : kVerdicts) {
    const auto count = std::count_if(comparison.cases.begin(), comparison.cases.end(),
                                     [&](const CaseComparison& c) { return c.verdict == verdict; });
    if (count > 0) counts.push_back(fmt::format("{} {}", count, name_of(verdict)));
  }
  const auto worse = std::count_if(
      comparison.cases.begin(), comparison.cases.end(),
      [](const CaseComparison& c) { return c.regressed() && c.verdict != Verdict::slower; });
  if (worse > 0) counts.push_back(fmt::format("{} with a worse figure", worse));
  return counts.empty() ? "no cases" : fmt::format("{}", fmt::join(counts, ", "));
}

}  // namespace alsbench
