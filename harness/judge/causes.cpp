// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/median.h"
#include "harness/judge/comparison.h"
#include "harness/judge/statistics.h"

namespace alsbench {
namespace {

constexpr double kMinCauseShare = 0.5;      // a share of the change that makes a cause
constexpr double kMinStepsChange = 0.01;    // relative change of steps that is no rounding
constexpr double kMinCounterChange = 0.1;   // relative change of a counter that is no chance
constexpr double kMinHitRateChange = 0.05;  // change of a hit rate, of all requests
constexpr double kMinBusyGrowth = 0.1;  // of a unit's busy time, as a share of the change of time

double change_percent(double base, double test) { return 100 * (test / base - 1); }

// Share of the launches that other work disturbed.
double disturbed_share(int64_t disturbed, int64_t launches) {
  return launches > 0 ? static_cast<double>(disturbed) / static_cast<double>(launches) : 0;
}

// A figure of the base and of the test.
struct BothSides {
  const char* of;
  double base, test;
};

// Collects the causes of one case.
class CauseSearch {
 public:
  CauseSearch(const CaseComparison& c, const ComparisonCase& base, const ComparisonCase& test)
      : c_(c), base_(base), test_(test), slower_(c.ratio > 1) {}

  std::vector<Cause> run(const CaseComparison* control) {
    if (control != nullptr)
      add(CauseKind::machine, fmt::format("the control {} moved by {:+.1f} %", control->name,
                                          100 * (control->ratio - 1)));
    if (slowed_by_contention(c_))
      add(CauseKind::contention,
          fmt::format("other processes ran during {} of {} launches of the base and {} of {} of "
                      "the test",
                      c_.base_disturbed, c_.base_launches, c_.test_disturbed, c_.test_launches));
    clock();
    work();
    parts();
    if (c_.code == SameCode::changed) code();
    if (!spilled() && base_.counters && test_.counters) counters(*base_.counters, *test_.counters);
    if (c_.code == SameCode::changed) figure("occupancy");
    return std::move(causes_);
  }

 private:
  void add(CauseKind kind, std::string evidence) { causes_.push_back({kind, std::move(evidence)}); }

  // More costs time.
  bool fits(double base, double test) const { return slower_ ? test > base : test < base; }

  void clock() {
    const double base = median_clock(base_), test = median_clock(test_);
    if (base <= 0 || test <= 0) return;
    if (std::log(base / test) / std::log(c_.ratio) >= kMinCauseShare)
      add(CauseKind::clock,
          fmt::format("{:.0f} -> {:.0f} MHz ({:+.1f} %){}", base / 1e6, test / 1e6,
                      change_percent(base, test),
                      c_.code == SameCode::changed ? ", which its tensor cores may do" : ""));
  }

  void work() {
    const double base = base_.solver_steps, test = test_.solver_steps;
    if (!(base > 0) || !(test > 0) || !fits(base, test)) return;
    if (std::abs(test / base - 1) >= kMinStepsChange)
      add(CauseKind::work, fmt::format("{:.2f} -> {:.2f} steps of its solver a row", base, test));
  }

  void parts() {
    std::map<std::string, double> change;  // seconds
    double all = 0;
    for (const auto& [name, seconds] : base_.parts) {
      const auto other = test_.parts.find(name);
      if (other == test_.parts.end()) return;  // code() says so
      all += change[name] = median(other->second) - median(seconds);
    }
    if (change.size() < 2 || change.size() != test_.parts.size() || !fits(0, all)) return;
    for (const auto& [name, seconds] : change)
      if (seconds / all >= kMinCauseShare)
        add(CauseKind::part,
            fmt::format("{}: {:.4f} -> {:.4f} ms", name, 1e3 * median(base_.parts.at(name)),
                        1e3 * median(test_.parts.at(name))));
  }

  // More, or less, by no chance, and in the direction of the change.
  bool moved(double base, double test) const {
    return base > 0 && fits(base, test) && std::abs(test / base - 1) >= kMinCounterChange;
  }

  // Seconds that a unit is busy for more, or for less where the case became faster; NaN: not known.
  static double busy(const Counters& of, double Counters::*share) { return of.*share * of.seconds; }
  double growth(double Counters::*share) const {
    const double more = busy(*test_.counters, share) - busy(*base_.counters, share);
    return slower_ ? more : -more;
  }

  void counters(const Counters& base, const Counters& test) {
    const double before = base.l1_bytes_per_request(), after = test.l1_bytes_per_request();
    if (moved(before, after))
      suspect(CauseKind::coalescing, &Counters::l1,
              fmt::format("a warp's request takes {:.0f} -> {:.0f} bytes of L1", before, after));
    misses(CauseKind::l1_hits, {"L1", base.l1_hit_rate(), test.l1_hit_rate()},
           {"L2", base.l2_bytes, test.l2_bytes}, &Counters::l2);
    misses(CauseKind::l2_hits, {"L2", base.l2_hit_rate(), test.l2_hit_rate()},
           {"memory", base.dram_bytes(), test.dram_bytes()}, &Counters::dram);
    arithmetic("FP32 units are", &Counters::fp32);
    arithmetic("tensor cores are", &Counters::tensor);
    name_suspects();
    if (suspects_.empty() && moved(base.instructions, test.instructions))
      add(CauseKind::instructions,
          fmt::format("{:.4g} -> {:.4g} instructions ({:+.1f} %)", base.instructions,
                      test.instructions, change_percent(base.instructions, test.instructions)));
  }

  // A cache that answers less, so what lies behind it is asked for more.
  void misses(CauseKind kind, const BothSides& hits, const BothSides& bytes_behind,
              double Counters::*unit_behind) {
    const bool lost =
        fits(hits.test, hits.base) && std::abs(hits.test - hits.base) >= kMinHitRateChange;
    if (lost && moved(bytes_behind.base, bytes_behind.test))
      suspect(kind, unit_behind,
              fmt::format("{} answers {:.0f} -> {:.0f} % of the bytes, and {} moves {:.4g} -> "
                          "{:.4g} MB",
                          hits.of, 100 * hits.base, 100 * hits.test, bytes_behind.of,
                          bytes_behind.base / 1e6, bytes_behind.test / 1e6));
  }

  // Other instructions keep FP32 units busy too: those of addresses.
  void arithmetic(const char* units, double Counters::*share) {
    const Counters &base = *base_.counters, &test = *test_.counters;
    if (moved(base.*share * base.cycles, test.*share * test.cycles))
      suspect(CauseKind::arithmetic, share,
              fmt::format("{} busy for {:.4g} -> {:.4g} ms", units, 1e3 * busy(base, share),
                          1e3 * busy(test, share)));
  }

  // A unit that is busy for hardly more explains nothing.
  void suspect(CauseKind kind, double Counters::*unit, std::string evidence) {
    const double grown = growth(unit);
    const double minimum =
        kMinBusyGrowth * std::abs(test_.counters->seconds - base_.counters->seconds);
    if (!(grown <= minimum)) suspects_.push_back({{kind, std::move(evidence)}, grown});
  }

  // The unit that is busy for the most time more, and those that come near.
  void name_suspects() {
    std::ranges::stable_sort(suspects_, std::ranges::greater(), &Suspect::growth);
    for (Suspect& one : suspects_)
      if (!(one.growth < kMinCauseShare * suspects_.front().growth))
        causes_.push_back(std::move(one.cause));
  }

  void code() {
    std::multiset<std::string> before, after;
    for (const KernelFacts& kernel : base_.kernels) before.insert(kernel.instance);
    for (const KernelFacts& kernel : test_.kernels) after.insert(kernel.instance);
    if (before != after)
      return add(CauseKind::kernels,
                 fmt::format("{} -> {} kernels{}", before.size(), after.size(),
                             before.size() == after.size() ? ", of other instances" : ""));
    for (size_t i = 0; i < base_.kernels.size(); ++i)
      launch_shape(base_.kernels[i], test_.kernels[i]);
    figure("local_bytes");
  }

  void figure(std::string_view name) {
    for (const FigureChange& figure : c_.figures) {
      if (figure.name != name) continue;
      if (name == "local_bytes" && fits(figure.base, figure.test))
        add(CauseKind::spills, fmt::format("a thread keeps {:g} -> {:g} bytes in local memory",
                                           figure.base, figure.test));
      if (name == "occupancy" && fits(figure.test, figure.base))
        add(CauseKind::occupancy,
            fmt::format("{:.0f} -> {:.0f} % of the threads that fit are resident",
                        100 * figure.base, 100 * figure.test));
    }
  }

  // Local memory is instructions, requests and bytes of its own: what counters saw follows from it.
  bool spilled() const {
    const bool more =
        std::ranges::any_of(causes_, [](const Cause& c) { return c.kind == CauseKind::spills; });
    return more && (!base_.counters || !test_.counters ||
                    moved(base_.counters->l1_bytes, test_.counters->l1_bytes));
  }

  void launch_shape(const KernelFacts& base, const KernelFacts& test) {
    if (base.instance != test.instance || (base.grid == test.grid && base.block == test.block))
      return;
    add(CauseKind::launch_shape,
        fmt::format("{} has {} blocks of {} threads -> {} of {}", base.instance, base.grid,
                    base.block, test.grid, test.block));
  }

  struct Suspect {
    Cause cause;
    double growth = 0;  // of its unit's busy time
  };

  const CaseComparison& c_;
  const ComparisonCase &base_, &test_;
  bool slower_;
  std::vector<Suspect> suspects_;
  std::vector<Cause> causes_;
};

}  // namespace

bool slowed_by_contention(const CaseComparison& c) {
  constexpr double kFew = 0.25;
  const double base = disturbed_share(c.base_disturbed, c.base_launches);
  const double test = disturbed_share(c.test_disturbed, c.test_launches);
  return c.ratio > 1 ? test >= kMinCauseShare && base <= kFew
                     : base >= kMinCauseShare && test <= kFew;
}

std::vector<Cause> causes_of(const CaseComparison& c, const CaseComparison* control,
                             const ComparisonCase& base, const ComparisonCase& test) {
  if (c.time_verdict != Verdict::slower && c.time_verdict != Verdict::faster) return {};
  return CauseSearch(c, base, test).run(control);
}

}  // namespace alsbench
