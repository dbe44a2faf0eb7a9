// SPDX-License-Identifier: Apache-2.0
// Doubts about a user's ratings: signs that a file was not meant as it was read.
#pragma once

#include <string>
#include <vector>

#include "harness/data/csr.h"

namespace alsbench {

// A sentence each, with the remedy. Every user or item has one rating. A value such as -1 stands
// apart from all others. At least half of the test users or items have no training rating.
std::vector<std::string> data_warnings(const RatingSet& set);

}  // namespace alsbench
