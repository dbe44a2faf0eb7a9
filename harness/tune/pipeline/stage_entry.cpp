// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/stage_entry.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "harness/tune/database/kernel_code_hash.h"

namespace alsbench {
namespace {

std::vector<StepRecord> steps_of(const SearchSpace& space, size_t point) {
  return records_of({{space[point].variant, space[point].config}});
}

}  // namespace

TunedEntry stage_entry(const TuningResult& result, const SearchSpace& space, const Budget& budget,
                       const std::string& part, const PipelineTuningContext& context) {
  if (!result.found) throw std::logic_error("a tuning that found nothing has no entry");
  const SearchPoint& best = space[result.best];
  TunedEntry entry;
  entry.device = context.traits;
  entry.what = name_of(best.variant->stage);
  entry.part = part;
  entry.shape = context.shape(part);
  entry.data = context.problem.name();
  entry.storage = storage_of(*best.variant, best.config);
  entry.pick = steps_of(space, result.best);
  entry.default_pick = steps_of(space, space.default_point());
  entry.median_seconds = result.best_seconds;
  // A default that failed is no slower than what was found, for all that is known.
  entry.default_seconds =
      std::isfinite(result.default_seconds) ? result.default_seconds : result.best_seconds;
  for (const size_t tied : result.tie_set) entry.ties.push_back(steps_of(space, tied));
  if (entry.ties.empty()) entry.ties = {entry.pick};
  constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();
  entry.search = {result.strategy, budget.evaluations == kUnlimited ? 0 : budget.evaluations,
                  std::isfinite(budget.seconds) ? budget.seconds : 0, result.evaluations,
                  result.seed};
  entry.code_hash =
      code_hash_of_steps({{best.variant, best.config}}, entry.shape, context.traits).value_or("");
  entry.provenance = entry_provenance(context.provenance, context.device);
  return entry;
}

}  // namespace alsbench
