// SPDX-License-Identifier: Apache-2.0
// Options of a search of one space, on a device (`tune stage`) or in a recording (`tune replay`).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/cli/tune/tune_options.h"
#include "harness/tune/search/space_file.h"
#include "harness/tune/search/tuner.h"

namespace CLI {
class App;
}

namespace alsbench {

struct SpaceSearchOptions {
  std::string space_file;
  std::optional<int64_t> min_samples, max_samples, playoff_samples;
  std::optional<double> bail_out;
  int64_t passes = 1;
};
void add_space_search_options(CLI::App& command, SpaceSearchOptions& options);

// The space file, or an empty one.
SpaceFile space_file_of(const SpaceSearchOptions& options);

// Strategy, budget and sampling for a space: command line over space file over defaults.
// `record`: those of a recording, which treats all points alike.
TuneOptions tune_options(const TuneSearchOptions& search, const SpaceSearchOptions& options,
                         const SpaceFile& file, const SearchSpace& space, bool record = false);

}  // namespace alsbench
