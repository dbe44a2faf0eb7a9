// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/worker_trial_runner.h"

#include <fmt/format.h>

#include "base/clock.h"
#include "harness/device/cuda_backend.h"
#include "harness/tune/stage/live_objective.h"

namespace alsbench {

namespace {

std::map<std::string, Shape> shapes_of(TuningWorker& worker, const Algorithm& algorithm) {
  std::map<std::string, Shape> shapes;
  for (const std::string& part : algorithm.parts) shapes[part] = worker.shape(part);
  return shapes;
}

// Loads what trainings need; since `begin`, when the data of the searches began to load.
double seconds_to_load(TuningWorker& trainings, Clock::time_point begin) {
  trainings.data();
  return seconds_since(begin);
}

}  // namespace

WorkerTrialRunner::WorkerTrialRunner(TuningWorker& worker, TuningWorker& trainings, Recipe recipe,
                                     TrialHooks hooks)
    : worker_(worker),
      trainings_(trainings),
      recipe_(std::move(recipe)),
      compiler_(worker.options().command),
      hooks_(std::move(hooks)),
      traits_(worker.traits()),
      shapes_(shapes_of(worker, *recipe_.algorithm)),
      data_seconds_(seconds_to_load(trainings, begin_)),
      start_(Clock::now()) {
  if (traits_.backend == Backend::cuda) compiler_.expect(device_kernels(traits_.architecture));
}

double WorkerTrialRunner::elapsed_seconds() const { return seconds_since(start_); }

void WorkerTrialRunner::say(const std::string& line) {
  if (hooks_.on_line) hooks_.on_line(line);
}

TuningResult WorkerTrialRunner::search(const std::string& part, const SearchSpace& space,
                                       const TuneOptions& options,
                                       const std::vector<Evaluation>& known) {
  LiveObjective objective(space, worker_, compiler_, part);
  TuneOptions with_progress = options;
  if (hooks_.on_search) hooks_.on_search(part, space, with_progress);
  TuningResult result = tune(space, objective, with_progress, known);
  compiler_.announce({}, {});  // nothing of this search is needed any more
  try {
    worker_.release();
  } catch (const WorkerFailure&) {
    // Its death after the last sample costs nothing: the next request gets a fresh worker.
  }
  return result;
}

void WorkerTrialRunner::expect(const std::string& part, const SearchSpace& space,
                               const std::vector<size_t>& points) {
  compiler_.expect(alsbench::kernels_of(space, points, shape(part), traits_));
}

void WorkerTrialRunner::expect(const Recipe& pipelines) { compiler_.expect(kernels_of(pipelines)); }

std::vector<CompileRequest> WorkerTrialRunner::kernels_of(const Recipe& pipelines) const {
  std::vector<CompileRequest> requests;
  for (const auto& [part, pipeline] : pipelines.pipelines)
    for (const PipelineStep& step : pipeline.steps)
      add_requests(requests, *step.variant, step.config, shape(part), traits_);
  return requests;
}

// Ahead of the training; the worker finds the kernels in the cache.
bool WorkerTrialRunner::compile(const Recipe& pipelines, TrialRun& training) {
  const auto begin = Clock::now();
  const std::vector<CompileResult> results = compiler_.require(kernels_of(pipelines));
  training.wait_seconds = seconds_since(begin);
  for (const CompileResult& result : results) {
    if (result.error.empty()) continue;
    training.outcome = Outcome::compile_error;
    training.detail = result.error;
    return false;
  }
  return true;
}

void WorkerTrialRunner::run(const Case& c, bool energy, TrialRun& training) {
  const worker::Trained answer =
      trainings_.client().ask(worker::Train{c, energy}, trainings_.options().timeout_seconds,
                              [&](const IterationRecord& record) {
                                training.iterations.push_back(record);
                                training.measured_seconds += record.seconds + record.metric_seconds;
                              });
  training.reached_target = answer.training.reached_target;
  training.setup_seconds = answer.training.setup_seconds;
  training.energy = answer.training.energy;
}

TrialRun WorkerTrialRunner::train(const Recipe& pipelines, const TrialLength& length) {
  std::string text;
  for (const auto& [part, pipeline] : pipelines.pipelines)
    text += fmt::format("{}{} {}", text.empty() ? "training " : ", ", part, pipeline.text());
  if (hooks_.on_train) hooks_.on_train(text);
  TrialRun training = compile_and_run(pipelines, length);
  if (hooks_.on_trained) hooks_.on_trained(training.wait_seconds);
  return training;
}

TrialRun WorkerTrialRunner::compile_and_run(const Recipe& pipelines, const TrialLength& length) {
  TrialRun training;
  if (!compile(pipelines, training)) return training;
  Case c;
  c.backend = traits_.backend;
  c.device = trainings_.options().device;
  c.problem = trainings_.options().problem;
  c.train = TrainCase{"tuning", pipelines, length.iterations, length.target, length.evaluation};
  try {
    trainings_.data();  // opens the device again where a training before cost the worker its life
    run(c, length.energy, training);
  } catch (const WorkerFailure& failure) {
    training.outcome = failure.outcome;
    training.detail = failure.what();
  }
  return training;
}

}  // namespace alsbench
