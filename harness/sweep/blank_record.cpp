// SPDX-License-Identifier: Apache-2.0
// The record of a case before it runs.
#include "harness/sweep/sweep.h"
#include "harness/train/run_training.h"

namespace alsbench {
namespace {

ProblemRecord problem_record(const ProblemSpec& spec) {
  ProblemRecord problem;
  problem.name = spec.name();
  problem.dataset = spec.data.dataset;
  problem.path = spec.data.path.string();
  problem.scale = spec.data.scale;
  problem.seed = spec.data.seed;
  problem.rank = spec.rank;
  problem.lambda = decimal_of(spec.lambda);
  const Json request = to_json(spec.data);
  for (const auto& [key, value] : request.items())
    if (key != "dataset" && key != "path" && key != "scale" && key != "seed")
      problem.reading[key] = value;
  return problem;
}

Role role_of(const Case& c) {
  if (c.train) return Role::training;
  if (c.peer) return Role::peer;
  return c.is_ceiling() ? Role::ceiling : Role::measured;
}

}  // namespace

CaseRecord blank_record(const Case& c) {
  CaseRecord record;
  record.name = c.name();
  record.role = role_of(c);
  record.backend = c.backend;
  record.device = c.device;
  record.problem = problem_record(c.problem);
  record.tuned = c.tuned;
  record.number = c.number;
  if (c.train) {
    static_cast<RecipeRecord&>(record.training.emplace()) =
        recipe_record(c.train->recipe, c.train->target);
    return record;
  }
  if (c.peer) {
    record.peer.emplace().request = c.peer->request(decimal_of(c.problem.lambda));
    return record;
  }
  record.stage = name_of(c.variant->stage);
  record.variant = c.variant->name;
  record.config = c.config;
  record.part = c.part;
  return record;
}

}  // namespace alsbench
