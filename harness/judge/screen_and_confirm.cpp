// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/screen_and_confirm.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "harness/judge/statistics.h"
#include "harness/process/interrupted.h"

namespace alsbench {
namespace {

constexpr int64_t kLaunchesOfBlock = 2;  // of each side
constexpr int64_t kMinLaunches = 6;      // of each side in a confirmation

int64_t next_even(int64_t count) { return count + count % 2; }

// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the same order from a seed on every machine.
uint64_t next_random(uint64_t& state) {
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

bool is_open(const CaseComparison& c) { return c.verdict == Verdict::undecided; }

std::unordered_set<std::string> measured_cases(const ComparisonInput& input) {
  std::unordered_set<std::string> names;
  for (const ComparisonCase& c : input.cases)
    if (!c.launches.empty()) names.insert(c.name);
  return names;
}

class TwoPhases {
 public:
  TwoPhases(const TwoPhaseDesign& design, const TakeLaunch& take, const Seconds& now)
      : design_(design), order_(design.seed, take), now_(now), start_(now()) {}

  TwoPhaseResult run() {
    screen();
    if (result_.suspects > 0) confirm();
    if (design_.counters) count();
    sort_findings_first(result_.comparison.cases);
    result_.comparison.rules = design_.rules;
    result_.confirmed = result_.suspects - static_cast<int64_t>(open_.size()) - vanished_;
    result_.launches = order_.launches();
    return std::move(result_);
  }

 private:
  bool budget_left() const {
    return design_.budget_seconds <= 0 || now_() - start_ < design_.budget_seconds;
  }

  void screen() {
    InputMerger base, test;
    int64_t taken = 0;
    do {  // at least one block, as nothing can be compared without
      order_.take_block(Phase::screening, {}, base, test);
      taken += kLaunchesOfBlock;
    } while (taken < design_.screening_launches && budget_left());
    Rules rules = design_.rules;
    rules.alpha = kScreeningAlpha;
    result_.comparison = compare(base.input(), test.input(), rules);
    for (CaseComparison& c : result_.comparison.cases) {
      if (!c.compared() || c.time_verdict == Verdict::same) continue;
      c.verdict = c.time_verdict = Verdict::undecided;  // whatever it looks like so far
      c.causes.clear();
      if (c.code == SameCode::same) {
        c.reason = "the same machine code and launch shape: not worth confirming";
        continue;
      }
      if (c.reason.empty()) c.reason = "seen to change in the screening, not confirmed";
      open_.push_back(c.name);
    }
    result_.suspects = static_cast<int64_t>(open_.size());
    result_.stop_reason =
        taken < design_.screening_launches ? StopReason::budget : StopReason::decided;
  }

  void confirm() {
    int64_t taken = 0;
    for (const int64_t look : planned_looks(design_, result_.suspects)) {
      while (taken < look && budget_left()) {
        order_.take_block(Phase::confirmation, open_, base_, test_);
        taken += kLaunchesOfBlock;
      }
      if (taken > 0) {
        set_vanished_aside(base_.input());
        if (!open_.empty()) look_at(base_.input(), test_.input());
      }
      if (open_.empty()) {
        if (vanished_ > 0) result_.stop_reason = StopReason::vanished;
        return;
      }
      if (taken < look) {
        result_.stop_reason = StopReason::budget;
        return;
      }
    }
    result_.stop_reason = StopReason::launches;
  }

  // Suspects that the base measured in the screening alone stay undecided: nothing is known of them
  // that the screening does not say.
  void set_vanished_aside(const ComparisonInput& base) {
    const std::unordered_set<std::string> measured = measured_cases(base);
    for (CaseComparison& c : result_.comparison.cases)
      if (std::ranges::find(open_, c.name) != open_.end() && !measured.contains(c.name))
        c.reason = "seen to change in the screening; the base did not measure it again";
    vanished_ += static_cast<int64_t>(
        std::erase_if(open_, [&](const std::string& name) { return !measured.contains(name); }));
  }

  // Verdicts of the cases that are open, from the launches of the confirmation alone.
  void look_at(const ComparisonInput& base, const ComparisonInput& test) {
    Rules rules = design_.rules;
    rules.alpha = design_.rules.alpha / static_cast<double>(kMaxLooks);
    rules.family = result_.suspects;
    Comparison look = compare(base, test, rules);
    std::unordered_map<std::string, CaseComparison*> seen;
    for (CaseComparison& c : look.cases) seen[c.name] = &c;
    std::vector<std::string> still_open;
    const std::unordered_set<std::string> were_open(open_.begin(), open_.end());
    for (CaseComparison& c : result_.comparison.cases) {
      if (!were_open.contains(c.name)) continue;
      if (const auto found = seen.find(c.name); found != seen.end()) c = std::move(*found->second);
      if (is_open(c)) still_open.push_back(c.name);
    }
    open_ = std::move(still_open);
    result_.comparison.controls = std::move(look.controls);
  }

  // Its samples count for nothing: they follow executions that the counters slowed down.
  void count() {
    std::vector<std::string> names;
    for (const CaseComparison& c : result_.comparison.cases)
      if (c.time_verdict == Verdict::slower || c.time_verdict == Verdict::faster)
        names.push_back(c.name);
    if (names.empty()) return;
    try {
      base_.adopt_counters(order_.take(Phase::counting, Build::base, names));
      test_.adopt_counters(order_.take(Phase::counting, Build::test, names));
    } catch (const Interrupted&) {
      throw;
    } catch (const std::runtime_error& error) {  // an older build knows no counters
      result_.comparison.not_compared.push_back(fmt::format("counters: {}", error.what()));
    }
    explain(result_.comparison, base_.input(), test_.input());
  }

  const TwoPhaseDesign& design_;
  BlockOrder order_;
  const Seconds& now_;
  double start_;
  TwoPhaseResult result_;
  InputMerger base_, test_;        // launches of the confirmation
  std::vector<std::string> open_;  // suspects that are not decided yet
  int64_t vanished_ = 0;           // those that the base did not measure again
};

}  // namespace

void BlockOrder::take_block(Phase phase, const std::vector<std::string>& names, InputMerger& base,
                            InputMerger& test) {
  const bool base_first = next_random(state_) % 2 == 0;
  const Build outer = base_first ? Build::base : Build::test;
  const Build inner = base_first ? Build::test : Build::base;
  for (const Build build : {outer, inner, inner, outer})
    (build == Build::base ? base : test).add(take(phase, build, names));
}

ComparisonInput BlockOrder::take(Phase phase, Build build, const std::vector<std::string>& names) {
  return take_({launches_++, phase, build}, names);
}

int64_t launches_to_confirm(const Rules& rules, int64_t suspects) {
  const double alpha_of_look = rules.alpha / static_cast<double>(kMaxLooks);
  return next_even(std::max(
      kMinLaunches, launches_for_significance(alpha_of_look, std::max<int64_t>(1, suspects))));
}

std::vector<int64_t> planned_looks(const TwoPhaseDesign& design, int64_t suspects) {
  const int64_t first = launches_to_confirm(design.rules, suspects);
  std::vector<int64_t> looks;
  for (int64_t look = first; static_cast<int64_t>(looks.size()) < kMaxLooks; look += first) {
    looks.push_back(std::min(look, design.max_launches));
    if (look >= design.max_launches) break;
  }
  looks.back() = design.max_launches;
  return looks;
}

TwoPhaseResult run_two_phases(const TwoPhaseDesign& design, const TakeLaunch& take,
                              const Seconds& now) {
  return TwoPhases(design, take, now).run();
}

}  // namespace alsbench
