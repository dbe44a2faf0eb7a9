// SPDX-License-Identifier: Apache-2.0
// The document of a search of one space, and what is printed of it.
#pragma once

#include "harness/cli/tune/tune_files.h"
#include "harness/tune/search/tuner.h"
#include "harness/tune/search/tuning_document.h"

namespace alsbench {

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
