// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "harness/record/escape.h"
#include "harness/tune/pipeline/pipeline_choice.h"

namespace alsbench {
namespace {

constexpr double kWorst = std::numeric_limits<double>::infinity();
// Test ratings say how accurate each iteration is, and all ratings in the end whether the factors
// are sound. Any iteration may be the end of a training to a target.
constexpr EvaluationSchedule kEvaluateAtEnd{EvaluatedRatings::test, EvaluatedRatings::all};
constexpr EvaluationSchedule kEvaluateEachIteration{EvaluatedRatings::all, EvaluatedRatings::all};
constexpr int kLongestRun = 2;  // times `iterations`: the most to reach the target in

double total_seconds(const std::vector<IterationRecord>& iterations) {
  double sum = 0;
  for (const IterationRecord& record : iterations) sum += record.seconds;
  return sum;
}

double per_iteration(const std::vector<IterationRecord>& iterations) {
  std::vector<double> seconds;
  for (const IterationRecord& record : iterations) seconds.push_back(record.seconds);
  return median_of(seconds);
}

}  // namespace

TrialRun Trials::train(const Recipe& recipe, const TrialLength& length, double TimeSpent::*kind) {
  TrialRun training = runner_.train(recipe, length);
  ++result_.evaluations;
  result_.time.*kind += training.measured_seconds;
  result_.time.preparing += training.setup_seconds;
  result_.time.compiling += training.wait_seconds;
  return training;
}

TrialLength Trials::until_target() const {
  return {.iterations = options_.iterations * kLongestRun,
          .target = result_.target_metric,
          .evaluation = kEvaluateEachIteration};
}

double Trials::metric_of(const TrialRun& training) const {
  return training.iterations.empty() ? kWorst : metric_of(training.iterations.back());
}

double Trials::metric_of(const IterationRecord& record) const {
  return result_.test_ratings ? record.test_metric : record.train_metric;
}

// The largest share by which the metric is off the exact one, of an iteration from the second on:
// below it, too, where solutions are not those of ALS. The first iteration says little of the
// rest: the metric still falls by much.
double Trials::worst_deviation(const TrialRun& training) const {
  const size_t count = std::min(training.iterations.size(), exact_metrics_.size());
  double worst = -1;
  for (size_t i = std::min<size_t>(1, exact_metrics_.size() - 1); i < count; ++i) {
    const double off = std::abs(metric_of(training.iterations[i]) / exact_metrics_[i] - 1);
    if (!(off <= worst)) worst = off;  // NaN is worst
    if (std::isnan(worst)) break;
  }
  return worst >= 0 && std::isfinite(worst) ? worst : kWorst;
}

void Trials::measure_exact() {
  Trial trial;
  trial.pipelines = exact_recipe(runner_.recipe(), runner_.traits().backend);
  trial.purpose = "exact";
  const TrialRun training =
      train(trial.pipelines, {.iterations = options_.iterations, .evaluation = kEvaluateAtEnd},
            &TimeSpent::accuracy);
  if (training.outcome != Outcome::ok || training.iterations.empty())
    throw EnvironmentError(fmt::format(
        "the exact pipeline, which accuracy is judged by, could not be trained: {}: {}; "
        "choose a smaller problem",
        name_of(training.outcome), training.detail));
  result_.test_ratings = std::isfinite(training.iterations.back().test_metric);
  if (to_target() && !result_.test_ratings)
    throw UsageError("--objective time-to-rmse needs test ratings; give --test-fraction");
  result_.exact_metric = metric_of(training);
  for (const IterationRecord& record : training.iterations)
    exact_metrics_.push_back(metric_of(record));
  result_.target_metric = result_.exact_metric * (1 + options_.tolerance);
  trial.metric = result_.exact_metric;
  trial.seconds = per_iteration(training.iterations);
  trial.passed = true;
  runner_.say(
      fmt::format("exact FP32: {} {:.5f} after {} iterations; let through up to {:.3g} % {} it",
                  upper_case(algorithm().metric), result_.exact_metric, options_.iterations,
                  100 * options_.tolerance, to_target() ? "above" : "off"));
  result_.trials.push_back(std::move(trial));
}

const Trial& Trials::attempt(const Recipe& recipe, const std::string& purpose) {
  const TrialLength length =
      to_target() ? until_target()
                  : TrialLength{.iterations = options_.iterations, .evaluation = kEvaluateAtEnd};
  const TrialRun training = train(recipe, length, &TimeSpent::accuracy);
  Trial trial;
  trial.pipelines = recipe;
  trial.purpose = purpose;
  trial.outcome = training.outcome;
  trial.detail = training.detail;
  trial.metric = metric_of(training);
  trial.worst_deviation = worst_deviation(training);
  trial.passed = training.outcome == Outcome::ok &&
                 (to_target() ? trial.metric <= result_.target_metric
                              : trial.worst_deviation <= options_.tolerance);
  trial.seconds =
      to_target() ? total_seconds(training.iterations) : per_iteration(training.iterations);
  runner_.say(fmt::format("{}: {} {:.5f}, {:.3f} ms{}: {}",
                          trial.passed ? "let through" : "refused", upper_case(algorithm().metric),
                          trial.metric, 1e3 * trial.seconds,
                          to_target() ? " to the target" : " an iteration", recipe.text()));
  result_.trials.push_back(std::move(trial));
  return result_.trials.back();
}

std::optional<PlayoffRun> Trials::play(const Recipe& recipe) {
  const TrialLength length =
      to_target() ? until_target() : TrialLength{.iterations = options_.playoff_iterations};
  const TrialRun training = train(recipe, length, &TimeSpent::playoff);
  if (training.outcome != Outcome::ok || (to_target() && !training.reached_target))
    return std::nullopt;
  PlayoffRun played;
  for (const std::string& part : algorithm().parts) {
    std::vector<double> seconds;
    for (const IterationRecord& record : training.iterations)
      seconds.push_back(algorithm().part_seconds(record, part));
    played.seconds[part] = median_of(seconds);
  }
  played.total =
      to_target() ? total_seconds(training.iterations) : per_iteration(training.iterations);
  return played;
}

std::optional<std::map<std::string, double>> Trials::part_means(const Recipe& recipe) {
  const TrialRun training = train(recipe, {.iterations = options_.iterations}, &TimeSpent::playoff);
  if (training.outcome != Outcome::ok || training.iterations.empty()) return std::nullopt;
  std::map<std::string, double> means;
  for (const std::string& part : algorithm().parts) {
    for (const IterationRecord& record : training.iterations)
      means[part] += algorithm().part_seconds(record, part);
    means[part] /= static_cast<double>(training.iterations.size());
  }
  return means;
}

std::optional<std::vector<IterationRecord>> Trials::whole_run(const Recipe& recipe) {
  constexpr double kUnreachableTarget = 0;  // with a target, how a training ends is judged
  TrialRun training = train(recipe,
                            {.iterations = options_.iterations,
                             .target = kUnreachableTarget,
                             .evaluation = kEvaluateAtEnd},
                            &TimeSpent::playoff);
  if (training.outcome != Outcome::ok) return std::nullopt;
  return std::move(training.iterations);
}

}  // namespace alsbench
