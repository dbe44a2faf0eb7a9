// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/hyper_search.h"

namespace alsbench {
namespace {

constexpr double kGain = 0.99;  // of the seconds: what a value must beat to be taken
constexpr double kEndsWorse =
    1e-4;  // of the metric: by how much a recipe may end above the default

}  // namespace

std::optional<HyperSearch> search_hyper(const ParameterSpace& space, const TrainHyper& train) {
  std::optional<HyperTrial> first = train(space.default_config());
  if (!first) return std::nullopt;
  first->passed = first->reached;
  HyperSearch search{{*first}, 0};
  const double limit = first->metric * (1 + kEndsWorse);
  for (const Parameter& parameter : space.parameters()) {
    const Config base = search.chosen().hyper;
    for (const Value& value : parameter.values) {
      if (base.is(parameter.name, value.text)) continue;
      std::optional<HyperTrial> trial = train(base.with(parameter.name, value.text));
      if (!trial) continue;
      trial->passed = trial->reached && trial->metric <= limit;
      search.trials.push_back(*trial);
      const HyperTrial& best = search.chosen();
      if (trial->passed && (!best.passed || trial->seconds < kGain * best.seconds))
        search.pick = search.trials.size() - 1;
    }
  }
  return search;
}

}  // namespace alsbench
