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

PipelineSides with_steps(const PipelineSides& pair, int steps) {
  return {with_steps(pair.x, steps), with_steps(pair.theta, steps)};
}

std::vector<PlainPair> plain_pairs(const std::map<Precision, CandidatePairs>& pairs) {
  std::vector<PlainPair> list;
  for (const auto& [precision, candidates] : pairs) {
    const PipelineCandidate &x = plainest(candidates.x, kWorthATry),
                            &theta = plainest(candidates.theta, kWorthATry);
    list.push_back({precision, {x.pipeline, theta.pipeline}, x.seconds + theta.seconds});
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const PlainPair& a, const PlainPair& b) { return a.expected < b.expected; });
  return list;
}

AccuracyGate::AccuracyGate(TrialRunner& lab, Goal goal, Attempt attempt,
                           std::function<bool()> out_of_time)
    : lab_(lab),
      timed_(goal == Goal::time),
      attempt_(std::move(attempt)),
      out_of_time_(std::move(out_of_time)),
      enough_steps_(kPapers) {}

bool AccuracyGate::passes(const PlainPair& plain, const PipelineSides& pipelines) {
  if (out_of_time_()) return false;
  const Trial trial = attempt_(pipelines);
  if (!trial.passed) return false;
  last_seconds_ = trial.seconds;
  passed_expected_ = std::min(passed_expected_, plain.expected);
  passed_seconds_ = std::min(passed_seconds_, trial.seconds);
  return true;
}

void AccuracyGate::admit(const PlainPair& plain) {
  const auto& [precision, pair, expected] = plain;
  const double gain =
      precision.iterative ? most_gained(steps_of(pair.x), kSteps[enough_steps_]) : 1;
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
    return passes(plain, with_steps(plain.pipelines, kSteps[i]));
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
