#include "harness/tune/pipeline_playoff.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <tuple>

#include "harness/tune/pipeline_choice.h"
#include "harness/tune/refinement.h"

namespace alsbench {
namespace {

constexpr size_t kMostContenders = 14;  // the default apart
constexpr double kAsFast = 1.03;        // of an iteration's time, over the fastest that passed
constexpr int kFewestRounds = 3;
constexpr double kOutOfReach = 1.02;  // over the fastest, on both sides: plays no further

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

using Limits = std::map<Side, double>;

Limits limits_of_reach(const std::vector<Contender>& contenders, Goal goal) {
  Limits limits;
  for (const Side side : {Side::x, Side::theta}) {
    double fastest = std::numeric_limits<double>::infinity();
    for (const Contender& contender : contenders)
      if (contender.eligible) fastest = std::min(fastest, median_seconds(contender, side, goal));
    limits[side] = kOutOfReach * fastest;
  }
  return limits;
}

bool within(const Limits& limits, const Contender& contender, Goal goal) {
  return std::any_of(limits.begin(), limits.end(), [&](const auto& limit) {
    return median_seconds(contender, limit.first, goal) <= limit.second;
  });
}

}  // namespace

const Trial* worth_refining(const std::vector<Trial>& trials) {
  const Trial* best = nullptr;
  const std::vector<const Trial*> list = passed(trials);
  const auto rank = [](const Trial* trial) {
    const Precision precision = precision_of(trial->pipelines.x);
    return std::tuple(-significand_bits(precision.factors), -significand_bits(precision.matrices),
                      steps_of(trial->pipelines.x));
  };
  for (const Trial* trial : list) {
    if (trial->seconds > kAsFast * list.front()->seconds) break;
    if (best == nullptr || rank(trial) < rank(best)) best = trial;
  }
  // Of that precision the fewest steps, as fast or not: what is one of a few is noise.
  for (const Trial* trial : list)
    if (precision_of(trial->pipelines.x) == precision_of(best->pipelines.x) &&
        steps_of(trial->pipelines.x) < steps_of(best->pipelines.x))
      best = trial;
  return best;
}

std::vector<Contender> contenders_of(const std::vector<Trial>& trials,
                                     const std::map<Precision, CandidatePairs>& candidates,
                                     const PipelineSides& fallback) {
  std::vector<Contender> list;
  if (const Trial* trial = worth_refining(trials)) {
    const auto found = candidates.find(precision_of(trial->pipelines.x));
    if (found != candidates.end())
      enter_candidates(found->second, steps_of(trial->pipelines.x), list);
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
    const Limits limits = limits_of_reach(contenders, options.goal);
    std::shuffle(order.begin(), order.end(), random);
    for (const size_t index : order) {
      Contender& contender = contenders[index];
      if (round == 0 || within(limits, contender, options.goal)) play_once(contender);
    }
  }
}

}  // namespace alsbench
