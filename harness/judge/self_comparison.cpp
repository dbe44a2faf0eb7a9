// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/self_comparison.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "harness/judge/verdict.h"

namespace alsbench {
namespace {

constexpr size_t kMaxBlocks = 10;

using Sides = std::pair<const std::vector<Launch>*, const std::vector<Launch>*>;

// The pairs of launches whose block's bit is set change sides.
std::pair<std::vector<Launch>, std::vector<Launch>> swapped(const Sides& sides, uint64_t bits) {
  std::pair<std::vector<Launch>, std::vector<Launch>> both{*sides.first, *sides.second};
  const size_t size = std::min(both.first.size(), both.second.size());
  for (size_t i = 0; i < size; ++i)
    if ((bits >> std::min(i / 2, kMaxBlocks) & 1) != 0) std::swap(both.first[i], both.second[i]);
  return both;
}

}  // namespace

SelfComparison relabel(const ComparisonInput& base, const ComparisonInput& test,
                       const Rules& rules) {
  std::unordered_map<std::string, const ComparisonCase*> tests;
  for (const ComparisonCase& c : test.cases) tests[c.name] = &c;
  std::vector<Sides> cases;
  size_t launches = 0;
  for (const ComparisonCase& c : base.cases) {
    const auto other = tests.find(c.name);
    if (c.role == CaseRole::control || c.launches.empty() || other == tests.end()) continue;
    cases.emplace_back(&c.launches, &other->second->launches);
    launches = std::max(launches, c.launches.size());
  }
  SelfComparison result;
  if (cases.empty()) return result;
  // Swapping every block is the same comparison again: the last block stays.
  const size_t free_blocks = std::min((launches + 1) / 2 - 1, kMaxBlocks);
  for (uint64_t bits = 0; bits < uint64_t{1} << free_blocks; ++bits) {
    std::vector<CaseComparison> comparisons(cases.size());
    std::vector<CaseComparison*> all;
    for (size_t i = 0; i < cases.size(); ++i) {
      const auto [a, b] = swapped(cases[i], bits);
      estimate(comparisons[i], a, b, rules);
      all.push_back(&comparisons[i]);
    }
    judge_times(all, rules);
    ++result.relabelings;
    for (const CaseComparison& c : comparisons) {
      ++result.comparisons;
      const bool alarm = c.time_verdict == Verdict::slower || c.time_verdict == Verdict::faster;
      result.alarms += alarm ? 1 : 0;
    }
  }
  return result;
}

Conclusion conclusion_of(const Comparison& comparison, const SelfComparison& self) {
  // A case that only one launch of the same build has, has failed in another.
  if (!std::ranges::all_of(comparison.cases, [](const CaseComparison& c) { return c.compared(); }))
    return Conclusion::failed;
  return self.alarms > 0 || conclusion_of(comparison) != Conclusion::clean ? Conclusion::unfit
                                                                           : Conclusion::clean;
}

double detectable_effect(const CaseComparison& c, const Rules& rules) {
  if (!(c.ratio_low > 0)) return std::numeric_limits<double>::infinity();
  return (1 + rules.bound) * (c.ratio_high / c.ratio_low) - 1;
}

}  // namespace alsbench
