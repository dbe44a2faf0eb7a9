// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/accuracy_gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/tune/pipeline/refinement.h"

namespace alsbench {
Recipe on_rung(const Recipe& original, size_t rung) {
  Recipe recipe = original;
  for (auto& [part, pipeline] : recipe.pipelines) pipeline = on_rung(std::move(pipeline), rung);
  return recipe;
}

std::vector<Representative> representatives(const Recipe& begun,
                                            const std::map<Precision, Candidates>& found) {
  std::vector<Representative> list;
  for (const auto& [precision, candidates] : found) {
    Representative representative{precision, begun, 0};
    for (const std::string& part : begun.algorithm->parts) {
      const PipelineCandidate& candidate = simplest(candidates.at(part), kMaxSlowdownToTry);
      representative.recipe.pipelines[part] = candidate.pipeline;
      representative.expected += candidate.seconds;
    }
    list.push_back(std::move(representative));
  }
  std::ranges::stable_sort(list, {}, &Representative::expected);
  return list;
}

AccuracyGate::AccuracyGate(TrialRunner& runner, Goal goal, Attempt attempt,
                           std::function<bool()> out_of_time)
    : runner_(runner),
      timed_(goal == Goal::time),
      attempt_(std::move(attempt)),
      out_of_time_(std::move(out_of_time)) {}

bool AccuracyGate::passes(const Representative& representative, const Recipe& pipelines) {
  if (out_of_time_()) return false;
  const Trial trial = attempt_(pipelines);
  if (!trial.passed) return false;
  last_seconds_ = trial.seconds;
  passed_expected_ = std::min(passed_expected_, representative.expected);
  passed_seconds_ = std::min(passed_seconds_, trial.seconds);
  return true;
}

void AccuracyGate::admit(const Representative& representative) {
  const auto& [precision, recipe, expected] = representative;
  const Pipeline& pipeline = recipe.first();
  const size_t begin = enough_.value_or(rung_of(pipeline));
  const double gain = precision.iterative ? max_gain(pipeline, begin) : 1;
  const bool hopeless = timed_ && expected > kMaxSlowdownToTry * gain * passed_expected_;
  if (hopeless || out_of_time_()) {
    runner_.say(fmt::format("not tried: {}: {}", precision.text(),
                            hopeless ? "expected to be slower" : "the time is over"));
    return;
  }
  if (precision.iterative)
    descend(representative, begin);
  else
    passes(representative, recipe);
}

void AccuracyGate::descend(const Representative& representative, size_t begin) {
  const size_t rungs = ladder_of(representative.recipe.first())->ladder.size();
  for (size_t rung = rungs; rung > 0; --rung)
    runner_.expect(on_rung(representative.recipe, rung - 1));
  const auto passes_on = [&](size_t rung) {
    return passes(representative, on_rung(representative.recipe, rung));
  };
  size_t rung = begin;
  if (passes_on(rung)) {
    if (timed_ && last_seconds_ > kMaxSlowdownToTry * passed_seconds_) return;
    while (rung + 1 < rungs && passes_on(rung + 1)) ++rung;
  } else {
    do {
      if (rung == 0) return;
    } while (!passes_on(--rung));
  }
  enough_ = rung;
}

}  // namespace alsbench
