// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/als/half_iteration.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "harness/device/named_memory.h"
#include "harness/problem/factor_copy.h"
#include "variants/als/parameters.h"

namespace alsbench {
namespace {

// Device bytes a batch row needs in a pipeline: A_u in its storage type and b_u; an update keeps
// both to itself.
int64_t bytes_per_row(const Pipeline& pipeline, int32_t rank) {
  if (pipeline.steps.front().variant->stage->fused) return 1;
  const int64_t element = size_of(pipeline.steps.back().storage().matrices);
  constexpr int64_t kLibraryScratch = 64;  // pointer arrays and status words of batched solvers
  return element * rank * rank + int64_t{4} * factor_pitch(rank) + kLibraryScratch;
}

// Of the free memory, so the other side has as much: a GPU's own, but the host's is for all
// members.
double memory_share(const Member& member) {
  constexpr double kShare = 0.4;
  return member.device().traits().backend == Backend::cpu ? kShare / member.count() : kShare;
}

// Of copies of both sides' factors in a type of two bytes, which are made later.
int64_t copy_bytes(const DeviceProblem& problem) {
  return (problem.ratings(Side::x).rows + problem.ratings(Side::theta).rows) *
         factor_pitch(problem.rank()) * 2;
}

// Copies a row of factors to a row of another matrix.
void copy_row(const FactorsView& from, int64_t from_row, const FactorsView& to, int64_t to_row) {
  std::copy_n(static_cast<const float*>(from.data) + from_row * from.pitch, from.rank,
              static_cast<float*>(to.data) + to_row * to.pitch);
}

}  // namespace

std::optional<HalfIteration::RatedRows> HalfIteration::rated_rows(const DeviceProblem& problem,
                                                                  Side side,
                                                                  const Pipeline& pipeline) {
  constexpr int64_t kMinRows = 2;  // for each row that has ratings
  if (problem.device().traits().backend != Backend::cpu || problem.streamed() != nullptr ||
      pipeline.steps.front().variant->stage->fused)
    return std::nullopt;
  const RowRange all = problem.rows(side);
  const auto offsets = problem.host_ratings(side).offsets.span();
  std::vector<int64_t> rows;
  for (int64_t row = all.first; row < all.end(); ++row)
    if (offsets[static_cast<size_t>(row)] < offsets[static_cast<size_t>(row) + 1])
      rows.push_back(row);
  const auto rated = std::ssize(rows);
  if (rated == 0 || rated * kMinRows > all.count) return std::nullopt;
  return RatedRows{std::move(rows), std::vector<int64_t>(static_cast<size_t>(rated) + 1),
                   FactorMatrix(problem.device(), rated, problem.rank())};
}

HalfIteration::HalfIteration(const DeviceProblem& problem, Side side, const Pipeline& pipeline,
                             Arguments arguments)
    : problem_(&problem),
      side_(side),
      arguments_(std::move(arguments)),
      rows_(problem.rows(side)),
      rated_(rated_rows(problem, side, pipeline)) {
  Device& device = problem.device();
  cg_steps_ = device.allocate(rows_.count * 4);
  status_ = device.allocate(rows_.count * 4);
  device.fill(cg_steps_.data(), 0, cg_steps_.bytes());
  device.fill(status_.data(), 0, status_.bytes());
  Shape shape = problem.shape(side);  // of all rows, so what is compiled is one device's
  const int64_t rows = rated_ ? std::ssize(rated_->rows) : rows_.count;
  batch_rows_ = batch_rows_for(device, rows, bytes_per_row(pipeline, shape.rank),
                               memory_share(problem.member()), copy_bytes(problem));
  shape.batch_rows = batch_rows_;
  if (problem.streamed() != nullptr) shape.nnz = problem.streamed()->window();
  for (const PipelineStep& step : pipeline.steps) {
    if (const Scalar type = step.storage().factors; type != Scalar::fp32) {
      if (factors_type_ != Scalar::fp32 && factors_type_ != type)
        throw ObjectionError(fmt::format("steps on side {} read the factors as {} and as {}",
                                         name_of(side), name_of(factors_type_), name_of(type)));
      factors_type_ = type;
    }
    try {
      steps_.push_back(
          {step.variant, step.config, device.prepare(*step.variant, step.config, shape), nullptr});
      if (const auto late = parameters::late_config(step.config))
        steps_.back().late = device.prepare(*step.variant, *late, shape);
    } catch (const ObjectionError& error) {
      throw ObjectionError(fmt::format("{} [{}] on side {}: {}", step.variant->id(),
                                       step.config.text(), name_of(side), error.what()));
    }
  }
  if (!pipeline.steps.front().variant->stage->fused) {
    const NamedMemory named("systems of a batch");
    const int64_t element = size_of(pipeline.steps.back().storage().matrices);
    matrices_ = device.allocate(batch_rows_ * shape.rank * shape.rank * element);
    bias_ = device.allocate(batch_rows_ * factor_pitch(shape.rank) * int64_t{4});
    device.fill(bias_.data(), 0, bias_.bytes());
  }
  runs_parts_ = !problem.member().any(rated_.has_value() || problem.streamed() != nullptr);
}

UpdateParams HalfIteration::params_for(const Step& step, const Operands& operands, RowRange rows,
                                       RowRange all) const {
  UpdateParams params;
  params.ratings = operands.ratings;
  params.factors = operands.factors.view();
  if (storage_of(*step.variant, step.config).factors != Scalar::fp32)
    params.factors.data = operands.rounded_factors;
  params.solution = operands.solution.view();
  if (rounds() || measures()) {
    params.rounded = operands.rounded_solution;
    params.overflows = operands.overflows;
  }
  params.lambda = problem_->lambda();
  params.first_row = rows.first;
  params.row_count = rows.count;
  params.matrices = matrices_.data();
  params.bias = bias_.as<float>();
  params.steps = cg_steps_.as<int32_t>() + (rows.first - all.first);
  params.status = status_.as<int32_t>() + (rows.first - all.first);
  return params;
}

bool HalfIteration::rounds() const {
  return steps_.front().variant->stage->fused && rounds_elements(factors_type_);
}

bool HalfIteration::measures() const {
  return steps_.front().variant->stage->fused && has_scales(factors_type_);
}

void HalfIteration::begin(int iteration) { late_ = iteration > parameters::kEarlyIterations; }

void HalfIteration::launch(const Step& step, Executable& executable,
                           const UpdateParams& batch) const {
  if (arguments_)
    executable.launch(arguments_(step.variant->stage, batch));
  else
    executable.launch(batch);
}

void HalfIteration::warm_up(const Operands& operands) {
  constexpr int64_t kRows = 64;
  int64_t rows = std::min({kRows, batch_rows_, rows_.count});
  Operands first = operands;
  first.rounded_solution = nullptr;  // the other side may read another type
  if (StreamedRatings* const streamed = streamed_by(operands)) {
    if (streamed->blocks(side_).empty()) return;
    first.ratings = streamed->bring(side_, 0);
    rows = std::min(rows, streamed->blocks(side_).front().count);
  }
  for (const Step& step : steps_) {
    const UpdateParams batch = params_for(step, first, {rows_.first, rows}, rows_);
    launch(step, *step.executable, batch);
    if (step.late != nullptr) launch(step, *step.late, batch);
  }
}

StreamedRatings* HalfIteration::streamed_by(const Operands& operands) const {
  return operands.ratings.indices == nullptr ? problem_->streamed() : nullptr;
}

void HalfIteration::prepare(StageClock& clock, const std::function<void()>& work) const {
  clock.device(name_of(side_), name_of(steps_.front().variant->stage), work);
}

void HalfIteration::run(const Operands& operands, StageClock& clock) {
  if (measures() && operands.rounded_solution != nullptr)
    prepare(clock, [&] {
      clear_largest(problem_->device(), operands.rounded_solution, problem_->rank());
    });
  run_rows(operands, rows_, clock);
}

void HalfIteration::run_rows(const Operands& operands, RowRange rows, StageClock& clock) {
  StreamedRatings* const streamed = streamed_by(operands);
  if (rated_) return update_rated(operands, clock);
  if (streamed == nullptr) return update(operands, rows, rows_, clock);
  Operands block = operands;
  const std::vector<RowRange>& blocks = streamed->blocks(side_);
  for (size_t i = 0; i < blocks.size(); ++i) {
    clock.device(name_of(side_), "upload", [&] { block.ratings = streamed->bring(side_, i); });
    update(block, blocks[i], rows_, clock);
    streamed->next(side_, i);
  }
}

void HalfIteration::update_rated(const Operands& operands, StageClock& clock) {
  RatedRows& rated = *rated_;
  const FactorsView all = operands.solution.view(), own = rated.solution.view();
  const auto count = std::ssize(rated.rows);
  const auto row_of = [&](int64_t i) {
    return i < count ? rated.rows[static_cast<size_t>(i)] : rows_.end();
  };
  clock.device(name_of(side_), name_of(steps_.front().variant->stage), [&] {
#pragma omp parallel for schedule(static)  // cannot throw
    for (int64_t i = 0; i <= count; ++i) {
      rated.offsets[static_cast<size_t>(i)] = operands.ratings.offsets[row_of(i)];
      if (i < count) copy_row(all, row_of(i), own, i);
    }
  });
  RatingsView ratings = operands.ratings;
  ratings.offsets = rated.offsets.data();
  ratings.offsets32 = nullptr;
  ratings.rows = count;
  const RowRange own_rows{0, count};
  update({ratings, operands.factors, operands.rounded_factors, rated.solution, nullptr,
          operands.overflows},
         own_rows, own_rows, clock);
  clock.device(name_of(side_), name_of(steps_.back().variant->stage), [&] {
#pragma omp parallel for schedule(static)  // cannot throw
    for (int64_t i = 0; i <= count; ++i) {
      const int64_t unrated = i == 0 ? rows_.first : row_of(i - 1) + 1;
      auto* const zeros = static_cast<float*>(all.data) + unrated * all.pitch;
      std::fill_n(zeros, (row_of(i) - unrated) * all.pitch, 0.0f);
      if (i < count) copy_row(own, i, all, row_of(i));
    }
  });
}

void HalfIteration::update(const Operands& operands, RowRange rows, RowRange all,
                           StageClock& clock) {
  for (int64_t first = rows.first; first < rows.end(); first += batch_rows_) {
    for (const Step& step : steps_) {
      Executable& executable = late_ && step.late != nullptr ? *step.late : *step.executable;
      const UpdateParams params =
          params_for(step, operands, {first, std::min(batch_rows_, rows.end() - first)}, all);
      clock.device(name_of(side_), name_of(step.variant->stage),
                   [&] { launch(step, executable, params); });
    }
  }
}

void HalfIteration::add_steps(int64_t* total) const {
  if (steps_.back().variant->measures_solver_steps)
    problem_->device().add_up(total, cg_steps_.as<int32_t>(), rows_.count);
}

int64_t HalfIteration::failed_rows() const {
  std::vector<int32_t> status(static_cast<size_t>(rows_.count));
  problem_->device().download(status.data(), status_.data(), rows_.count * 4);
  const auto failed = std::ranges::count_if(status, [](int32_t value) { return value != 0; });
  return problem_->member().sum(int64_t{failed});
}

StepCounter::StepCounter(const DeviceProblem& problem)
    : problem_(&problem), total_(problem.device().allocate(sizeof(int64_t))) {}

double StepCounter::mean(const HalfIteration& x, const HalfIteration& theta) const {
  Device& device = problem_->device();
  device.fill(total_.data(), 0, total_.bytes());
  x.add_steps(total_.as<int64_t>());
  theta.add_steps(total_.as<int64_t>());
  int64_t total = 0;
  device.download(&total, total_.data(), total_.bytes());
  total = problem_->member().sum(total);
  const int64_t rows = problem_->ratings(Side::x).rows + problem_->ratings(Side::theta).rows;
  return rows > 0 ? static_cast<double>(total) / static_cast<double>(rows) : 0;
}

RecordedIterations::RecordedIterations(const DeviceProblem& problem, StageClock& clock,
                                       const Stages& stages)
    : clock_(clock) {
  if (!problem.member().alone() || problem.streamed() != nullptr) return;
  early_ = clock.record([&] { stages(parameters::kEarlyIterations); });
  late_ = clock.record([&] { stages(parameters::kEarlyIterations + 1); });
}

bool RecordedIterations::run(int iteration) {
  StageClock::Recording* const recording =
      (iteration > parameters::kEarlyIterations ? late_ : early_).get();
  if (recording != nullptr) clock_.run(*recording);
  return recording != nullptr;
}

}  // namespace alsbench
