// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/accuracy_gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "harness/tune/pipeline/refinement.h"

namespace alsbench {
namespace {

constexpr std::array kSteps{1, 2, 3, 4, 5, 6, 8, 12};  // of CG
constexpr size_t kPapers = 5;                          // where the paper's 6 stand in them

}  // namespace

double most_gained(int searched_steps, int steps) {
  return std::max(1.0, (1.0 + searched_steps) / (1.0 + steps));
}

Recipe with_steps(const Recipe& original, int steps) {
  Recipe recipe = original;
  for (auto& [part, pipeline] : recipe.pipelines) pipeline = with_steps(std::move(pipeline), steps);
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
      out_of_time_(std::move(out_of_time)),
      enough_steps_(kPapers) {}

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
  const auto& [precision, pair, expected] = plain;
  const double gain =
      precision.iterative ? most_gained(steps_of(pair.first()), kSteps[enough_steps_]) : 1;
  const bool hopeless = timed_ && expected > kWorthATry * gain * passed_expected_;
  if (hopeless || out_of_time_()) {
    lab_.say(fmt::format("not tried: {}: {}", precision.text(),
                         hopeless ? "expected to be slower" : "the time is over"));
    return;
  }
  if (!precision.iterative) {
    passes(plain, pair);
    return;
  }
  for (const int steps : kSteps) lab_.expect(with_steps(pair, steps));
  const auto passes_with = [&](size_t i) {
    return passes(plain, with_steps(plain.recipe, kSteps[i]));
  };
  size_t steps = enough_steps_;
  if (passes_with(steps)) {
    if (timed_ && last_seconds_ > kWorthATry * passed_seconds_) return;
    while (steps > 0 && passes_with(steps - 1)) --steps;
  } else {
    do {
      if (++steps == kSteps.size()) return;
    } while (!passes_with(steps));
  }
  enough_steps_ = steps;
}

}  // namespace alsbench
