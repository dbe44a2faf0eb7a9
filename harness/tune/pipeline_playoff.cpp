#include "harness/tune/pipeline_playoff.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "harness/tune/pipeline_choice.h"

namespace alsbench {
namespace {

constexpr size_t kMostContenders = 6;    // the default apart
constexpr size_t kMostCandidates = 4;    // of them, of the fastest precision
constexpr double kEstimateClose = 0.03;  // of a candidate's estimate to the best, to play
constexpr int kFewestRounds = 3;
constexpr double kTimeShare = 0.7;    // of the time before the playoff: after it no round begins
constexpr double kOutOfReach = 1.05;  // over the fastest, on both sides: plays no further

void enter(const PipelineSides& pipelines, std::vector<Contender>& list) {
  const bool known = std::any_of(list.begin(), list.end(), [&](const Contender& contender) {
    return contender.pipelines.text() == pipelines.text();
  });
  if (known) return;
  Contender contender;
  contender.pipelines = pipelines;
  list.push_back(std::move(contender));
}

size_t close_to_the_best(const std::vector<PipelineCandidate>& list) {
  const double limit = list.front().seconds * (1 + kEstimateClose);
  return static_cast<size_t>(std::count_if(
      list.begin(), list.end(), [&](const PipelineCandidate& c) { return c.seconds <= limit; }));
}

void enter_candidates(const CandidatePairs& pairs, const PipelineSides& best,
                      std::vector<Contender>& list) {
  const size_t x = close_to_the_best(pairs.x), theta = close_to_the_best(pairs.theta);
  for (size_t i = 0; i < std::min(kMostCandidates, std::max(x, theta)); ++i)
    enter({with_steps(pairs.x[i % x].pipeline, steps_of(best.x)),
           with_steps(pairs.theta[i % theta].pipeline, steps_of(best.theta))},
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

std::vector<Contender> contenders_of(const std::vector<Trial>& trials,
                                     const std::map<Precision, CandidatePairs>& candidates,
                                     const PipelineSides& fallback) {
  std::vector<const Trial*> passed;
  for (const Trial& trial : trials)
    if (trial.passed) passed.push_back(&trial);
  std::stable_sort(passed.begin(), passed.end(),
                   [](const Trial* a, const Trial* b) { return a->seconds < b->seconds; });
  std::vector<Contender> list;
  if (!passed.empty()) {
    const PipelineSides& best = passed.front()->pipelines;
    enter(best, list);
    if (const auto found = candidates.find(precision_of(best.x)); found != candidates.end())
      enter_candidates(found->second, best, list);
  }
  for (const Trial* trial : passed)
    if (list.size() < kMostContenders) enter(trial->pipelines, list);
  std::erase_if(list, [&](const Contender& contender) {
    return contender.pipelines.text() == fallback.text();
  });
  Contender last;
  last.pipelines = fallback;
  last.is_default = true;
  last.eligible = std::any_of(passed.begin(), passed.end(), [&](const Trial* trial) {
    return trial->pipelines.text() == fallback.text();
  });
  list.push_back(std::move(last));
  return list;
}

void play(std::vector<Contender>& contenders, const PipelineTuneOptions& options,
          const PipelineLab& lab, const std::function<void(Contender&)>& play_once) {
  const double deadline = lab.elapsed_seconds() * (1 + kTimeShare);
  std::mt19937_64 random(options.seed);
  std::vector<size_t> order(contenders.size());
  std::iota(order.begin(), order.end(), size_t{0});
  for (int round = 0; round < options.playoff_rounds; ++round) {
    const bool enough = round >= kFewestRounds;
    if (enough && lab.elapsed_seconds() >= deadline) return;
    const Limits limits = limits_of_reach(contenders, options.goal);
    std::shuffle(order.begin(), order.end(), random);
    for (const size_t index : order)
      if (!enough || within(limits, contenders[index], options.goal)) play_once(contenders[index]);
  }
}

}  // namespace alsbench
