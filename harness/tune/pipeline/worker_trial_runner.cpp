#include "harness/tune/pipeline/worker_trial_runner.h"

#include "harness/algorithms/als/train_record.h"
#include "harness/device/cuda_backend.h"
#include "harness/tune/stage/live_objective.h"

namespace alsbench {

WorkerTrialRunner::WorkerTrialRunner(TuningWorker& worker,
                                     std::function<void(const std::string&)> on_line,
                                     std::function<void(Side, const Progress&)> on_progress)
    : worker_(worker),
      on_line_(std::move(on_line)),
      on_progress_(std::move(on_progress)),
      traits_(worker.traits()),
      x_shape_(worker.shape(Side::x)),
      theta_shape_(worker.shape(Side::theta)),
      data_seconds_(std::chrono::duration<double>(Clock::now() - begin_).count()),
      start_(Clock::now()) {}

double WorkerTrialRunner::elapsed_seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void WorkerTrialRunner::say(const std::string& line) {
  if (on_line_) on_line_(line);
}

TuningResult WorkerTrialRunner::search(Side side, const SearchSpace& space,
                                       const TuneOptions& options,
                                       const std::vector<Evaluation>& known) {
  LiveObjective objective(space, worker_, compiler_, side);
  TuneOptions with_progress = options;
  if (on_progress_)
    with_progress.on_progress = [&](const Progress& progress) { on_progress_(side, progress); };
  TuningResult result = tune(space, objective, with_progress, known);
  compiler_.announce({});  // nothing of this search is needed any more
  try {
    worker_.release();
  } catch (const WorkerFailure&) {
    // Its death after the last sample costs nothing: the next request gets a fresh worker.
  }
  return result;
}

void WorkerTrialRunner::expect(Side side, const SearchSpace& space,
                               const std::vector<size_t>& points) {
  compiler_.expect(alsbench::kernels_of(space, points, shape(side), traits_));
}

void WorkerTrialRunner::expect(const PipelineSides& pipelines) {
  compiler_.expect(kernels_of(pipelines));
}

std::vector<CompileRequest> WorkerTrialRunner::kernels_of(const PipelineSides& pipelines) const {
  std::vector<CompileRequest> requests;
  for (const Side side : {Side::x, Side::theta})
    for (const PipelineStep& step : pipelines.of(side).steps)
      add_requests(requests, *step.variant, step.config, shape(side), traits_);
  return requests;
}

// Ahead of the training; the worker finds the kernels in the cache.
bool WorkerTrialRunner::compile(const PipelineSides& pipelines, Training& training) {
  const auto begin = Clock::now();
  const std::vector<CompileResult> results = compiler_.require(kernels_of(pipelines));
  training.wait_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  for (const CompileResult& result : results) {
    if (result.error.empty()) continue;
    training.outcome = Outcome::compile_error;
    training.detail = result.error;
    return false;
  }
  return true;
}

void WorkerTrialRunner::run(const Case& c, Training& training) {
  const Json answer = worker_.client().request(
      {{"op", "train"}, {"case", to_json(c)}}, worker_.options().timeout_seconds,
      [&](const Json& event) {
        training.iterations.push_back(iteration_from_json(event.at("iteration")));
        const IterationRecord& record = training.iterations.back();
        training.measured_seconds += record.seconds + record.rmse_seconds;
      });
  training.reached_target = answer.at("training").at("reached_target");
  training.setup_seconds = answer.at("training").at("setup_seconds");
}

Training WorkerTrialRunner::train(const PipelineSides& pipelines, int iterations,
                                  std::optional<double> target_rmse) {
  Training training;
  if (!compile(pipelines, training)) return training;
  Case c;
  c.backend = traits_.backend;
  c.device = worker_.options().device;
  c.problem = worker_.options().problem;
  const bool every_rmse = target_rmse.has_value();  // else the last one says what there is to know
  c.train = TrainCase{"tuning", pipelines.x, pipelines.theta, iterations, target_rmse, every_rmse};
  try {
    worker_.data();  // opens the device again where a training before cost the worker its life
    run(c, training);
  } catch (const WorkerFailure& failure) {
    training.outcome = failure.outcome;
    training.detail = failure.what();
  }
  return training;
}

}  // namespace alsbench
