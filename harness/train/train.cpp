// SPDX-License-Identifier: Apache-2.0
#include "harness/train/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/median.h"
#include "harness/device/cuda_backend.h"
#include "harness/device/team.h"
#include "harness/device/thread_wait_monitor.h"
#include "harness/record/training_record.h"
#include "harness/train/iteration_energy.h"
#include "harness/train/training.h"

namespace alsbench {
namespace {

bool is_exchange(const std::string& stage) { return stage.ends_with("/" + std::string(kExchange)); }

PredictedSeconds predicted(const Training& training, const TeamRecord& team, int members) {
  const double share = training.largest_share(members);
  const auto bytes = static_cast<double>(training.exchanged_bytes(members));
  const double received = bytes * (members - 1) / members;
  return {members, share,
          share * team.work_seconds + training.exchanges(members) * team.latency_seconds +
              received / team.bytes_per_second};
}

// From a member's own seconds and stages to those of the team: a collective.
void share_times(const Member& member, IterationRecord& record) {
  if (member.alone()) return;
  std::vector<double> own{record.seconds};  // then each exchange
  for (const auto& [stage, seconds] : record.stage_seconds)
    if (is_exchange(stage)) own.push_back(seconds);
  std::vector<double> all(own.size() * static_cast<size_t>(member.count()), 0.0);
  const auto row = [&](int of) {
    return all.begin() + static_cast<std::ptrdiff_t>(own.size()) * of;
  };
  std::copy(own.begin(), own.end(), row(member.index()));
  member.sum(all);
  for (int of = 0; of < member.count(); ++of) {
    const double exchange = std::accumulate(row(of) + 1, row(of + 1), 0.0);
    record.members.push_back({*row(of) - exchange, exchange});
    record.seconds = std::max(record.seconds, *row(of));
  }
  for (size_t i = 1; i < own.size(); ++i) {  // who came last did not wait
    double minimum = all[i];
    for (size_t at = i; at < all.size(); at += own.size()) minimum = std::min(minimum, all[at]);
    record.exchange_seconds += minimum;
  }
}

// The team, its link measured, without the times of iterations: a collective.
TeamRecord team_of(const Member& member, const Training& training) {
  const TeamLink link = measure_link(member);
  TeamRecord team;
  team.members = member.count();
  team.latency_seconds = link.latency_seconds;
  team.bytes_per_second = link.bytes_per_second;
  team.exchanges = training.exchanges(team.members);
  team.exchanged_bytes = training.exchanged_bytes(team.members);
  return team;
}

// Predicted time of an iteration on one device: the median over iterations of all members' work.
// From it what teams take: this one's size, and 2, 4, 8 and 64. A team of n takes
//   share(n) work + exchanges latency + bytes (n - 1) / n / bandwidth (docs/explanation/scale.md).
void predict(const Training& training, const std::vector<IterationRecord>& iterations,
             TeamRecord& team) {
  std::vector<double> work;
  for (const IterationRecord& record : iterations) {
    work.push_back(0);
    for (const MemberSeconds& member : record.members) work.back() += member.work;
  }
  team.work_seconds = work.empty() ? 0 : median(std::move(work));
  for (const int members : std::set<int>{team.members, 2, 4, 8, 64})
    team.predicted.push_back(predicted(training, team, members));
}

// Who else runs kernels on a device is asked so often: an answer is of the second before it.
constexpr double kPollIntervalSeconds = 1;

// Compiles the kernels of all pipelines at once, so preparing them one after the other finds them
// in the cache. A kernel that cannot run or be compiled is left to the training.
void compile_ahead(const DeviceTraits& traits, const RatingSet& set, const TrainOptions& options) {
  if (traits.backend != Backend::cuda) return;
  const Algorithm& algorithm = *options.recipe.algorithm;
  std::vector<CompileRequest> requests;
  for (const std::string& part : algorithm.parts)
    for (const PipelineStep& step : options.recipe.of(part).steps)
      add_requests(requests, *step.variant, step.config,
                   algorithm.shape_of_set(set, options.rank, part), traits);
  compile_all(requests);
}

IterationRecord iterate(const Member& member, Training& training, int iteration,
                        const std::optional<EvaluatedRatings>& judged) {
  IterationRecord record;
  record.iteration = iteration;
  const DeviceTraits& traits = member.device().traits();
  const auto watch = traits.backend == Backend::cpu
                         ? std::optional<ThreadWaitMonitor>(traits.multiprocessors)
                         : std::nullopt;
  member.barrier();  // what one of them does between iterations is not of the next
  const auto start = Clock::now();
  IterationTimes times = training.iterate(iteration);
  record.wall_seconds = seconds_since(start);
  if (watch) record.contention.processor = watch->use();
  record.seconds = times.seconds;
  record.stage_seconds = std::move(times.stage_seconds);
  share_times(member, record);
  constexpr double kNotAsked = std::numeric_limits<double>::quiet_NaN();
  record.train_metric = record.test_metric = record.mean_solver_steps = kNotAsked;
  if (!judged) return record;
  record.mean_solver_steps = training.mean_solver_steps();
  const auto evaluation_start = Clock::now();
  const MetricValues evaluation = training.evaluate(iteration, *judged);
  record.metric_seconds = seconds_since(evaluation_start);
  record.train_metric = evaluation.train;
  record.test_metric = evaluation.test;
  record.cold_test_ratings = evaluation.cold_test_ratings;
  return record;
}

// Whether the last iteration has a lower test metric than all before it.
bool is_best(const TrainResult& result) {
  const double metric = result.iterations.back().test_metric;
  if (std::isnan(metric)) return false;
  return result.best_iteration == 0 ||
         metric < iteration_record(result, result.best_iteration).test_metric;
}

void keep_model(std::vector<ModelMatrix> model, TrainResult& result) {
  result.model = std::move(model);
  result.kept_iteration = result.iterations.back().iteration;
}

void resume(const Checkpoint& checkpoint, Training& training, TrainResult& result) {
  training.restore(checkpoint.model, checkpoint.copies);
  for (const IterationRecord& record : checkpoint.iterations) {
    result.iterations.push_back(record);
    if (is_best(result)) result.best_iteration = record.iteration;
  }
  result.model = checkpoint.kept;
  result.kept_iteration = checkpoint.kept_iteration;
}

void leave_checkpoint(const Member& member, const TrainOptions& options, Training& training,
                      const TrainResult& result) {
  const Checkpoint checkpoint{result.iterations,
                              training.model(),
                              result.model,
                              result.kept_iteration,
                              {training.overflows(), training.magnitudes()}};
  if (member.first()) options.checkpoint(checkpoint);
}

int64_t largest_of(const Member& member, int64_t bytes) {
  const std::vector<double> each = member.each(static_cast<double>(bytes));
  return static_cast<int64_t>(*std::max_element(each.begin(), each.end()));
}

}  // namespace

int64_t Training::update(const std::string& part) {
  throw ObjectionError(
      fmt::format("an algorithm that does not update {} alone; choose als or implicit-als", part));
}

TrainResult train(Device& device, const RatingSet& set, const TrainOptions& options,
                  const TrainProgress& progress) {
  Team team(device);
  return train(team, set, options, progress);
}

TrainResult train(Team& team, const RatingSet& set, const TrainOptions& options,
                  const TrainProgress& progress) {
  const auto start = Clock::now();
  auto compiled = std::async(std::launch::async, compile_ahead, std::cref(team.device().traits()),
                             std::cref(set), std::cref(options));
  const TeamProblem problem(team, set, options.rank, options.lambda, residency_of(options.recipe));
  const double upload_seconds = seconds_since(start);
  compiled.get();
  const double seconds = seconds_since(start);
  TrainResult result = train(problem, options, progress);
  result.upload_seconds = upload_seconds;
  result.setup_seconds += seconds;
  return result;
}

TrainResult train(const TeamProblem& problem, const TrainOptions& options,
                  const TrainProgress& progress) {
  TrainResult result;
  problem.team().run([&](const Member& member) {
    if (member.index() == problem.team().first_local())
      result = train(problem.of(member), options, progress);
    else
      train(problem.of(member), options);
  });
  return result;
}

TrainResult train(const DeviceProblem& problem, const TrainOptions& options,
                  const TrainProgress& progress) {
  TrainResult result;
  const Member& member = problem.member();
  const auto start = Clock::now();
  const PeakMemory memory(problem.device());
  const auto training = options.recipe.algorithm->start(problem, options.recipe, options.seed);
  if (!member.alone()) result.team = team_of(member, *training);
  result.setup_seconds = seconds_since(start);
  result.empty_users = empty_rows(problem.set().by_user);
  result.empty_items = empty_rows(problem.set().by_item);
  if (options.resume != nullptr) resume(*options.resume, *training, result);
  auto looked = Clock::now();
  const auto done = static_cast<int>(result.iterations.size());
  for (int iteration = done + 1; iteration <= options.iterations; ++iteration) {
    const bool last = iteration == options.iterations;
    result.iterations.push_back(iterate(member, *training, iteration,
                                        last ? options.evaluation.last : options.evaluation.each));
    IterationRecord& record = result.iterations.back();
    if (is_best(result)) {
      result.best_iteration = iteration;
      if (options.keep == Keep::best && options.keep_model) keep_model(training->model(), result);
    }
    result.reached_target = options.target && record.test_metric <= *options.target;
    if (last || result.reached_target || seconds_since(looked) > kPollIntervalSeconds) {
      record.contention.others = problem.device().state().others;
      looked = Clock::now();
    }
    if (progress) progress(record);
    result.interrupted =
        !last && options.interrupted != nullptr && member.any(*options.interrupted);
    result.stopped_early = !last && options.early_stop > 0 && result.best_iteration > 0 &&
                           iteration - result.best_iteration >= options.early_stop;
    if (result.reached_target || result.interrupted || result.stopped_early) break;
    if (!last && options.checkpoint_every > 0 && iteration % options.checkpoint_every == 0)
      leave_checkpoint(member, options, *training, result);
  }
  result.failed_rows = training->failed_rows();
  result.overflows = training->overflows();
  const StreamedRatings* const streamed = problem.streamed();
  result.transferred_ratings = member.sum(streamed != nullptr ? streamed->brought() : int64_t{0});
  result.peak_device_bytes =
      largest_of(member, problem.bytes() + training->shared_bytes() + memory.bytes());
  if (result.team && member.first()) predict(*training, result.iterations, *result.team);
  if (options.keep_model && result.kept_iteration == 0)
    keep_model(options.energy ? training->model() : training->last_model(), result);
  if (options.energy && !result.interrupted)
    result.energy = energy_of_iteration(member, *training, result.iterations.back());
  return result;
}

}  // namespace alsbench
