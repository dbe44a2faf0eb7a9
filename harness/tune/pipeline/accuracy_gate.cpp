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

std::vector<PlainRecipe> plain_recipes(const Algorithm& algorithm,
                                       const std::map<Precision, Candidates>& found) {
  std::vector<PlainRecipe> list;
  for (const auto& [precision, candidates] : found) {
    PlainRecipe plain{precision, {&algorithm, algorithm.hyper.default_config(), {}}, 0};
    for (const std::string& part : algorithm.parts) {
      const PipelineCandidate& candidate = plainest(candidates.at(part), kWorthATry);
      plain.recipe.pipelines[part] = candidate.pipeline;
      plain.expected += candidate.seconds;
    }
    list.push_back(std::move(plain));
  }
  std::stable_sort(list.begin(), list.end(), [](const PlainRecipe& a, const PlainRecipe& b) {
    return a.expected < b.expected;
  });
  return list;
}

AccuracyGate::AccuracyGate(TrialRunner& lab, Goal goal, Attempt attempt,
                           std::function<bool()> out_of_time)
    : lab_(lab),
      timed_(goal == Goal::time),
      attempt_(std::move(attempt)),
      out_of_time_(std::move(out_of_time)) {}

bool AccuracyGate::passes(const PlainRecipe& plain, const Recipe& pipelines) {
  if (out_of_time_()) return false;
  const Trial trial = attempt_(pipelines);
  if (!trial.passed) return false;
  last_seconds_ = trial.seconds;
  passed_expected_ = std::min(passed_expected_, plain.expected);
  passed_seconds_ = std::min(passed_seconds_, trial.seconds);
  return true;
}

void AccuracyGate::admit(const PlainRecipe& plain) {
  const auto& [precision, recipe, expected] = plain;
  const Pipeline& pipeline = recipe.first();
  const size_t begin = enough_.value_or(rung_of(pipeline));
  const double gain = precision.iterative ? most_gained(pipeline, begin) : 1;
  const bool hopeless = timed_ && expected > kWorthATry * gain * passed_expected_;
  if (hopeless || out_of_time_()) {
    lab_.say(fmt::format("not tried: {}: {}", precision.text(),
                         hopeless ? "expected to be slower" : "the time is over"));
    return;
  }
  if (precision.iterative)
    descend(plain, begin);
  else
    passes(plain, recipe);
}

void AccuracyGate::descend(const PlainRecipe& plain, size_t begin) {
  const size_t rungs = ladder_of(plain.recipe.first())->ladder.size();
  for (size_t rung = rungs; rung > 0; --rung) lab_.expect(on_rung(plain.recipe, rung - 1));
  const auto passes_on = [&](size_t rung) { return passes(plain, on_rung(plain.recipe, rung)); };
  size_t rung = begin;
  if (passes_on(rung)) {
    if (timed_ && last_seconds_ > kWorthATry * passed_seconds_) return;
    while (rung + 1 < rungs && passes_on(rung + 1)) ++rung;
  } else {
    do {
      if (rung == 0) return;
    } while (!passes_on(--rung));
  }
  enough_ = rung;
}

}  // namespace alsbench
