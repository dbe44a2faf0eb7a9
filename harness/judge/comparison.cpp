// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/listing.h"
#include "base/median.h"
#include "harness/judge/causes.h"
#include "harness/judge/kernel_resources.h"
#include "harness/judge/statistics.h"
#include "harness/judge/verdict.h"
#include "harness/record/comparison_table.h"
#include "harness/record/escape.h"

namespace alsbench {
namespace {

CaseComparison blank(const ComparisonCase& c, Verdict verdict, std::string reason) {
  CaseComparison comparison;
  comparison.name = c.name;
  comparison.role = c.role;
  comparison.device = c.device;
  comparison.quantity = c.quantity;
  comparison.verdict = verdict;
  comparison.reason = std::move(reason);
  return comparison;
}

// Verdict of a case that is not ok on the test side.
CaseComparison fault(const ComparisonCase& named, const ComparisonCase& test) {
  const bool wrong = test.outcome == Outcome::wrong || test.outcome == Outcome::nan;
  const bool skipped = test.outcome == Outcome::skipped;
  return blank(
      named,
      skipped ? Verdict::missing
      : wrong ? Verdict::wrong
              : Verdict::failed,
      fmt::format("{}{}{}", name_of(test.outcome), test.detail.empty() ? "" : ": ", test.detail));
}

// Medians of another quantity than time, in its unit.
void set_values(CaseComparison& c) {
  if (c.quantity.is_time()) return;
  c.base_value = c.quantity.value_of(std::exchange(c.base_seconds, 0));
  c.test_value = c.quantity.value_of(std::exchange(c.test_seconds, 0));
}

CaseComparison measured_case(const ComparisonCase& base, const ComparisonCase& test,
                             const Rules& rules) {
  if (base.quantity != test.quantity)
    throw BaselineError(
        fmt::format("case '{}' is in {} on the base side, and in {} on the test side: "
                    "give both one unit, and one statistic of their samples",
                    visible(base.name), base.quantity.text(), test.quantity.text()));
  CaseComparison c = blank(base, Verdict::undecided, "");
  estimate(c, base.launches, test.launches, rules);
  set_values(c);
  c.code = same_code(base.kernels, test.kernels);
  c.figures = compare_resources(base.kernels, test.kernels);
  if (!base.metrics.empty() && !test.metrics.empty()) {
    const double before = median(base.metrics), after = median(test.metrics);
    c.figures.push_back(
        {"test_" + base.metric, before, after, rose_by_more(before, after, rules.metric_bound)});
  }
  const auto before = static_cast<double>(base.peak_device_bytes);
  const auto after = static_cast<double>(test.peak_device_bytes);
  if (before >= 0 && after >= 0 && before != after)
    c.figures.push_back(
        {"peak_device_bytes", before, after, rose_by_more(before, after, rules.memory_bound)});
  return c;
}

// The name of its record, which cases of several cache modes share.
const std::string& record_of(const ComparisonCase& c) {
  return c.record.empty() ? c.name : c.record;
}

// Controls, and cases that no file of their side measured or saw fail.
bool left_out(const ComparisonCase& c) {
  return c.role == CaseRole::control || c.outcome == Outcome::skipped;
}

// The cases of one side by name, and those that failed or were skipped by the name of their record.
class SideCases {
 public:
  explicit SideCases(const ComparisonInput& input) : cases_(input.cases) {
    for (const ComparisonCase& c : input.cases) {
      if (c.role == CaseRole::control) continue;
      by_name_[c.name] = &c;
      if (c.outcome == Outcome::skipped) skipped_[record_of(c)] = &c;
      if (failed(c.outcome)) failed_[record_of(c)] = &c;
      if (c.outcome != Outcome::skipped) records_.insert(record_of(c));
      if (!c.launches.empty()) measured_.insert(record_of(c));
    }
  }
  const std::vector<ComparisonCase>& cases() const { return cases_; }
  const ComparisonCase* find(const ComparisonCase& other) const {
    if (const ComparisonCase* found = named(other.name)) return found;
    for (const auto* faults : {&failed_, &skipped_})
      if (const auto fault = faults->find(record_of(other)); fault != faults->end())
        return fault->second;
    return nullptr;
  }
  // The same, but its failure before launches of it that did not fail.
  const ComparisonCase* find_fault(const ComparisonCase& other) const {
    const auto fault = failed_.find(record_of(other));
    return fault == failed_.end() ? find(other) : fault->second;
  }
  const ComparisonCase* named(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }
  // Whether it was measured or failed, in whatever cache mode.
  bool has_record(const ComparisonCase& other) const { return records_.contains(record_of(other)); }
  // A failure of a case that was measured in other launches.
  bool is_beside_measured(const ComparisonCase& c) const {
    return c.launches.empty() && measured_.contains(record_of(c));
  }

 private:
  const std::vector<ComparisonCase>& cases_;
  std::unordered_map<std::string, const ComparisonCase*> by_name_, failed_, skipped_;
  std::set<std::string> records_, measured_;
};

// How runs of the test side ended, and none of the base did: "exit code 1". Such runs do other
// work.
std::optional<std::string> new_end(const ComparisonCase& base, const ComparisonCase& test) {
  if (base.ends.empty()) return std::nullopt;  // its file does not say
  for (const std::string& end : test.ends)
    if (end != kGoodEnd && !base.ends.contains(end)) return end;
  return std::nullopt;
}

// Launches of the base that failed say nothing about the test side: the others count. On the test
// side one that failed is a fault.
std::vector<CaseComparison> pair_cases(const SideCases& bases, const SideCases& tests,
                                       const Rules& rules) {
  std::vector<CaseComparison> pairs;
  for (const ComparisonCase& c : bases.cases()) {
    if (left_out(c) || bases.is_beside_measured(c)) continue;
    const ComparisonCase* other = tests.find_fault(c);
    if (other == nullptr) {
      // A record that failed has no cache mode in its name; measured now, it comes as new below.
      if (c.outcome == Outcome::ok || !tests.has_record(c))
        pairs.push_back(blank(c, Verdict::missing, "not on the test side"));
    } else if (other->outcome != Outcome::ok) {
      pairs.push_back(fault(c, *other));
    } else if (const auto end = new_end(c, *other)) {
      pairs.push_back(
          blank(c, Verdict::failed,
                fmt::format("crashed: runs ended with {}, and none of the base did", *end)));
    } else if (!c.launches.empty()) {
      pairs.push_back(measured_case(c, *other, rules));
    }
  }
  for (const ComparisonCase& c : tests.cases()) {
    if (left_out(c)) continue;
    const ComparisonCase* other = bases.find(c);
    if (c.outcome != Outcome::ok) {
      // Its cases of the base have said so already, each in its cache mode.
      if (!bases.has_record(c)) pairs.push_back(fault(c, c));
    } else if (other == nullptr || other->launches.empty()) {
      pairs.push_back(blank(c, Verdict::added,
                            other == nullptr
                                ? "not on the base side"
                                : fmt::format("{} on the base side", name_of(other->outcome))));
    }
  }
  return pairs;
}

// The launches of one kind of control as one series: each launch's median over the places it was
// measured in, each place relative to its own level, so a place counts no more than another.
struct ControlSeries {
  std::vector<std::vector<double>> base, test;  // logarithms by launch
};

std::vector<double> medians_of(std::vector<std::vector<double>>& launches) {
  std::vector<double> series;
  for (std::vector<double>& launch : launches)
    if (!launch.empty()) series.push_back(median(std::move(launch)));
  return series;
}

void add_relative(std::vector<std::vector<double>>& series, const std::vector<Launch>& launches,
                  double level) {
  if (series.size() < launches.size()) series.resize(launches.size());
  for (size_t i = 0; i < launches.size(); ++i)
    series[i].push_back(std::log(launches[i].seconds) - level);
}

std::vector<CaseComparison> compare_controls(const ComparisonInput& base,
                                             const ComparisonInput& test, Rules rules) {
  std::unordered_map<std::string, const ComparisonCase*> tests;
  for (const ComparisonCase& c : test.cases)
    if (c.role == CaseRole::control && c.outcome == Outcome::ok) tests[c.name] = &c;
  std::map<std::pair<std::string, std::string>, ControlSeries> kinds;
  for (const ComparisonCase& c : base.cases) {
    const auto other = tests.find(c.name);
    if (c.role != CaseRole::control || c.outcome != Outcome::ok || other == tests.end()) continue;
    std::vector<double> logs;
    for (const auto* launches : {&c.launches, &other->second->launches})
      for (const Launch& launch : *launches) logs.push_back(std::log(launch.seconds));
    const double level = median(std::move(logs));
    ControlSeries& series = kinds[{c.device, c.kind}];
    add_relative(series.base, c.launches, level);
    add_relative(series.test, other->second->launches, level);
  }
  std::vector<CaseComparison> controls;
  for (auto& [key, series] : kinds) {
    CaseComparison c;
    c.role = CaseRole::control;
    std::tie(c.device, c.name) = key;
    estimate_logs(c, medians_of(series.base), medians_of(series.test), rules);
    controls.push_back(std::move(c));
  }
  std::vector<CaseComparison*> all;
  for (CaseComparison& c : controls) all.push_back(&c);
  rules.family = 0;
  judge_times(all, rules);
  return controls;
}

// The control of the case's device that moved as the case did, or null.
const CaseComparison* control_for(const CaseComparison& c,
                                  const std::vector<CaseComparison>& controls) {
  const auto found = std::ranges::find_if(controls, [&](const CaseComparison& k) {
    return moved(k) && k.verdict == c.time_verdict && k.device == c.device;
  });
  return found == controls.end() ? nullptr : &*found;
}

// A change of time that the code cannot be the reason of.
void find_other_reasons(CaseComparison& c, const CaseComparison* control) {
  if (c.verdict != Verdict::slower && c.verdict != Verdict::faster) return;
  if (c.code == SameCode::same)
    c.reason =
        fmt::format("{}, but its machine code and launch shape are the same", name_of(c.verdict));
  else if (control != nullptr)
    c.reason = fmt::format("{}, but so is the control {} by {:+.2f} %", name_of(c.verdict),
                           control->name, (control->ratio - 1) * 100);
  else if (slowed_by_contention(c))
    c.reason = fmt::format("{}, but other work ran during the longer launches", name_of(c.verdict));
  else
    return;
  c.verdict = Verdict::environment;
}

// Files of other tools say nothing of memory.
int64_t cases_without_memory(const ComparisonInput& input) {
  return std::ranges::count_if(input.cases, [](const ComparisonCase& c) {
    return c.role != CaseRole::control && c.outcome == Outcome::ok && c.peak_device_bytes < 0;
  });
}

// "counters, missing in 3 cases of a.json: permission: ...", where they were wanted.
std::optional<std::string> cases_without_counters(const ComparisonInput& input) {
  int64_t cases = 0;
  std::string why;
  for (const ComparisonCase& c : input.cases) {
    if (c.counters || c.no_counters.empty()) continue;
    if (cases++ == 0) why = c.no_counters;
  }
  if (cases == 0) return std::nullopt;
  return fmt::format("counters, missing in {} case{} of {}: {}", cases, cases == 1 ? "" : "s",
                     input.source, why);
}

int place_of(const CaseComparison& c) {
  switch (c.verdict) {
    case Verdict::wrong:
    case Verdict::failed:
      return 0;
    case Verdict::missing:
      return 1;
    case Verdict::added:
      return 2;
    default:
      return 3;
  }
}

// The one that a refusal to compare names first.
const SetupDifference& first_binding(const std::vector<SetupDifference>& setup) {
  return *std::ranges::find_if(setup, [](const SetupDifference& one) { return one.binding; });
}

// "5 of 96 medians of b.json", where other work disturbed any.
std::optional<std::string> disturbed_medians(const ComparisonInput& side) {
  int64_t medians = 0, disturbed = 0;
  for (const ComparisonCase& c : side.cases)
    for (const Launch& launch : c.launches) {
      ++medians;
      disturbed += launch.disturbed ? 1 : 0;
    }
  if (disturbed == 0) return std::nullopt;
  return fmt::format("{} of {} medians of {}", disturbed, medians, side.source);
}

// "2 cases that neither side measured: a, b", where files of other tools have any; ours have rows
// of what a machine cannot run.
std::optional<std::string> never_measured(const ComparisonInput& base, const SideCases& tests) {
  constexpr size_t kShown = 3;
  if (base.format == kOwnFormat) return std::nullopt;
  std::vector<std::string> names;
  for (const ComparisonCase& c : base.cases)
    if (const ComparisonCase* const other = tests.named(c.name);
        other != nullptr && c.outcome == Outcome::skipped && other->outcome == Outcome::skipped)
      names.push_back(c.name);
  if (names.empty()) return std::nullopt;
  return fmt::format("{} case{} that neither side measured: {}", names.size(),
                     names.size() == 1 ? "" : "s", listing(names, kShown));
}

}  // namespace

bool moved(const CaseComparison& control) {
  return control.verdict == Verdict::slower || control.verdict == Verdict::faster;
}

Comparison compare(const ComparisonInput& base, const ComparisonInput& test, const Rules& rules) {
  Comparison comparison;
  comparison.rules = rules;
  comparison.base = base.source;
  comparison.test = test.source;
  comparison.base_kernels = base.kernels;
  comparison.test_kernels = test.kernels;
  comparison.setup = setup_differences(base, test);
  std::vector<std::string> texts;  // the same without the sides, which a refusal names once
  for (const SetupDifference& one : join_devices(comparison.setup)) {
    if (!one.binding) continue;
    comparison.differences.push_back(difference_text(one, base.source, test.source));
    texts.push_back(difference_text(one));
  }
  if (!texts.empty() && !rules.cross_environment)
    throw BaselineError(fmt::format(
        "{} and {} are not comparable: {}: {}; --cross-env compares them anyway", base.source,
        test.source, story_text(first_binding(comparison.setup).story), fmt::join(texts, "; ")));
  if (std::ranges::none_of(base.cases, [](const ComparisonCase& c) {
        return c.role != CaseRole::control && !c.launches.empty();
      }))
    throw BaselineError(fmt::format("{}: holds no case that was measured", base.source));
  const bool any_memory = base.format == kOwnFormat || test.format == kOwnFormat;
  for (const ComparisonInput* side : {&base, &test})
    if (const int64_t cases = cases_without_memory(*side); cases > 0 && any_memory)
      comparison.not_compared.push_back(
          fmt::format("peak device memory, missing in {} case{} of {}", cases,
                      cases == 1 ? "" : "s", side->source));
  for (const ComparisonInput* side : {&base, &test})
    if (const auto text = disturbed_medians(*side)) comparison.disturbed.push_back(*text);
  comparison.controls = compare_controls(base, test, rules);
  const SideCases bases(base), tests(test);
  comparison.cases = pair_cases(bases, tests, rules);
  if (const auto text = never_measured(base, tests)) comparison.not_compared.push_back(*text);
  std::vector<CaseComparison*> compared;
  for (CaseComparison& c : comparison.cases)
    if (c.compared()) compared.push_back(&c);
  judge_times(compared, rules);
  explain(comparison, base, test);
  for (CaseComparison* c : compared) {
    find_other_reasons(*c, control_for(*c, comparison.controls));
    if (!rules.in_turn) allow_for_drift(*c, comparison.controls, rules);
    if (c->verdict == Verdict::faster)
      for (FigureChange& figure : c->figures) figure.worse = figure.worse && !figure.resource;
  }
  const bool cross_environment = !comparison.differences.empty();
  for (std::vector<CaseComparison>* list : {&comparison.cases, &comparison.controls})
    for (CaseComparison& c : *list) c.cross_environment = cross_environment;
  sort_findings_first(comparison.cases);
  return comparison;
}

void explain(Comparison& comparison, const ComparisonInput& base, const ComparisonInput& test) {
  const SideCases bases(base), tests(test);
  for (CaseComparison& c : comparison.cases) {
    const ComparisonCase *before = bases.named(c.name), *after = tests.named(c.name);
    if (c.compared() && before != nullptr && after != nullptr)
      c.causes = causes_of(c, control_for(c, comparison.controls), *before, *after);
  }
  for (const ComparisonInput* side : {&base, &test})
    if (const auto text = cases_without_counters(*side);
        text && std::ranges::find(comparison.not_compared, *text) == comparison.not_compared.end())
      comparison.not_compared.push_back(*text);
}

void sort_findings_first(std::vector<CaseComparison>& cases) {
  std::ranges::stable_sort(cases, [](const CaseComparison& a, const CaseComparison& b) {
    return std::pair(place_of(a), -a.ratio) < std::pair(place_of(b), -b.ratio);
  });
}

bool measured_in_turn(const ComparisonInput& base, const ComparisonInput& test) {
  std::vector<std::pair<std::string, int>> order;
  for (const std::string& time : base.times_utc) order.emplace_back(time, 0);
  for (const std::string& time : test.times_utc) order.emplace_back(time, 1);
  std::ranges::sort(order);
  size_t changes = 0;
  for (size_t i = 1; i < order.size(); ++i) changes += order[i].second != order[i - 1].second;
  const size_t fewer = std::min(base.times_utc.size(), test.times_utc.size());
  return fewer > 1 && changes >= fewer;
}

bool take_turns(ComparisonInput& base, ComparisonInput& test, const Rules& rules) {
  if (!measured_in_turn(base, test)) return false;
  int64_t cases = 0;
  bool several = false;
  for (const ComparisonInput* side : {&base, &test}) {
    cases = std::max(cases, std::ranges::count_if(side->cases, [](const ComparisonCase& c) {
                       return c.role != CaseRole::control && !c.launches.empty();
                     }));
    for (const ComparisonCase& c : side->cases)
      several = several || c.launches.size() > side->times_utc.size();
  }
  if (!several) return true;
  const size_t files = std::min(base.times_utc.size(), test.times_utc.size());
  if (std::cmp_less(files, launches_for_significance(rules.alpha, cases))) return false;
  join_launches_of_files(base);
  join_launches_of_files(test);
  return true;
}

Conclusion conclusion_of(const Comparison& comparison) {
  bool vanished = false, regressed = false;
  for (const CaseComparison& c : comparison.cases) {
    vanished = vanished || place_of(c) < 2;
    regressed = regressed || c.regressed();
  }
  if (vanished) return Conclusion::failed;
  if (regressed) return Conclusion::regression;
  return reasons_unfit(comparison).empty() ? Conclusion::clean : Conclusion::unfit;
}

std::vector<std::string> reasons_unfit(const Comparison& comparison) {
  int64_t compared = 0, open = 0, too_few = 0;
  for (const CaseComparison& c : comparison.cases) {
    compared += c.compared() ? 1 : 0;
    open += c.open() ? 1 : 0;
    too_few += c.open() && c.too_few_launches ? 1 : 0;
  }
  std::vector<std::string> reasons;
  if (compared == 0) reasons.emplace_back("no case has times on both sides");
  const double maximum = comparison.rules.max_undecided;
  if (too_few > 0 && maximum < 1)
    reasons.push_back(
        fmt::format("{} of {} cases have too few launches to be found slower", too_few, compared));
  constexpr double kRoundingOfCounts = 1e-9;
  if (static_cast<double>(open) > maximum * static_cast<double>(compared) + kRoundingOfCounts)
    reasons.push_back(
        fmt::format("{} of {} cases are undecided, more than the {:g} % of "
                    "--max-undecided",
                    open, compared, 100 * maximum));
  for (const CaseComparison& control : comparison.controls)
    if (moved(control))
      reasons.push_back(fmt::format("the control {} is {:.1f} % {}: the machine was not quiet",
                                    control.name, 100 * std::abs(control.ratio - 1),
                                    name_of(control.verdict)));
  return reasons;
}

}  // namespace alsbench
