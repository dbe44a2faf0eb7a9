// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/tuner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <tuple>

#include "base/error.h"
#include "harness/measure/sampler.h"

namespace alsbench {
namespace {

constexpr double kNotMeasured = std::numeric_limits<double>::infinity();
constexpr size_t kPlayoffMinimum = 3;  // samples below which all samples are judged instead

class Tuning {
 public:
  Tuning(const SearchSpace& space, Objective& objective, const TuneOptions& options)
      : space_(space), objective_(objective), options_(options), history_(space.size()) {}

  TuningResult run(const std::vector<Evaluation>& known) {
    for (const Evaluation& evaluation : known) known_.emplace(evaluation.point, evaluation);
    measure(space_.default_point());
    measure_first();
    search();
    choose();
    result_.elapsed_seconds = known_seconds_ + objective_.elapsed_seconds();
    return std::move(result_);
  }

 private:
  // More samples of a known point cost no evaluation.
  bool over_budget(size_t point) {
    if (objective_.elapsed_seconds() >= options_.budget.seconds)
      result_.stop_reason = "seconds";
    else if (!history_.measured(point) && result_.evaluations >= options_.budget.evaluations)
      result_.stop_reason = "evaluations";
    return !result_.stop_reason.empty();
  }

  void measure_first() {
    ProposalBatch batch;
    for (const size_t point : options_.first)
      if (!history_.measured(point)) batch.measure.push_back(point);
    follow(batch);
  }

  void search() {
    const auto strategy = make_strategy(options_.strategy, space_, options_.strategy_options);
    while (result_.stop_reason.empty()) {
      const ProposalBatch batch = strategy->next(history_);
      if (batch.measure.empty()) result_.stop_reason = "finished";
      follow(batch);
    }
  }

  void follow(const ProposalBatch& batch) {
    announce(batch);
    for (const size_t point : batch.measure) {
      if (over_budget(point)) break;
      measure(point);
    }
  }

  // Points beyond the budget would only keep the compilers busy.
  void announce(const ProposalBatch& batch) {
    int64_t left = options_.budget.evaluations - result_.evaluations;
    std::vector<size_t> soon;
    for (const size_t point : batch.measure)
      if (history_.measured(point) || left-- > 0) soon.push_back(point);
    objective_.announce(soon, left > 0 ? batch.likely_next : std::vector<size_t>{});
  }

  double best_seconds() const {
    const size_t best = history_.best();
    return best < space_.size() ? history_.seconds(best) : kNotMeasured;
  }

  // An estimate, and more samples where it is good.
  void measure(size_t point) {
    const SamplingPlan& plan = options_.sampling;
    const double best = best_seconds();
    const auto known = known_.find(point);
    if (known != known_.end()) {
      keep(known->second);
      known_seconds_ += known->second.spent_seconds();
      known_.erase(known);
    } else {
      start(point);
      const double give_up = std::isfinite(best) ? best * plan.bail_out : 0;
      take(point, plan.estimate_samples, give_up);
      const Evaluation& so_far = evaluation(point);
      const int64_t missing = plan.contender_samples - static_cast<int64_t>(so_far.seconds.size());
      if (so_far.ok() && missing > 0 && so_far.median() <= best * (1 + plan.contender_margin))
        take(point, missing, 0);
    }
    report(false);
  }

  void start(std::optional<size_t> point) {
    if (options_.on_start) options_.on_start(point);
  }

  void take(size_t point, int64_t samples, double give_up_seconds) {
    const Evaluation evaluation = objective_.measure(point, samples, give_up_seconds);
    if (options_.on_evaluation) options_.on_evaluation(evaluation, false);
    keep(evaluation);
  }

  const Evaluation& evaluation(size_t point) const { return result_.points[index_.at(point)]; }

  void keep(const Evaluation& evaluation) {
    const auto [entry, added] = index_.try_emplace(evaluation.point, result_.points.size());
    if (added) {
      result_.points.push_back(evaluation);
      ++result_.evaluations;
    } else {
      result_.points[entry->second].join(evaluation);
    }
    result_.measure_seconds += evaluation.measure_seconds;
    result_.prepare_seconds += evaluation.prepare_seconds;
    result_.verify_seconds += evaluation.verify_seconds;
    result_.wait_seconds += evaluation.wait_seconds;
    history_.set(evaluation.point, this->evaluation(evaluation.point).median());
  }

  void report(bool playoff) {
    if (!options_.on_progress) return;
    Progress progress;
    progress.evaluations = result_.evaluations;
    progress.planned =
        std::min<int64_t>(options_.budget.evaluations, static_cast<int64_t>(space_.size()));
    progress.best = history_.best();
    progress.best_seconds = best_seconds();
    if (progress.best < space_.size())
      progress.share_of_ceiling = objective_.share_of_ceiling(progress.best, progress.best_seconds);
    progress.wait_seconds = result_.wait_seconds;
    progress.playoff = playoff;
    options_.on_progress(progress);
  }

  // The best by search and all near it; the default whether near or not.
  std::vector<size_t> finalists() const {
    std::vector<size_t> list;
    for (const size_t point : history_.order())
      if (history_.seconds(point) <= best_seconds() * (1 + options_.sampling.playoff_margin))
        list.push_back(point);
    std::ranges::stable_sort(
        list, [&](size_t a, size_t b) { return history_.seconds(a) < history_.seconds(b); });
    list.resize(std::min(list.size(), options_.sampling.max_finalists));
    const size_t fallback = space_.default_point();
    if (std::isfinite(history_.seconds(fallback)) &&
        std::ranges::find(list, fallback) == list.end())
      list.push_back(fallback);
    return list;
  }

  // Rounds over all finalists, each in random order, so drift touches all alike.
  std::map<size_t, Evaluation> playoff(const std::vector<size_t>& finalists) {
    std::map<size_t, Evaluation> played;
    if (finalists.size() < 2) return played;
    start(std::nullopt);
    std::mt19937_64 random(options_.strategy_options.seed);
    std::vector<size_t> order = finalists;
    const double deadline = objective_.elapsed_seconds() + options_.budget.playoff_seconds;
    for (int64_t round = 0; round < options_.sampling.playoff_samples; ++round) {
      if (objective_.elapsed_seconds() >= deadline) break;
      std::shuffle(order.begin(), order.end(), random);
      for (const size_t point : order) {
        const auto known = played.find(point);
        if (known != played.end() && known->second.outcome != Outcome::ok) continue;
        const Evaluation sample = objective_.measure(point, 1, 0);
        if (sample.ok() || sample.outcome != Outcome::ok) {
          if (options_.on_evaluation) options_.on_evaluation(sample, true);
          keep(sample);
        }
        if (known == played.end())
          played.emplace(point, sample);
        else
          known->second.join(sample);
      }
      report(true);
    }
    return played;
  }

  void choose() {
    result_.strategy = options_.strategy;
    result_.seed = options_.strategy_options.seed;
    result_.best = space_.default_point();
    result_.default_seconds = history_.seconds(space_.default_point());
    if (history_.best() == space_.size()) return;
    result_.finalists = finalists();
    const std::map<size_t, Evaluation> played = playoff(result_.finalists);
    // A recording may have too few samples left: then all samples of each are judged.
    const bool enough = std::ranges::all_of(result_.finalists, [&](size_t point) {
      const auto found = played.find(point);
      return found != played.end() && (found->second.outcome != Outcome::ok ||
                                       found->second.seconds.size() >= kPlayoffMinimum);
    });
    std::map<size_t, Statistics> statistics;
    for (const size_t point : result_.finalists) {
      const Evaluation& judged = enough ? played.at(point) : evaluation(point);
      if (evaluation(point).ok() && judged.ok())
        statistics.emplace(point, statistics_of(judged.seconds));
    }
    if (!statistics.empty()) choose_among(statistics);
  }

  void choose_among(const std::map<size_t, Statistics>& statistics) {
    const auto fastest = std::ranges::min_element(
        statistics, [](const auto& a, const auto& b) { return a.second.median < b.second.median; });
    for (const auto& [point, s] : statistics)
      if (tied(s, fastest->second)) result_.tie_set.push_back(point);
    // Of those within the margin, fewer registers, less memory, declared order: the same from run
    // to run. Those that noise alone ties come later, since they are probably slower.
    const auto rank = [&](size_t point) {
      const Evaluation& e = evaluation(point);
      return std::tuple(!within_margin(statistics.at(point), fastest->second), e.registers,
                        e.memory_bytes, point);
    };
    std::ranges::sort(result_.tie_set, [&](size_t a, size_t b) { return rank(a) < rank(b); });
    result_.found = true;
    result_.best = result_.tie_set.front();
    result_.best_seconds = statistics.at(result_.best).median;
    const auto fallback = statistics.find(space_.default_point());
    if (fallback != statistics.end()) result_.default_seconds = fallback->second.median;
  }

  bool within_margin(const Statistics& a, const Statistics& best) const {
    return a.median / best.median - 1 <= options_.sampling.tie_margin;
  }

  // Two medians that differ by less than the margin, or than twice the noise of their difference.
  bool tied(const Statistics& a, const Statistics& best) const {
    const double noise = 2 * std::hypot(a.median_noise, best.median_noise);
    return within_margin(a, best) || a.median / best.median - 1 <= noise;
  }

  const SearchSpace& space_;
  Objective& objective_;
  const TuneOptions& options_;
  History history_;
  std::map<size_t, Evaluation> known_;
  double known_seconds_ = 0;        // what these took when they were measured
  std::map<size_t, size_t> index_;  // of a point in result_.points
  TuningResult result_;
};

}  // namespace

std::vector<size_t> first_points(const SearchSpace& space, const TuneOptions& options) {
  History history(space.size());
  // There is nothing yet to compare. Points that are named are expected to be the better ones.
  history.set(space.default_point(), 2);
  std::vector<size_t> points{space.default_point()};
  for (const size_t point : options.first) {
    if (history.measured(point)) continue;
    history.set(point, 1);
    if (static_cast<int64_t>(points.size()) < options.budget.evaluations) points.push_back(point);
  }
  const auto strategy = make_strategy(options.strategy, space, options.strategy_options);
  for (const size_t point : strategy->next(history).measure)
    if (static_cast<int64_t>(points.size()) < options.budget.evaluations) points.push_back(point);
  return points;
}

TuningResult tune(const SearchSpace& space, Objective& objective, const TuneOptions& options,
                  const std::vector<Evaluation>& known) {
  return Tuning(space, objective, options).run(known);
}

}  // namespace alsbench
