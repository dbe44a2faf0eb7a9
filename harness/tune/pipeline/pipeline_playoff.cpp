#include "harness/tune/pipeline/pipeline_playoff.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "harness/tune/pipeline/pipeline_choice.h"
#include "harness/tune/pipeline/refinement.h"

namespace alsbench {
namespace {

constexpr size_t kMostContenders = 12;  // the default apart
constexpr double kAsFast = 1.03;        // of an iteration's time, over the fastest that passed
constexpr int kFewestRounds = 3;
// Over the fastest of a side: plays no further there. Of a few rounds, which are off by some
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

// The median of the fastest that may be chosen; 0 where there is none.
double fastest_of(const std::vector<Contender>& contenders, Side side, Goal goal) {
  double fastest = std::numeric_limits<double>::infinity();
  for (const Contender& contender : contenders)
    if (contender.eligible) fastest = std::min(fastest, median_seconds(contender, side, goal));
  return std::isfinite(fastest) ? fastest : 0;
}

bool in_reach(const std::vector<Contender>& contenders, size_t index, Side side, Goal goal,
              int round) {
  const double reach = round < kFewestRounds ? kOutOfReachAtFirst : kOutOfReach;
  return median_seconds(contenders[index], side, goal) <=
         reach * fastest_of(contenders, side, goal);
}

// A training run: whose X with whose Theta, and which of them it is about.
struct Run {
  size_t x = 0, theta = 0;
  std::vector<Side> about;
};

class Playoff {
 public:
  Playoff(std::vector<Contender>& contenders, const PipelineTuneOptions& options,
          const TrainPair& train)
      : contenders_(contenders), options_(options), train_(train), random_(options.seed) {}

  void play(const std::function<bool()>& out_of_time) {
    for (int round = 0; round < options_.playoff_rounds; ++round) {
      if (round >= kFewestRounds && out_of_time()) return;
      std::vector<Run> runs = apart_ && round > 0 ? with_the_fastest(round) : as_pairs(round);
      std::shuffle(runs.begin(), runs.end(), random_);
      for (const Run& run : runs) play(run);
      if (!apart_) continue;
      if (round == 0) {
        x_ = fastest_index(Side::x);
        theta_ = fastest_index(Side::theta);
      }
      if (round == 1) forget_the_first();
    }
  }

 private:
  std::vector<Run> as_pairs(int round) const {
    std::vector<Run> runs;
    for (size_t i = 0; i < contenders_.size(); ++i)
      if (round == 0 || in_reach(contenders_, i, Side::x, options_.goal, round))
        runs.push_back({i, i, {Side::x, Side::theta}});
    return runs;
  }

  // Everyone's X with one Theta, and everyone's Theta with one X.
  std::vector<Run> with_the_fastest(int round) const {
    std::vector<Run> runs{{x_, theta_, {Side::x, Side::theta}}};
    for (size_t i = 0; i < contenders_.size(); ++i) {
      if (i != x_ && in_reach(contenders_, i, Side::x, options_.goal, round))
        runs.push_back({i, theta_, {Side::x}});
      if (i != theta_ && in_reach(contenders_, i, Side::theta, options_.goal, round))
        runs.push_back({x_, i, {Side::theta}});
    }
    return runs;
  }

  void play(const Run& run) {
    Contender &x = contenders_[run.x], &theta = contenders_[run.theta];
    const std::optional<Played> played = train_({x.pipelines.x, theta.pipelines.theta});
    for (const Side side : run.about) {
      Contender& contender = side == Side::x ? x : theta;
      if (played)
        contender.seconds[side].push_back(played->seconds.at(side));
      else
        contender.eligible = false;
    }
    if (played && run.x == run.theta) x.totals.push_back(played->total);
  }

  size_t fastest_index(Side side) const {
    size_t fastest = 0;
    for (size_t i = 0; i < contenders_.size(); ++i)
      if (contenders_[i].eligible && median_seconds(contenders_[i], side, options_.goal) <=
                                         fastest_of(contenders_, side, options_.goal))
        fastest = i;
    return fastest;
  }

  // Beside partners of their own, so that they cannot be compared to a percent.
  void forget_the_first() {
    for (Contender& contender : contenders_)
      for (auto& [side, seconds] : contender.seconds)
        if (seconds.size() > 1) seconds.erase(seconds.begin());
  }

  std::vector<Contender>& contenders_;
  const PipelineTuneOptions& options_;
  const TrainPair& train_;
  const bool apart_ = options_.goal == Goal::time;  // sides are chosen so
  std::mt19937_64 random_;
  size_t x_ = 0, theta_ = 0;  // the fastest of each side in the first round
};

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
          const std::function<bool()>& out_of_time, const TrainPair& train) {
  Playoff(contenders, options, train).play(out_of_time);
}

}  // namespace alsbench
