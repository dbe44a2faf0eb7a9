// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/pipeline_candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace alsbench {
namespace {

const std::vector<MeasuredStep>& of(const MeasuredStages& stages, Stage stage) {
  static const std::vector<MeasuredStep> kNone;
  const auto found = stages.find(stage);
  return found == stages.end() ? kNone : found->second;
}

// The fastest step that reads the factors so, or of any where none does.
const MeasuredStep* fastest_reading(const std::vector<MeasuredStep>& steps, Scalar factors) {
  for (const MeasuredStep& measured : steps)
    if (measured.step.storage().factors == factors) return &measured;
  return steps.empty() ? nullptr : &steps.front();
}

// All pipelines of a form.
class Composer {
 public:
  Composer(const std::vector<Stage>& form, const MeasuredStages& stages)
      : form_(form), stages_(stages) {}

  std::vector<PipelineCandidate> all() {
    extend({});
    return std::move(list_);
  }

 private:
  void extend(const PipelineCandidate& begun) {
    const std::vector<PipelineStep>& steps = begun.pipeline.steps;
    if (steps.size() == form_.size()) {
      list_.push_back(begun);
      return;
    }
    const Stage stage = form_[steps.size()];
    if (!steps.empty() && !stage->has_matrices) {
      if (const auto* step = fastest_reading(of(stages_, stage), steps.front().storage().factors))
        extend(with(begun, *step));
      return;
    }
    for (const MeasuredStep& step : of(stages_, stage))
      if (fits(steps, step.step)) extend(with(begun, step));
  }

  static PipelineCandidate with(PipelineCandidate candidate, const MeasuredStep& step) {
    candidate.pipeline.steps.push_back(step.step);
    candidate.seconds += step.seconds;
    return candidate;
  }

  static bool fits(const std::vector<PipelineStep>& steps, const PipelineStep& next) {
    return std::ranges::all_of(steps, [&](const PipelineStep& step) {
      return !step.variant->stage->has_matrices ||
             step.storage().matrices == next.storage().matrices;
    });
  }

  const std::vector<Stage>& form_;
  const MeasuredStages& stages_;
  std::vector<PipelineCandidate> list_;
};

std::vector<PipelineCandidate> all_candidates(const PipelineGrammar& grammar,
                                              const MeasuredStages& stages) {
  std::vector<PipelineCandidate> list;
  for (const std::vector<Stage>& form : grammar.forms)
    for (PipelineCandidate& candidate : Composer(form, stages).all())
      list.push_back(std::move(candidate));
  std::ranges::stable_sort(list, {}, &PipelineCandidate::seconds);
  return list;
}

const Parameter* ladder_of(const PipelineStep& step) {
  for (const Parameter& parameter : step.variant->space.parameters())
    if (!parameter.ladder.empty()) return &parameter;
  return nullptr;
}

// The value on its ladder of the first step that has one; empty where all are direct.
std::string ladder_value(const Pipeline& pipeline) {
  for (const PipelineStep& step : pipeline.steps)
    if (const Parameter* parameter = ladder_of(step)) return step.config.get(parameter->name);
  return "";
}

}  // namespace

std::string Precision::text() const {
  return fmt::format("{}, {}", storage_text(), iterative ? "iterative" : "direct");
}

std::string Precision::storage_text() const {
  return fmt::format("factors {}, matrices {}", name_of(storage.factors),
                     name_of(storage.matrices));
}

Precision precision_of(const Pipeline& pipeline) {
  Precision precision;
  for (const PipelineStep& step : pipeline.steps) {
    const Storage storage = step.storage();
    if (storage.factors != Scalar::fp32) precision.storage.factors = storage.factors;
    if (storage.matrices != Scalar::fp32) precision.storage.matrices = storage.matrices;
  }
  precision.iterative = ladder_of(pipeline) != nullptr;
  return precision;
}

std::map<Precision, std::vector<PipelineCandidate>> candidates(const PipelineGrammar& grammar,
                                                               const MeasuredStages& stages,
                                                               size_t maximum) {
  std::map<Precision, std::vector<PipelineCandidate>> by_precision;
  for (PipelineCandidate& candidate : all_candidates(grammar, stages)) {
    auto& list = by_precision[precision_of(candidate.pipeline)];
    if (list.size() < maximum) list.push_back(std::move(candidate));
  }
  return by_precision;
}

double fastest_without(Stage stage, const PipelineGrammar& grammar, const MeasuredStages& stages) {
  MeasuredStages rest = stages;
  rest.erase(stage);
  const auto all = all_candidates(grammar, rest);
  return all.empty() ? std::numeric_limits<double>::infinity() : all.front().seconds;
}

const Parameter* ladder_of(const Pipeline& pipeline) {
  for (const PipelineStep& step : pipeline.steps)
    if (const Parameter* ladder = ladder_of(step)) return ladder;
  return nullptr;
}

size_t rung_of(const Pipeline& pipeline) {
  const Parameter* parameter = ladder_of(pipeline);
  if (parameter == nullptr) return 0;
  const auto& ladder = parameter->ladder;
  const std::string value = ladder_value(pipeline);
  const auto rung =
      std::ranges::find_if(ladder, [&](const Rung& one) { return one.value.text == value; });
  return rung == ladder.end() ? 0 : static_cast<size_t>(rung - ladder.begin());
}

Pipeline on_rung(Pipeline pipeline, size_t rung) {
  for (PipelineStep& step : pipeline.steps)
    if (const Parameter* parameter = ladder_of(step))
      step.config = step.config.with(parameter->name, parameter->ladder.at(rung).value.text);
  return pipeline;
}

double max_gain(const Pipeline& pipeline, size_t rung) {
  const Parameter* parameter = ladder_of(pipeline);
  if (parameter == nullptr) return 1;
  return std::max(1.0, parameter->ladder[rung_of(pipeline)].cost / parameter->ladder.at(rung).cost);
}

std::string rung_text(const Pipeline& pipeline) {
  const Parameter* parameter = ladder_of(pipeline);
  return parameter != nullptr ? ladder_value(pipeline) + " " + parameter->name : "direct";
}

int parameters_changed(const Pipeline& pipeline) {
  int changed = 0;
  for (const PipelineStep& step : pipeline.steps)
    changed += parameters_changed(*step.variant, step.config);
  return changed;
}

}  // namespace alsbench
