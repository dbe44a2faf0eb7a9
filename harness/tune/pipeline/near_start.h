// SPDX-License-Identifier: Apache-2.0
// What a tuning of pipelines may begin with: the pipelines that the database has of near shapes.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "harness/train/recipe.h"
#include "harness/tune/database/tuning_database.h"

namespace alsbench {

struct NearStart {
  Recipe recipe;       // all its pipelines of one precision and with the same CG steps
  std::string reason;  // where they are from: one line for people
};

// `recipe`: the algorithm and its hyper-parameters. `query_of`: what a part asks the database. The
// first part whose answer was measured decides the precision; a part whose own answer is of another
// gets that one's pipeline, where it can run. Steps that only late iterations leave out are put
// back. Nothing where no part's answer was measured, or that of one cannot run for another.
std::optional<NearStart> near_start(const TuningDatabase& database, const Recipe& recipe,
                                    const std::function<TunedQuery(const std::string&)>& query_of);

}  // namespace alsbench
