// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/pipeline_candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "variants/als/stages.h"

namespace alsbench {
namespace {

constexpr const char* kSteps = "steps";

const std::vector<MeasuredStep>& of(const MeasuredStages& stages, Stage stage) {
  static const std::vector<MeasuredStep> kNone;
  const auto found = stages.find(stage);
  return found == stages.end() ? kNone : found->second;
}

// The fastest step with that storage type of the factors, or of any where none has it.
const MeasuredStep* bias_for(const MeasuredStages& stages, Scalar factors) {
  const auto& all = of(stages, &stages::bias);
  for (const MeasuredStep& bias : all)
    if (factors_storage(bias.step.config) == factors) return &bias;
  return all.empty() ? nullptr : &all.front();
}

class Composer {
 public:
  explicit Composer(const MeasuredStages& stages) : stages_(stages) {}

  std::vector<PipelineCandidate> all() {
    for (const MeasuredStep& update : of(stages_, &stages::update)) add({update});
    for (const MeasuredStep& both : of(stages_, &stages::normal_equations)) add_solved({both});
    for (const MeasuredStep& hermitian : of(stages_, &stages::hermitian))
      if (const auto* bias = bias_for(stages_, factors_storage(hermitian.step.config)))
        add_solved({hermitian, *bias});
    std::stable_sort(list_.begin(), list_.end(),
                     [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
    return std::move(list_);
  }

 private:
  void add_solved(std::vector<MeasuredStep> producers) {
    const Scalar written = matrices_storage(producers.front().step.config);
    producers.emplace_back();
    for (const MeasuredStep& solve : of(stages_, &stages::solve)) {
      if (matrices_storage(solve.step.config) != written) continue;
      producers.back() = solve;
      add(producers);
    }
  }

  void add(const std::vector<MeasuredStep>& steps) {
    PipelineCandidate candidate;
    for (const MeasuredStep& step : steps) {
      candidate.pipeline.steps.push_back(step.step);
      candidate.seconds += step.seconds;
    }
    list_.push_back(std::move(candidate));
  }

  const MeasuredStages& stages_;
  std::vector<PipelineCandidate> list_;
};

}  // namespace

std::string Precision::text() const {
  return fmt::format("factors {}, matrices {}, {}", name_of(factors), name_of(matrices),
                     iterative ? "CG" : "direct");
}

Precision precision_of(const Pipeline& pipeline) {
  Precision precision;
  for (const PipelineStep& step : pipeline.steps) {
    if (const Scalar type = factors_storage(step.config); type != Scalar::fp32)
      precision.factors = type;
    if (const Scalar type = matrices_storage(step.config); type != Scalar::fp32)
      precision.matrices = type;
  }
  precision.iterative = steps_of(pipeline) > 0;
  return precision;
}

std::map<Precision, std::vector<PipelineCandidate>> candidates(const MeasuredStages& stages,
                                                               size_t most) {
  std::map<Precision, std::vector<PipelineCandidate>> by_precision;
  for (PipelineCandidate& candidate : Composer(stages).all()) {
    auto& list = by_precision[precision_of(candidate.pipeline)];
    if (list.size() < most) list.push_back(std::move(candidate));
  }
  return by_precision;
}

double fastest_without_hermitian(const MeasuredStages& stages) {
  MeasuredStages rest = stages;
  rest.erase(&stages::hermitian);
  const auto all = Composer(rest).all();
  return all.empty() ? std::numeric_limits<double>::infinity() : all.front().seconds;
}

Pipeline with_steps(Pipeline pipeline, int steps) {
  for (PipelineStep& step : pipeline.steps)
    if (step.config.has(kSteps)) step.config = step.config.with(kSteps, std::to_string(steps));
  return pipeline;
}

int settings_changed(const Pipeline& pipeline) {
  int changed = 0;
  for (const PipelineStep& step : pipeline.steps)
    changed += settings_changed(*step.variant, step.config);
  return changed;
}

int steps_of(const Pipeline& pipeline) {
  for (const PipelineStep& step : pipeline.steps)
    if (step.config.has(kSteps)) return step.config.integer(kSteps);
  return 0;
}

}  // namespace alsbench
