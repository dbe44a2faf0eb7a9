// SPDX-License-Identifier: Apache-2.0
// The procedure of `ab`. It takes launches of two builds in ABBA blocks. The screening compares all
// cases with few launches. The confirmation takes fresh launches of the cases that were not seen to
// be the same, until each is decided or the budget ends. The budget may end in the screening, too.
// Where counters are wanted, one more launch of each side counts what became slower or faster. A
// function takes the launches, so tests need no build.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/judge/comparison.h"

namespace alsbench {

struct TwoPhaseDesign {
  Rules rules;
  uint64_t seed = 1;               // of the order of launches
  int64_t screening_launches = 4;  // of each side; even, as a block has two of each
  int64_t max_launches = 24;       // of each side in the confirmation; even
  double budget_seconds = 0;       // no block of launches is begun after it; 0: no limit
  bool counters = false;           // of the cases that became slower or faster
};

// The screening decides only "same", at this alpha, because 4 + 4 launches allow no smaller one.
// A change that it misses is missed for good. Beyond the bound that happens with a probability of
// at most half of alpha, 2.5 %.
inline constexpr double kScreeningAlpha = 0.05;
// How often a case is judged at most while its confirmation goes on. Each look spends an equal
// share of alpha.
inline constexpr int64_t kMaxLooks = 3;

struct LaunchPlace {
  int64_t index = 0;  // in the order of time, from 0
  Phase phase = Phase::screening;
  Build build = Build::base;
};

// Takes one launch of a build: of the named cases, or of all where there are no names.
using TakeLaunch =
    std::function<ComparisonInput(const LaunchPlace& place, const std::vector<std::string>& names)>;
using Seconds = std::function<double()>;  // a steady clock

struct TwoPhaseResult {
  Comparison comparison;
  int64_t suspects = 0;   // cases that the screening leaves to the confirmation
  int64_t confirmed = 0;  // of these, decided by it
  int64_t launches = 0;   // taken, of both sides
  StopReason stop_reason = StopReason::decided;
};

// Throws what `take` throws, and BaselineError as compare() does.
TwoPhaseResult run_two_phases(const TwoPhaseDesign& design, const TakeLaunch& take,
                              const Seconds& now);

// Both sides' launches in ABBA or BAAB blocks, which a generator of `seed` chooses.
class BlockOrder {
 public:
  BlockOrder(uint64_t seed, TakeLaunch take) : state_(seed), take_(std::move(take)) {}
  // Two launches of each side; returns what `base` and `test` are to be merged into.
  void take_block(Phase phase, const std::vector<std::string>& names, InputMerger& base,
                  InputMerger& test);
  // One launch of one side.
  ComparisonInput take(Phase phase, Build build, const std::vector<std::string>& names);
  int64_t launches() const { return launches_; }

 private:
  uint64_t state_;
  TakeLaunch take_;
  int64_t launches_ = 0;
};

// The fewest launches of each side with which a confirmation of `suspects` cases can tell one that
// is slower.
int64_t launches_to_confirm(const Rules& rules, int64_t suspects);
// The numbers of launches of each side at which the confirmation of `suspects` cases is judged.
std::vector<int64_t> planned_looks(const TwoPhaseDesign& design, int64_t suspects);

}  // namespace alsbench
