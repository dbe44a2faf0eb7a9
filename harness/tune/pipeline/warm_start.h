// SPDX-License-Identifier: Apache-2.0
// A start for a tuning of pipelines: the pipelines that the database has of near shapes.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "harness/train/algorithm.h"
#include "harness/tune/database/tuning_database.h"

namespace alsbench {

struct WarmStart {
  Recipe recipe;       // all its pipelines of one precision and with the same CG steps
  std::string reason;  // where they are from: one line for people
};

// `recipe`: the algorithm and its hyper-parameters. `query_of`: what a part asks the database. The
// first part with a measured answer decides the precision. A part with an answer of another
// precision gets that part's pipeline, where it can run. Steps that only late iterations leave out
// are put back. Nothing where no part's answer was measured, or that of one cannot run for another.
std::optional<WarmStart> find_warm_start(
    const TuningDatabase& database, const Recipe& recipe,
    const std::function<TunedQuery(const std::string&)>& query_of);

}  // namespace alsbench
