// SPDX-License-Identifier: Apache-2.0
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

constexpr double kSimilarSpeed = 1.03;  // of an iteration's time, over the fastest that passed
constexpr int kMinRounds = 3;
// Rounds after which medians that are this sure are good enough for a choice that takes what is
// within a percent as equally fast.
constexpr int kSettledRounds = 6;
constexpr double kSettledNoise = 0.003;
// A contender this much slower than the fastest of a part plays no further there: after a few
// rounds, whose medians are off by some percent, and after more.
constexpr double kFirstDropThreshold = 1.04, kDropThreshold = 1.02;

void enter(const Recipe& pipelines, std::vector<Contender>& list) {
  const bool known = std::ranges::any_of(list, [&](const Contender& contender) {
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
  std::ranges::stable_sort(list,
                           [](const Trial* a, const Trial* b) { return a->seconds < b->seconds; });
  return list;
}

void enter_candidates(const Recipe& like, const Candidates& candidates, size_t rung, size_t maximum,
                      std::vector<Contender>& list) {
  std::map<std::string, std::vector<PipelineCandidate>> playing;
  size_t longest = 0;
  for (const auto& [part, all] : candidates) {
    playing[part] = playoff_candidates(all, maximum);
    longest = std::max(longest, playing[part].size());
  }
  for (size_t i = 0; i < longest; ++i) {
    Recipe recipe = like;
    for (const auto& [part, own] : playing)
      recipe.of(part) = on_rung(own[i % own.size()].pipeline, rung);
    enter(recipe, list);
  }
}

// The median of the fastest that may be chosen; 0 where there is none.
double fastest_of(const std::vector<Contender>& contenders, const std::string& part, Goal goal) {
  double fastest = std::numeric_limits<double>::infinity();
  for (const Contender& contender : contenders)
    if (contender.eligible) fastest = std::min(fastest, median_seconds(contender, part, goal));
  return std::isfinite(fastest) ? fastest : 0;
}

bool is_competitive(const std::vector<Contender>& contenders, size_t index, const std::string& part,
                    Goal goal, int round) {
  const double reach = round < kMinRounds ? kFirstDropThreshold : kDropThreshold;
  return median_seconds(contenders[index], part, goal) <=
         reach * fastest_of(contenders, part, goal);
}

// A training run: which contender each part's pipeline comes from, and which parts it measures.
struct Run {
  std::map<std::string, size_t> who;
  std::vector<std::string> about;
};

class Playoff {
 public:
  Playoff(std::vector<Contender>& contenders, const PipelineTuneOptions& options,
          const TrainRecipe& train)
      : contenders_(contenders), options_(options), train_(train), random_(options.seed) {}

  void play(const std::function<bool()>& out_of_time) {
    for (int round = 0; round < options_.playoff_rounds; ++round) {
      if (round >= kMinRounds && out_of_time()) return;
      if (round >= kSettledRounds && settled(round)) return;
      std::vector<Run> runs = apart_ && round > 0 ? with_the_fastest(round) : as_recipes(round);
      std::shuffle(runs.begin(), runs.end(), random_);
      for (const Run& run : runs) play(run);
      if (!apart_) continue;
      if (round == 0)
        for (const std::string& part : parts()) fastest_[part] = fastest_index(part);
      if (round == 1) forget_the_first();
    }
  }

 private:
  const std::vector<std::string>& parts() const {
    return contenders_.front().pipelines.algorithm->parts;
  }

  // Whether the median of everyone who may still be chosen is known well enough.
  bool settled(int round) const {
    for (size_t i = 0; i < contenders_.size(); ++i)
      for (const std::string& part : parts())
        if (is_competitive(contenders_, i, part, options_.goal, round) &&
            median_noise(contenders_[i], part, options_.goal) > kSettledNoise)
          return false;
    return true;
  }

  std::vector<Run> as_recipes(int round) const {
    std::vector<Run> runs;
    for (size_t i = 0; i < contenders_.size(); ++i) {
      if (round != 0 && !is_competitive(contenders_, i, parts().front(), options_.goal, round))
        continue;
      Run run;
      for (const std::string& part : parts()) run.who[part] = i;
      run.about = parts();
      runs.push_back(std::move(run));
    }
    return runs;
  }

  // Everyone's pipeline of each part, with the fastest of all other parts.
  std::vector<Run> with_the_fastest(int round) const {
    std::vector<Run> runs{{fastest_, parts()}};
    for (size_t i = 0; i < contenders_.size(); ++i)
      for (const std::string& part : parts()) {
        if (i == fastest_.at(part) || !is_competitive(contenders_, i, part, options_.goal, round))
          continue;
        Run run{fastest_, {part}};
        run.who[part] = i;
        runs.push_back(std::move(run));
      }
    return runs;
  }

  void play(const Run& run) {
    Recipe recipe = contenders_.front().pipelines;
    for (const auto& [part, index] : run.who)
      recipe.of(part) = contenders_[index].pipelines.of(part);
    const std::optional<PlayoffRun> played = train_(recipe);
    for (const std::string& part : run.about) {
      Contender& contender = contenders_[run.who.at(part)];
      if (played)
        contender.seconds[part].push_back(played->seconds.at(part));
      else
        contender.eligible = false;
    }
    const size_t first = run.who.begin()->second;
    const bool own =
        std::ranges::all_of(run.who, [&](const auto& entry) { return entry.second == first; });
    if (played && own) contenders_[first].totals.push_back(played->total);
  }

  size_t fastest_index(const std::string& part) const {
    size_t fastest = 0;
    for (size_t i = 0; i < contenders_.size(); ++i)
      if (contenders_[i].eligible && median_seconds(contenders_[i], part, options_.goal) <=
                                         fastest_of(contenders_, part, options_.goal))
        fastest = i;
    return fastest;
  }

  // Each ran with its own partners, so these times cannot be compared to a percent.
  void forget_the_first() {
    for (Contender& contender : contenders_)
      for (auto& [part, seconds] : contender.seconds)
        if (seconds.size() > 1) seconds.erase(seconds.begin());
  }

  std::vector<Contender>& contenders_;
  const PipelineTuneOptions& options_;
  const TrainRecipe& train_;
  const bool apart_ = options_.goal == Goal::time;  // parts are chosen apart
  std::mt19937_64 random_;
  std::map<std::string, size_t> fastest_;  // of each part in the first round
};

}  // namespace

std::vector<Finalist> finalists(const std::vector<Trial>& trials, double limit) {
  std::map<Precision, const Trial*> cheapest;
  for (const Trial* trial : passed(trials)) {
    const Pipeline& pipeline = trial->pipelines.first();
    const Trial*& kept = cheapest[precision_of(pipeline)];
    if (kept == nullptr || rung_of(pipeline) > rung_of(kept->pipelines.first())) kept = trial;
  }
  std::vector<Finalist> list;
  for (const auto& [precision, cheap] : cheapest) {
    std::vector<double> seconds;
    for (const Trial& trial : trials)
      if (trial.passed && trial.pipelines.text() == cheap->pipelines.text())
        seconds.push_back(trial.seconds);
    list.push_back({cheap->pipelines, median_of(seconds)});
  }
  std::ranges::stable_sort(list, {}, &Finalist::seconds);
  while (!list.empty() && list.back().seconds > limit * list.front().seconds) list.pop_back();
  return list;
}

std::optional<Recipe> recipe_to_refine(const std::vector<Trial>& trials) {
  const std::vector<Finalist> list = finalists(trials, kSimilarSpeed);
  if (list.empty()) return std::nullopt;
  const auto exactness = [](const Finalist& finalist) {
    const Storage storage = precision_of(finalist.pipelines.first()).storage;
    return std::pair(significand_bits(storage.factors), significand_bits(storage.matrices));
  };
  return std::ranges::max_element(
             list,
             [&](const Finalist& a, const Finalist& b) { return exactness(a) < exactness(b); })
      ->pipelines;
}

std::vector<Contender> contenders_of(const std::vector<Trial>& trials,
                                     const std::map<Precision, Candidates>& candidates,
                                     const Recipe& fallback, size_t maximum) {
  std::vector<Contender> list;
  if (const auto best = recipe_to_refine(trials)) {
    const auto found = candidates.find(precision_of(best->first()));
    if (found != candidates.end())
      enter_candidates(*best, found->second, rung_of(best->first()), maximum, list);
  }
  const std::vector<const Trial*> by_time = passed(trials);
  // Others of its precision are no more than likely to be as accurate: where one recipe alone
  // passed, which may be the exact one, it plays.
  const auto is_first = [&](const Trial* trial) {
    return trial->pipelines.text() == by_time.front()->pipelines.text();
  };
  if (!by_time.empty() && std::ranges::all_of(by_time, is_first))
    enter(by_time.front()->pipelines, list);
  if (list.empty())
    for (const Trial* trial : by_time)
      if (list.size() < maximum) enter(trial->pipelines, list);
  std::erase_if(list, [&](const Contender& contender) {
    return contender.pipelines.text() == fallback.text();
  });
  Contender last;
  last.pipelines = fallback;
  last.is_default = true;
  last.eligible = std::ranges::any_of(
      by_time, [&](const Trial* trial) { return trial->pipelines.text() == fallback.text(); });
  list.push_back(std::move(last));
  return list;
}

void play(std::vector<Contender>& contenders, const PipelineTuneOptions& options,
          const std::function<bool()>& out_of_time, const TrainRecipe& train) {
  Playoff(contenders, options, train).play(out_of_time);
}

}  // namespace alsbench
