// SPDX-License-Identifier: Apache-2.0
// A search of one space, on a device (`tune stage`) or in a recording (`tune replay`): its options,
// its document, and what is printed of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/cli/app.h"
#include "harness/cli/tune/tune_options.h"
#include "harness/cli/tune/tune_output.h"
#include "harness/tune/search/space_file.h"
#include "harness/tune/search/tuner.h"
#include "harness/tune/search/tuning_document.h"

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

// Sets what a search takes from its space and its options.
void set_search(TuningSearch& search, const SearchSpace& space, const TuneOptions& tune);

TuningDocument document_of(const TuningHead& head, const TuneOptions& tune,
                           const TuningResult& result, const SearchSpace& space,
                           const Objective& objective);

// How many points there are, why the others are none, and their dimensions.
void print_space(const SearchSpace& space);
// On stderr: the points that failed, where the time went, and where the document is.
void print_search(const TuningResult& result, const SearchSpace& space, const TuneTargets& targets);
// Of the search. Says so where no point could be measured.
int exit_code_of(const TuningResult& result);

}  // namespace alsbench
