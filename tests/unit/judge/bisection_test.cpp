// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/bisection.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/unit/judge/fake_machine.h"

namespace alsbench {
namespace {

constexpr int kSuiteCases = 3;
constexpr NoiseModel kLittleNoise{.own_spread = 0.002};
constexpr NoiseModel kDrifting{.common_spread = 0.002, .own_spread = 0.007, .drift = 0.01};

// Commits of which one made the first case slower, on a noisy machine.
class History {
 public:
  History(size_t culprit, double factor, const NoiseModel& model, uint64_t seed)
      : culprit_(culprit), factor_(factor), model_(model), seed_(seed) {}

  Comparison compare(size_t commit, const TwoPhaseDesign& design, const std::string&) {
    ++comparisons;
    if (broken.contains(commit)) throw UsageError("it does not build");
    if (unfit.contains(commit)) throw EnvironmentError("it finds no device");
    if (flaky.contains(commit)) throw BaselineError("the first commit crashed");
    FakeMachine machine(model_, kSuiteCases, seed_ + 1000 * commit);
    if (commit >= culprit_) machine.plant(1, factor_);
    return machine.run(design).comparison;
  }

  Bisection bisect(size_t commits) {
    return find_first_slower(commits, {},
                             [this](auto commit, const auto& design, const auto& name) {
                               return compare(commit, design, name);
                             });
  }

  std::set<size_t> broken;        // have no build
  std::set<size_t> unfit, flaky;  // end in another way
  int comparisons = 0;

 private:
  size_t culprit_;
  double factor_;
  NoiseModel model_;
  uint64_t seed_;
};

TEST(Bisection, FindsThePlantedCommitOfAlmostEveryHistory) {
  constexpr int kHistories = 100;
  int right = 0;
  for (int i = 0; i < kHistories; ++i) {
    const size_t commits = 2 + static_cast<size_t>(i * 7 % 63);
    const size_t culprit = 1 + static_cast<size_t>(i * 13) % (commits - 1);
    const bool quiet = i % 2 == 0;
    History history(culprit, quiet ? 1.01 : 1.05, quiet ? kLittleNoise : kDrifting,
                    static_cast<uint64_t>(i));
    const Bisection found = history.bisect(commits);
    right += found.found() && found.first_bad == culprit ? 1 : 0;
  }
  EXPECT_GE(right, 95);  // 19 of 20
}

TEST(Bisection, AsksAsManyCommitsAsHalvingTakes) {
  History history(40, 1.05, kLittleNoise, 1);
  const Bisection found = history.bisect(65);
  EXPECT_EQ(found.first_bad, 40u);
  EXPECT_EQ(found.last_good, 39u);
  EXPECT_EQ(found.case_name, "case 0");
  EXPECT_EQ(found.probes.size(), 1u + 6u);  // the last commit; 2^6 = 64
}

TEST(Bisection, WithoutASlowerCaseNothingIsAsked) {
  History history(100, 1.05, kLittleNoise, 1);
  const Bisection found = history.bisect(10);
  EXPECT_FALSE(found.found());
  EXPECT_EQ(found.case_name, "");
  EXPECT_EQ(history.comparisons, 1);
}

TEST(Bisection, CommitsThatCannotBeComparedAreLeftOut) {
  History history(5, 1.05, kLittleNoise, 1);
  history.broken = {8, 9};
  const Bisection found = history.bisect(17);
  EXPECT_TRUE(found.found());
  EXPECT_EQ(found.first_bad, 5u);
  EXPECT_EQ(found.probes.at(1).result, ProbeResult::inconclusive);
  EXPECT_EQ(found.probes.at(1).reason, "it does not build");
}

TEST(Bisection, ACulpritAmongCommitsThatCannotBeComparedIsNotGuessed) {
  History history(8, 1.05, kLittleNoise, 1);
  history.broken = {8, 9};
  const Bisection found = history.bisect(17);
  EXPECT_FALSE(found.found());
  EXPECT_EQ(found.last_good, 7u);
  EXPECT_EQ(found.first_bad, 10u);
}

TEST(Bisection, ACommitThatCannotBeMeasuredIsLeftOutForWhateverReason) {
  History history(8, 1.05, kLittleNoise, 1);
  history.unfit = {4};  // the middle
  history.flaky = {5};  // next to it
  const Bisection bisection = history.bisect(10);
  ASSERT_TRUE(bisection.found());
  EXPECT_EQ(bisection.first_bad, 8u);
  std::map<size_t, std::string> reasons;
  for (const Probe& probe : bisection.probes)
    if (probe.result == ProbeResult::inconclusive) reasons[probe.commit] = probe.reason;
  EXPECT_EQ(reasons, (std::map<size_t, std::string>{{4, "it finds no device"},
                                                    {5, "the first commit crashed"}}));
}

TEST(Bisection, ALastCommitThatCannotBeComparedIsAnError) {
  History history(3, 1.05, kLittleNoise, 1);
  history.broken = {9};
  EXPECT_THROW(history.bisect(10), UsageError);
}

}  // namespace
}  // namespace alsbench
