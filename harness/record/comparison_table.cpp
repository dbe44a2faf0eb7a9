// SPDX-License-Identifier: Apache-2.0
#include "harness/record/comparison_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace alsbench {
namespace {

constexpr std::array kVerdicts{Verdict::wrong,     Verdict::failed, Verdict::missing,
                               Verdict::added,     Verdict::slower, Verdict::environment,
                               Verdict::undecided, Verdict::faster, Verdict::same};

std::string remarks_of(const CaseComparison& c) {
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

std::vector<std::string> row_of(const CaseComparison& c) {
  return {verdict_cell(c),
          median_cell(c, Build::base),
          median_cell(c, Build::test),
          c.compared() ? change_cell(c.ratio, c.disturbed()) : "",
          c.has_interval() ? fmt::format("{} to {}", change_cell(c.ratio_low, c.disturbed()),
                                         change_cell(c.ratio_high, c.disturbed()))
                           : "",
          c.compared() ? fmt::format("{:.2g}", c.adjusted_p) : "",
          c.compared() ? fmt::format("{}+{}", c.base_launches, c.test_launches) : "",
          c.code == SameCode::unknown ? "" : std::string(name_of(c.code)),
          c.name,
          remarks_of(c)};
}

Table table_of(const std::vector<CaseComparison>& cases) {
  Table table{{"verdict", "base ms", "test ms", "effect %", "interval %", "adj. p", "launches",
               "code", "case", "note"},
              {}};
  for (const CaseComparison& c : cases) table.rows.push_back(row_of(c));
  return table;
}

}  // namespace

std::string verdict_cell(const CaseComparison& c) {
  return fmt::format("{}{}{}", name_of(c.verdict),
                     c.regressed() && c.verdict != Verdict::slower ? ", worse" : "",
                     c.cross_environment ? " (cross-env)" : "");
}

std::string median_cell(const CaseComparison& c, Build build) {
  const bool base = build == Build::base;
  if (c.quantity.is_time())
    return milliseconds_cell(base ? c.base_seconds : c.test_seconds,
                             (base ? c.base_disturbed : c.test_disturbed) > 0);
  const double value = base ? c.base_value : c.test_value;
  return value > 0 ? fmt::format("{:.5g} {}", value, c.quantity.unit) : "";
}

Table comparison_table(const Comparison& comparison) { return table_of(comparison.cases); }

Table control_table(const Comparison& comparison) { return table_of(comparison.controls); }

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

std::string_view story_text(StoryKind kind) {
  switch (kind) {
    case StoryKind::change:
      return "real change";
    case StoryKind::method:
      return "changed method";
    case StoryKind::machine:
      return "other hardware or driver";
    case StoryKind::launches:
      return "too few launches";
    case StoryKind::unconfirmed:
      return "cannot tell";
    case StoryKind::noise:
      break;
  }
  return "noise";
}

std::vector<std::pair<std::string, std::string>> told_stories(const std::vector<Story>& stories) {
  std::vector<std::pair<std::string, std::string>> told;
  for (const Story& story : stories)
    told.emplace_back(
        fmt::format("{}: {}", told.empty() ? "story" : "beside it", story_text(story.kind)),
        story.evidence);
  return told;
}

std::string_view conclusion_text(Conclusion conclusion) {
  switch (conclusion) {
    case Conclusion::failed:
      return "cases failed or vanished";
    case Conclusion::regression:
      return "there is a regression";
    case Conclusion::unfit:
      return "no regression was found, but too little could be told";
    case Conclusion::interrupted:
      return "interrupted before a verdict";
    case Conclusion::clean:
      break;
  }
  return "no regression";
}

}  // namespace alsbench
