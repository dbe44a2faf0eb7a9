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

// All combinations of the values that `search` names, those of the last axis next to each other;
// none where it names nothing. Throws UsageError where the command cannot take one of them.
std::vector<SearchedValues> searched_values(const TrainCommandOptions& options);

// The ranking that judges, where the options name one. Throws UsageError.
std::optional<SearchRanking> search_ranking(const TrainCommandOptions& options);

// Trainings with these values.
SearchRequest search_request(const TrainCommandOptions& options,
                             const std::vector<SearchedValues>& values,
                             const std::function<Backend()>& backend);

}  // namespace alsbench
