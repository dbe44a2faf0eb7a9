// SPDX-License-Identifier: Apache-2.0
// `alsbench train --search`: which values are tried.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/train/train_command_options.h"
#include "harness/train/search.h"

namespace alsbench {

struct SearchPlan {
  // All combinations of the values that `search` names, those of the last axis next to each other;
  // none where it names nothing.
  std::vector<SearchedValues> values;
  std::optional<SearchRanking> ranking;  // that judges, where the options name one
};
// Throws UsageError where the command cannot take one of the values, or ranks by no such metric.
SearchPlan search_plan(const TrainCommandOptions& options);

// Trainings with these values.
SearchRequest search_request(const TrainCommandOptions& options, const SearchPlan& plan,
                             const std::function<Backend()>& backend);

}  // namespace alsbench
