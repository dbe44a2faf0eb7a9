// SPDX-License-Identifier: Apache-2.0
// Says on stderr how `data info` read a file.
#pragma once

#include "harness/data/csr.h"
#include "harness/data/data_request.h"

namespace alsbench {

// The format with its columns and their separator, the kinds of ids, and the first ratings of the
// file, or of the set where its format has no columns. Nothing of a generated set.
void print_whole_reading(const DataRequest& request, const RatingSet& set);

}  // namespace alsbench
