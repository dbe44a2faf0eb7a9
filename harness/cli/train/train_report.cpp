// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/train/train_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "base/message.h"
#include "harness/cli/ratings_options.h"
#include "harness/cli/text_table.h"
#include "harness/cli/tune/tuned.h"
#include "harness/data/csr.h"
#include "harness/model/prediction.h"
#include "harness/record/escape.h"
#include "harness/record/training_record.h"
#include "harness/train/train.h"
#include "harness/tune/database/training_query.h"

namespace alsbench {
namespace {

// A rise of the test metric above its lowest that is worth a word, as a share of it.
constexpr double kOverfit = 1e-3;

void warn_of_overfitting(const TrainOptions& train, const TrainResult& result) {
  if (train.keep == Keep::best || result.best_iteration == 0) return;
  const IterationRecord& last = result.iterations.back();
  const IterationRecord& best = iteration_record(result, result.best_iteration);
  const double rise = last.test_metric - best.test_metric;
  if (!(rise > kOverfit * std::abs(best.test_metric))) return;
  print_message(
      "alsbench: warning: the test {} was lowest after iteration {}, {:.6g}, and rose to "
      "{:.6g}: the model overfits; give --iterations {}, --keep best or a larger --lambda\n",
      upper_case(train.recipe.algorithm->metric), best.iteration, best.test_metric,
      last.test_metric, best.iteration);
}

// Of what makes a test metric say little.
bool are_equal(std::span<const float> values) {
  return std::ranges::all_of(values, [&](float value) { return value == values.front(); });
}

void warn_before_training(const TrainOptions& train, const RatingSet& set) {
  if (train.lambda == 0)
    print_message(
        "alsbench: warning: --lambda 0: users and items with fewer than {} ratings are not "
        "determined by them, and their predictions may be anything\n",
        train.rank);
  if (train.recipe.algorithm->feedback == kExplicitFeedback && are_equal(set.by_user.values.span()))
    print_message(
        "alsbench: warning: all ratings are {}, so they tell no items apart; --feedback implicit "
        "learns from which items a user has\n",
        set.by_user.values[0]);
  if (const int64_t cells = cells_in_both(set.test, set.by_user); cells > 0)
    print_message(
        "alsbench: warning: {} of {} test ratings are of cells that are trained on; the "
        "test {} is too low by that\n",
        cells, set.test.nnz(), upper_case(train.recipe.algorithm->metric));
}

void warn_after_training(const TrainOptions& train, const TrainResult& result) {
  const IterationRecord& last = result.iterations.back();
  if (result.failed_rows > 0)
    print_message("alsbench: warning: the factorisation failed in {} rows of the last iteration\n",
                  result.failed_rows);
  if (result.interrupted)
    print_message(
        "alsbench: interrupted after iteration {} of {}; the model is that of iteration {}\n",
        last.iteration, train.iterations, result.kept_iteration);
  else if (train.target && !result.reached_target)
    print_message("alsbench: warning: --target-{} {} was not reached in {} iterations\n",
                  train.recipe.algorithm->metric, *train.target, last.iteration);
  warn_of_overfitting(train, result);
  if (disturbed(result.iterations))
    print_message(
        "alsbench: warning: other processes took {:.0f} % of the time, so the reported seconds are "
        "too high; alsbench doctor names them\n",
        100 * taken_share(result.iterations));
}

std::string text_of(const SearchedValues& values) {
  std::string text;
  for (const auto& [name, value] : values)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

std::string shown(double metric) {
  return std::isnan(metric) ? "failed" : fmt::format("{:.5f}", metric);
}

// The trials as a table: the candidate's values, iterations and mean metric. With several seeds it
// also has the minimum and the maximum. The best candidate's last trial is marked.
std::string table_of(const FinishedSearch& search, const std::string& metric) {
  const std::vector<HalvingTrial>& trials = search.halving.trials;
  std::vector<std::string> header;
  for (const auto& [name, value] : search.candidates.at(0)) header.push_back(name);
  header.insert(header.end(), {"iterations", "test " + metric});
  const bool seeds = !trials.empty() && trials[0].metrics.size() > 1;
  if (seeds) header.insert(header.end(), {"least", "greatest"});
  header.emplace_back();
  const auto best = std::find_if(trials.rbegin(), trials.rend(), [&](const HalvingTrial& trial) {
    return trial.candidate == search.halving.best;
  });
  TextTable table(header);
  for (const HalvingTrial& trial : trials) {
    std::vector<std::string> row;
    for (const auto& [name, value] : search.candidates[trial.candidate]) row.push_back(value);
    row.push_back(std::to_string(trial.iterations));
    row.push_back(shown(trial.metric()));
    if (seeds && !std::isnan(trial.metric())) {
      const auto [minimum, greatest] =
          std::minmax_element(trial.metrics.begin(), trial.metrics.end());
      row.insert(row.end(), {shown(*minimum), shown(*greatest)});
    } else if (seeds) {
      row.insert(row.end(), {"", ""});
    }
    row.emplace_back(best != trials.rend() && &trial == &*best ? "best" : "");
    table.add(row);
  }
  return table.text();
}

// Options of a tuning for this training, in addition to its ratings and rank.
std::vector<std::string> tuning_arguments(const TrainCommandOptions& options) {
  std::vector<std::string> words;
  if (options.lambda) words.insert(words.end(), {"--lambda", fmt::format("{}", *options.lambda)});
  if (options.device != kAutoDevice) words.insert(words.end(), {"--device", options.device});
  return words;
}

void tell_start(const StartSeconds& start) {
  print_message(
      "first iteration after {:.3f} s: device {:.3f}, load {:.3f}, pipelines {:.3f}, "
      "upload {:.3f}, prepare {:.3f}\n",
      start.total(), start.device, start.load, start.pipelines, start.upload, start.prepare);
}

void tell_energy(const TrainingEnergy& energy) {
  if (!energy.missing.empty())
    print_message("alsbench: warning: the energy was not measured: {}\n", energy.missing);
  if (!energy.measured) return;
  const EnergyRecord& measured = *energy.measured;
  print_message("energy: {:.4g} J an iteration, {:.0f} W by {}, the mean of {} iterations\n",
                measured.joules, measured.watts,
                measured.source == EnergySource::counter ? "the device's counter"
                                                         : "samples of the device's power",
                measured.executions);
}

void print_result(const TrainResult& result, const std::string& metric) {
  const IterationRecord& kept = iteration_record(result, result.kept_iteration);
  fmt::print(
      "train_{} {:.6f}\ntest_{} {:.6f}\niterations {}\nkept_iteration {}\nempty_users {}\n"
      "empty_items {}\ncold_test_ratings {}\n",
      metric, kept.train_metric, metric, kept.test_metric, result.iterations.size(),
      result.kept_iteration, result.empty_users, result.empty_items, kept.cold_test_ratings);
}

}  // namespace

void TrainReport::search_begins(const SearchRequest& request, const std::vector<int>& iterations) {
  search_metric_ = request.ranking ? request.metric() : upper_case(request.metric());
  progress_.emplace("train", options_.progress.chosen());
  next_ = 0;
  for (size_t i = 0; i < iterations.size(); ++i)
    progress_->add({fmt::format("trial {}", i + 1), "trial", 1.0 * iterations[i]});
}

void TrainReport::trial_begins(const SearchedValues& values, int iterations) {
  trial_ = fmt::format("{}, {} iterations", text_of(values), iterations);
  progress_->rename(next_, trial_);
  progress_->start(next_++);
}

void TrainReport::trial_trained(const TrainOptions& options, double value) {
  const std::string seed = options_.search_seeds > 1 ? fmt::format(", seed {}", options.seed) : "";
  progress_->note(fmt::format("{}{}: test {} {:.5f}", trial_, seed, search_metric_, value));
}

void TrainReport::trial_ends() { progress_->finish_started(); }

void TrainReport::search_ends(const FinishedSearch& search) {
  progress_.reset();
  if (tells()) print_message("{}", table_of(search, search_metric_));
  if (search.halving.best)
    for (const auto& [name, value] : search.candidates[*search.halving.best])
      fmt::print("{} {}\n", name, value);
}

void TrainReport::tell_pipelines(const TrainOptions& options, const TunedOrigins& tuned) const {
  std::string line, better;
  for (const TunedOrigin& origin : tuned) {
    line += fmt::format("{}{}: {}: {}", line.empty() ? "" : "; ", origin.part, origin.level,
                        origin.reason);
    if (!is_tuned(*options.recipe.algorithm)) continue;
    const std::string command = tuning_hint(training_query(options, set_, team_, origin.part),
                                            origin, options_.data, tuning_arguments(options_));
    if (!command.empty()) better = "; to do better: " + command;
  }
  if (!line.empty()) print_message("pipelines: {}{}\n", line, better);
}

void TrainReport::begins(const TrainOptions& options, const TunedOrigins& tuned) {
  if (tells()) {
    tell_pipelines(options, tuned);
    print_reading(options_.data, set_);
    const std::string members = team_.size() > 1 ? fmt::format("{} x ", team_.size()) : "";
    print_message("{}: {} users, {} items, {} training and {} test ratings; {} on {}{}\n", set_.id,
                  set_.by_user.rows, set_.by_user.cols, set_.by_user.nnz(), set_.test.nnz(),
                  options.recipe.first().text(), members, team_.device().traits().name);
  }
  print_data_warnings(options_.data, set_);
  warn_before_training(options, set_);
  progress_.emplace("train", options_.progress.chosen());
  next_ = 0;
  const size_t done = options.resume != nullptr ? options.resume->iterations.size() : 0;
  for (int i = static_cast<int>(done) + 1; i <= options.iterations; ++i)
    progress_->add({fmt::format("iteration {}", i), "iteration", 1});
  progress_->start(next_++);
}

void TrainReport::iterated(const IterationRecord& iteration) {
  const std::string name = upper_case(metric());
  progress_->note(fmt::format("iteration {:3}  train {} {:.5f}  test {} {:.5f}  {:.4f} s",
                              iteration.iteration, name, iteration.train_metric, name,
                              iteration.test_metric, iteration.seconds));
  progress_->finish_started();
  if (iteration.iteration < options_.iterations) progress_->start(next_++);
}

void TrainReport::ends(const FinishedTraining& training) {
  progress_.reset();
  const TrainResult& result = training.result;
  if (tells()) tell_start(training.start);
  if (tells() && result.transferred_ratings > 0)
    print_message(
        "{} of {} ratings of both sides came from the host in each iteration: the device "
        "does not hold them all\n",
        result.transferred_ratings, 2 * set_.by_user.nnz());
  tell_energy(result.energy);
  print_result(result, metric());
  if (tells()) print_kept_iteration(training.options, result);
  warn_after_training(training.options, result);
  if (options_.out.empty() && tells()) print_message("the model is not kept: there is no --out\n");
}

}  // namespace alsbench
