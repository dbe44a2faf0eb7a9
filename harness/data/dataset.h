// SPDX-License-Identifier: Apache-2.0
// Where a RatingSet comes from: a file of any supported format, or a generator of a known shape;
// and the cache of both.
#pragma once

#include <string>
#include <vector>

#include "harness/data/csr.h"
#include "harness/data/data_request.h"
#include "harness/data/draw_rows.h"

namespace alsbench {

// Loads or generates, compacts ids, splits, builds both orders. Throws UsageError naming file,
// line, value and remedy. `on` draws generated sets.
RatingSet load_rating_set(const DataRequest& request, const DrawOn& on = {});
// The same through the binary cache (mapped): under $ALSBENCH_CACHE_DIR, else
// $XDG_CACHE_HOME/alsbench, else ~/.cache/alsbench.
RatingSet cached_rating_set(const DataRequest& request, const DrawOn& on = {});

// Whether the request is a generated set so large that a GPU, where there is one, should draw it.
bool worth_a_device(const DataRequest& request);

// Names of the shipped generator specifications (configs/datasets/*.json, embedded in the binary).
std::vector<std::string> dataset_names();

}  // namespace alsbench
