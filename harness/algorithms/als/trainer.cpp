#include "harness/algorithms/als/trainer.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <future>
#include <limits>
#include <stdexcept>

#include "harness/algorithms/als/half_iteration.h"
#include "harness/algorithms/als/rmse.h"
#include "harness/device/cuda_backend.h"

namespace alsbench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The two factor matrices with the rounded copies that pipelines read.
class Factors {
 public:
  Factors(const DeviceProblem& problem, uint64_t seed)
      : device_(&problem.device()),
        x_(*device_, problem.ratings(Side::x).rows, problem.rank()),
        theta_(*device_, problem.ratings(Side::theta).rows, problem.rank()),
        initial_theta_(problem.initial(Side::theta, seed)),
        overflows_(device_->allocate(sizeof(uint32_t))) {
    reset();
  }

  // X = 0 and Theta random: where training starts.
  void reset() {
    device_->fill(x_.view().data, 0, x_.bytes());
    device_->copy(theta_.view().data, initial_theta_.view().data, theta_.bytes());
    device_->fill(overflows_.data(), 0, overflows_.bytes());
  }

  const FactorMatrix& of(Side side) const { return side == Side::x ? x_ : theta_; }
  // What updates `side`.
  HalfIteration::Operands operands(Side side) {
    return {of(other(side)), rounded(other(side)).data(), of(side), rounded(side).data(),
            overflows_.as<uint32_t>()};
  }

  // Makes a side's copy of a type other than fp32; seconds on the device.
  double round(Side side, Scalar type) {
    if (type == Scalar::fp32) return 0;
    Buffer& copy = rounded(side);
    const int64_t count = of(side).bytes() / 4;
    if (!copy) copy = device_->allocate(count * size_of(type));
    return device_
        ->time([&] {
          device_->convert(copy.data(), type, of(side).view().data, count,
                           overflows_.as<uint32_t>());
        })
        .seconds;
  }
  // Factors that became infinite in such a copy.
  int64_t overflows() const {
    uint32_t count = 0;
    device_->download(&count, overflows_.data(), sizeof(count));
    return count;
  }

 private:
  Buffer& rounded(Side side) { return side == Side::x ? x_rounded_ : theta_rounded_; }

  Device* device_;
  FactorMatrix x_, theta_;
  const FactorMatrix& initial_theta_;  // kept with the problem: others begin there, too
  Buffer x_rounded_, theta_rounded_, overflows_;
};

void throw_non_finite(const Factors& factors, int iteration) {
  if (const int64_t count = factors.overflows(); count > 0)
    throw std::runtime_error(
        fmt::format("non-finite factors in iteration {}: {} of them are beyond the type that the "
                    "pipeline reads them in; use a pipeline with factors in bf16, tf32 or fp32 "
                    "(cg-fp32), or a larger lambda",
                    iteration, count));
  for (const Side side : {Side::x, Side::theta}) {
    const std::vector<float> values = factors.of(side).download();
    const int32_t rank = factors.of(side).view().rank;
    for (size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i]))
        throw std::runtime_error(
            fmt::format("non-finite factor in iteration {}: {} row {}, element {} is {}; the "
                        "pipeline loses too much precision on this set; try cg-fp32 or exact",
                        iteration, name_of(side), static_cast<int64_t>(i) / rank,
                        static_cast<int64_t>(i) % rank, values[i]));
  }
  throw std::runtime_error(fmt::format(
      "training RMSE of iteration {} is not finite; are all ratings finite?", iteration));
}

// Compiles the kernels of both pipelines at once, so that preparing them one after the other finds
// them in the cache. What cannot run or be compiled is left to that.
void compile_ahead(const DeviceTraits& traits, const RatingSet& set, const TrainOptions& options) {
  if (traits.backend != Backend::cuda) return;
  std::vector<CompileRequest> requests;
  const auto add = [&](const Pipeline& pipeline, const Shape& shape) {
    for (const PipelineStep& step : pipeline.steps)
      add_requests(requests, *step.variant, step.config, shape, traits);
  };
  add(options.x, shape_of(set.by_user, options.rank));
  add(options.theta, shape_of(set.by_item, options.rank));
  compile_all(requests);
}

class Training {
 public:
  Training(const DeviceProblem& problem, const TrainOptions& options)
      : problem_(problem),
        factors_(problem_, options.seed),
        rmse_(problem_),
        x_(problem_, Side::x, options.x),
        theta_(problem_, Side::theta, options.theta) {
    warm_up();
    factors_.round(Side::theta, x_.factors_type());
    problem.device().synchronize();
  }

  IterationRecord iterate(int iteration, bool with_rmse) {
    IterationRecord record;
    record.iteration = iteration;
    const auto start = Clock::now();
    update(x_, Side::x, theta_.factors_type(), record);
    update(theta_, Side::theta, x_.factors_type(), record);
    record.wall_seconds = seconds_since(start);
    record.mean_cg_steps = mean_cg_steps();
    record.train_rmse = record.test_rmse = std::numeric_limits<double>::quiet_NaN();
    if (!with_rmse) return record;
    evaluate(record);
    if (!std::isfinite(record.train_rmse)) throw_non_finite(factors_, iteration);
    return record;
  }

  const Factors& factors() const { return factors_; }
  int64_t failed_rows() const { return x_.failed_rows() + theta_.failed_rows(); }

 private:
  void warm_up() {
    factors_.round(Side::theta, x_.factors_type());
    factors_.round(Side::x, theta_.factors_type());
    x_.warm_up(factors_.operands(Side::x));
    theta_.warm_up(factors_.operands(Side::theta));
    factors_.reset();
  }

  // `type`: how the other side's pipeline reads this side.
  void update(HalfIteration& half_iteration, Side side, Scalar type, IterationRecord& record) {
    const bool rounded = half_iteration.rounds() && half_iteration.factors_type() == type;
    HalfIteration::Operands operands = factors_.operands(side);
    if (!rounded) operands.rounded_solution = nullptr;
    const HalfIterationTimes times = half_iteration.run(operands);
    const std::string prefix = std::string(name_of(side)) + "/";
    for (const auto& [stage, seconds] : times.stage_seconds)
      record.stage_seconds[prefix + stage] = seconds;
    record.seconds += times.seconds;
    if (rounded || type == Scalar::fp32) return;
    const double seconds = factors_.round(side, type);
    record.stage_seconds[prefix + "convert"] = seconds;
    record.seconds += seconds;
  }

  double mean_cg_steps() const {
    const double rows =
        static_cast<double>(problem_.ratings(Side::x).rows + problem_.ratings(Side::theta).rows);
    return rows > 0 ? (x_.cg_steps() + theta_.cg_steps()) / rows : 0;
  }

  void evaluate(IterationRecord& record) {
    const auto start = Clock::now();
    record.train_rmse = rmse_.train(factors_.of(Side::x), factors_.of(Side::theta)).rmse;
    const RmseResult test = rmse_.test(factors_.of(Side::x), factors_.of(Side::theta));
    record.test_rmse = test.rmse;
    record.cold_test_ratings = test.cold;
    record.rmse_seconds = seconds_since(start);
  }

  const DeviceProblem& problem_;
  Factors factors_;
  RmseEvaluator rmse_;
  HalfIteration x_, theta_;
};

}  // namespace

TrainResult train(Device& device, const RatingSet& set, const TrainOptions& options,
                  const TrainProgress& progress) {
  const auto start = Clock::now();
  auto compiled = std::async(std::launch::async, compile_ahead, std::cref(device.traits()),
                             std::cref(set), std::cref(options));
  const DeviceProblem problem(device, set, options.rank, options.lambda);
  const double upload_seconds = seconds_since(start);
  compiled.get();
  const double seconds = seconds_since(start);
  TrainResult result = train(problem, options, progress);
  result.upload_seconds = upload_seconds;
  result.setup_seconds += seconds;
  return result;
}

TrainResult train(const DeviceProblem& problem, const TrainOptions& options,
                  const TrainProgress& progress) {
  TrainResult result;
  const RatingSet& set = problem.set();
  const auto start = Clock::now();
  const FactorMatrix& initial = problem.initial(Side::theta, options.seed);
  const PeakMemory memory(problem.device());
  Training training(problem, options);
  result.setup_seconds = seconds_since(start);
  result.empty_users = empty_rows(set.by_user);
  result.empty_items = empty_rows(set.by_item);
  for (int iteration = 1; iteration <= options.iterations; ++iteration) {
    const bool last = iteration == options.iterations;
    result.iterations.push_back(training.iterate(iteration, options.every_rmse || last));
    const IterationRecord& record = result.iterations.back();
    if (progress) progress(record);
    result.reached_target = options.target_rmse && record.test_rmse <= *options.target_rmse;
    result.interrupted = !last && options.interrupted != nullptr && *options.interrupted;
    if (result.reached_target || result.interrupted) break;
  }
  result.failed_rows = training.failed_rows();
  result.overflows = training.factors().overflows();
  result.peak_device_bytes = problem.bytes() + initial.bytes() + memory.bytes();
  if (!options.keep_factors) return result;
  result.x = training.factors().of(Side::x).download();
  result.theta = training.factors().of(Side::theta).download();
  return result;
}

}  // namespace alsbench
