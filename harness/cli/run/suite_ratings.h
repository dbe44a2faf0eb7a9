// SPDX-License-Identifier: Apache-2.0
// Ratings that the command line puts in place of a suite's: `alsbench run quick --data r.csv`.
#pragma once

#include <string>

#include "harness/cli/run/run_options.h"
#include "harness/sweep/suite/suite.h"

namespace alsbench {

// The suite `source` on the ratings, rank and lambda of the options. Rank and lambda that are not
// given are those of its first problem; without ratings, each problem keeps its own. Throws
// UsageError like parse_suite.
Suite suite_on_ratings(const std::string& source, const RunOptions& options);

}  // namespace alsbench
