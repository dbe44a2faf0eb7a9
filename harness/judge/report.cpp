// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/listing.h"
#include "harness/judge/causes.h"
#include "harness/judge/setup.h"

namespace alsbench {
namespace {

bool has_cause(const CaseComparison& c, CauseKind kind) {
  return std::ranges::any_of(c.causes, [&](const Cause& cause) { return cause.kind == kind; });
}

// Its clock explains it, and code that is not known to have changed did not lower the clock.
bool clocked(const CaseComparison& c) {
  return moved(c) && c.code != SameCode::changed && has_cause(c, CauseKind::clock);
}

bool failed_there(const CaseComparison& c) {
  return c.verdict == Verdict::failed || c.verdict == Verdict::wrong ||
         c.verdict == Verdict::missing;
}

bool undecided(const CaseComparison& c) {
  return c.verdict == Verdict::undecided && !c.lacks_launches();
}

// No noise: all of its interval is an effect that matters.
bool beyond_bound(const CaseComparison& c, const Rules& rules) {
  return c.has_interval() &&
         (c.ratio_low > 1 + rules.bound || c.ratio_high < 1 / (1 + rules.bound));
}

bool has_effect(const CaseComparison& c) { return moved(c) || c.verdict == Verdict::environment; }

using Cases = std::vector<const CaseComparison*>;

template <class Chosen>
Cases chosen_cases(const Comparison& comparison, const Chosen& chosen) {
  Cases own;
  for (const CaseComparison& c : comparison.cases)
    if (chosen(c)) own.push_back(&c);
  return own;
}

double change_of(const CaseComparison* c) { return std::abs(std::log(c->ratio)); }

// "2 of 22 cases moved"
std::string share_text(const Cases& own, const Comparison& comparison, const char* what) {
  return fmt::format("{} of {} case{} {}", own.size(), comparison.cases.size(),
                     comparison.cases.size() == 1 ? "" : "s", what);
}

std::string most_text(const CaseComparison& most) {
  return fmt::format(", the most {} by {:+.1f} %", most.name, 100 * (most.ratio - 1));
}

// "2 of 22 cases slower or faster, the most hermitian/tiled by +5.0 %"; "" of none.
template <class Chosen>
std::string cases_text(const Comparison& comparison, const char* what, const Chosen& chosen) {
  const Cases own = chosen_cases(comparison, chosen);
  if (own.empty()) return "";
  const CaseComparison& most = **std::ranges::max_element(
      own, {}, [](const CaseComparison* c) { return has_effect(*c) ? change_of(c) : 0; });
  std::string text = share_text(own, comparison, what);
  if (most.verdict == Verdict::undecided) return text;
  return text + (has_effect(most) ? most_text(most) : ": " + most.name);
}

// "2 of 3 cases moved, the most k by +4.4 %, but were not confirmed"; "" of none.
std::string unconfirmed_text(const Comparison& comparison) {
  const Cases own = chosen_cases(comparison, [&](const CaseComparison& c) {
    return undecided(c) && beyond_bound(c, comparison.rules);
  });
  if (own.empty()) return "";
  return share_text(own, comparison, "moved") +
         most_text(**std::ranges::max_element(own, {}, change_of)) +
         fmt::format(", but {} not confirmed", own.size() == 1 ? "was" : "were");
}

// "2 of 3 cases could not be told slower or faster: k (1 + 1 launches) and l (1 + 1); 6 + 6 can
// tell"; "" of none.
std::string launches_text(const Comparison& comparison) {
  constexpr size_t kNamed = 3;
  std::vector<std::string> names;
  int64_t needed = 0;
  for (const CaseComparison& c : comparison.cases) {
    if (!c.lacks_launches()) continue;
    names.push_back(fmt::format("{} ({} + {}{})", c.name, c.base_launches, c.test_launches,
                                names.empty() ? " launches" : ""));
    needed = std::max(needed, c.launches_needed);
  }
  if (names.empty()) return "";
  std::string text =
      fmt::format("{} of {} case{} could not be told slower or faster: ", names.size(),
                  comparison.cases.size(), comparison.cases.size() == 1 ? "" : "s");
  text += listing(std::move(names), kNamed);
  return needed > 0 ? text + fmt::format("; {} + {} can tell", needed, needed) : text;
}

class Teller {
 public:
  explicit Teller(const Comparison& comparison) : comparison_(comparison) {}

  std::vector<Story> run() {
    setup([](const SetupDifference& one) { return !one.weak; });
    // A control that moved is a machine in another state, whatever the code did.
    for (const CaseComparison& control : comparison_.controls)
      if (moved(control))
        add(StoryKind::machine, fmt::format("the control {} moved by {:+.1f} %", control.name,
                                            100 * (control.ratio - 1)));
    cases(StoryKind::machine, "moved with the clock", clocked);
    cases(StoryKind::change, "failed or vanished", failed_there);
    cases(StoryKind::change, "slower or faster",
          [](const CaseComparison& c) { return moved(c) && !clocked(c); });
    cases(StoryKind::change, "with a worse figure",
          [](const CaseComparison& c) { return c.regressed() && !moved(c); });
    setup([](const SetupDifference& one) { return one.weak; });
    cases(StoryKind::machine, "moved with the same machine code", [](const CaseComparison& c) {
      return c.verdict == Verdict::environment && c.code == SameCode::same;
    });
    add(StoryKind::launches, launches_text(comparison_));
    add(StoryKind::unconfirmed, unconfirmed_text(comparison_));
    cases(StoryKind::noise, "moved while other work ran", [](const CaseComparison& c) {
      return c.verdict == Verdict::environment && c.code != SameCode::same &&
             slowed_by_contention(c);
    });
    cases(StoryKind::noise, "undecided", [this](const CaseComparison& c) {
      return undecided(c) && !beyond_bound(c, comparison_.rules);
    });
    if (stories_.empty()) add(StoryKind::noise, "no case moved by more than launches differ by");
    return std::move(stories_);
  }

 private:
  void add(StoryKind kind, const std::string& evidence) {
    if (evidence.empty()) return;
    const auto told =
        std::ranges::find_if(stories_, [&](const Story& story) { return story.kind == kind; });
    if (told == stories_.end())
      stories_.push_back({kind, evidence});
    else
      told->evidence += "; " + evidence;
  }

  template <class Chosen>
  void cases(StoryKind kind, const char* what, const Chosen& chosen) {
    add(kind, cases_text(comparison_, what, chosen));
  }

  template <class Chosen>
  void setup(const Chosen& chosen) {
    for (const SetupDifference& one : comparison_.setup)
      if (chosen(one)) add(one.story, difference_text(one));
  }

  const Comparison& comparison_;
  std::vector<Story> stories_;
};

}  // namespace

std::vector<Story> stories_of(const Comparison& comparison) { return Teller(comparison).run(); }

ComparisonDocument document_of(Procedure procedure, Comparison comparison, Conclusion conclusion) {
  comparison.base = without_folder(comparison.base);
  comparison.test = without_folder(comparison.test);
  if (procedure != Procedure::aa) comparison.stories = stories_of(comparison);
  return {.procedure = procedure,
          .conclusion = conclusion,
          .comparison = std::move(comparison),
          .provenance = provenance()};
}

DesignRecord record_of(const TwoPhaseDesign& design) {
  return {.seed = design.seed,
          .screening_launches = design.screening_launches,
          .screening_alpha = kScreeningAlpha,
          .max_launches = design.max_launches,
          .looks = kMaxLooks,
          .budget_seconds = design.budget_seconds};
}

DesignRecord record_of(const TwoPhaseDesign& design, const Suite& suite) {
  DesignRecord record = record_of(design);
  record.suite = suite.name;
  record.suite_hash = suite.hash;
  return record;
}

}  // namespace alsbench
