#include "harness/tune/pipeline_playoff.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "harness/tune/pipeline_choice.h"
#include "harness/tune/refinement.h"

namespace alsbench {
namespace {

constexpr size_t kMostContenders = 14;  // the default apart
constexpr double kAsFast = 1.03;        // of an iteration's time, over the fastest that passed
constexpr int kFewestRounds = 3;
// Over the fastest, on both sides: plays no further. Of a few rounds, which are off by some
// percent, and of more.
constexpr double kOutOfReachAtFirst = 1.04, kOutOfReach = 1.02;

void enter(const PipelineSides& pipelines, std::vector<Contender>& list) {
  const bool known = std::any_of(list.begin(), list.end(), [&](const Contender& contender) {
    return contender.pipelines.text() == pipelines.text();
  });
  if (known) return;
  Contender contender;
  contender.pipelines = pipelines;
  list.push_back(std::move(contender));
}

std::vector<const Trial*> passed(const std::vector<Trial>& trials) {
  std::vector<const Trial*> list;
  for (const Trial& trial : trials)
    if (trial.passed) list.push_back(&trial);
  std::stable_sort(list.begin(), list.end(),
                   [](const Trial* a, const Trial* b) { return a->seconds < b->seconds; });
  return list;
}

void enter_candidates(const CandidatePairs& pairs, int steps, std::vector<Contender>& list) {
  const auto x = worth_playing(pairs.x, kMostContenders);
  const auto theta = worth_playing(pairs.theta, kMostContenders);
  for (size_t i = 0; i < std::max(x.size(), theta.size()); ++i)
    enter({with_steps(x[i % x.size()].pipeline, steps),
           with_steps(theta[i % theta.size()].pipeline, steps)},
          list);
}

using Fastest = std::map<Side, double>;

Fastest fastest_of(const std::vector<Contender>& contenders, Goal goal) {
  Fastest fastest;
  for (const Side side : {Side::x, Side::theta}) {
    fastest[side] = std::numeric_limits<double>::infinity();
    for (const Contender& contender : contenders)
      if (contender.eligible)
        fastest[side] = std::min(fastest[side], median_seconds(contender, side, goal));
  }
  return fastest;
}

bool in_reach(const Contender& contender, const Fastest& fastest, Goal goal, int round) {
  const double reach = round < kFewestRounds ? kOutOfReachAtFirst : kOutOfReach;
  return std::any_of(fastest.begin(), fastest.end(), [&](const auto& side) {
    return median_seconds(contender, side.first, goal) <= reach * side.second;
  });
}

}  // namespace

std::vector<Finalist> finalists(const std::vector<Trial>& trials, double limit) {
  std::map<Precision, const Trial*> fewest;
  for (const Trial* trial : passed(trials)) {
    const Trial*& kept = fewest[precision_of(trial->pipelines.x)];
    if (kept == nullptr || steps_of(trial->pipelines.x) < steps_of(kept->pipelines.x)) kept = trial;
  }
  std::vector<Finalist> list;
  for (const auto& [precision, fewest_steps] : fewest) {
    std::vector<double> seconds;
    for (const Trial& trial : trials)
      if (trial.passed && trial.pipelines.text() == fewest_steps->pipelines.text())
        seconds.push_back(trial.seconds);
    list.push_back({fewest_steps->pipelines, median_of(seconds)});
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
  while (!list.empty() && list.back().seconds > limit * list.front().seconds) list.pop_back();
  return list;
}

std::optional<PipelineSides> worth_refining(const std::vector<Trial>& trials) {
  const std::vector<Finalist> list = finalists(trials, kAsFast);
  if (list.empty()) return std::nullopt;
  const auto exactness = [](const Finalist& finalist) {
    const Precision precision = precision_of(finalist.pipelines.x);
    return std::pair(significand_bits(precision.factors), significand_bits(precision.matrices));
  };
  return std::max_element(
             list.begin(), list.end(),
             [&](const Finalist& a, const Finalist& b) { return exactness(a) < exactness(b); })
      ->pipelines;
}

std::vector<Contender> contenders_of(const std::vector<Trial>& trials,
                                     const std::map<Precision, CandidatePairs>& candidates,
                                     const PipelineSides& fallback) {
  std::vector<Contender> list;
  if (const auto pair = worth_refining(trials)) {
    const auto found = candidates.find(precision_of(pair->x));
    if (found != candidates.end()) enter_candidates(found->second, steps_of(pair->x), list);
  }
  const std::vector<const Trial*> by_time = passed(trials);
  if (list.empty())
    for (const Trial* trial : by_time)
      if (list.size() < kMostContenders) enter(trial->pipelines, list);
  std::erase_if(list, [&](const Contender& contender) {
    return contender.pipelines.text() == fallback.text();
  });
  Contender last;
  last.pipelines = fallback;
  last.is_default = true;
  last.eligible = std::any_of(by_time.begin(), by_time.end(), [&](const Trial* trial) {
    return trial->pipelines.text() == fallback.text();
  });
  list.push_back(std::move(last));
  return list;
}

void play(std::vector<Contender>& contenders, const PipelineTuneOptions& options,
          const std::function<bool()>& out_of_time,
          const std::function<void(Contender&)>& play_once) {
  std::mt19937_64 random(options.seed);
  std::vector<size_t> order(contenders.size());
  std::iota(order.begin(), order.end(), size_t{0});
  for (int round = 0; round < options.playoff_rounds; ++round) {
    if (round >= kFewestRounds && out_of_time()) return;
    const Fastest fastest = fastest_of(contenders, options.goal);
    std::shuffle(order.begin(), order.end(), random);
    for (const size_t index : order) {
      Contender& contender = contenders[index];
      if (round == 0 || in_reach(contender, fastest, options.goal, round)) play_once(contender);
    }
  }
}

}  // namespace alsbench
