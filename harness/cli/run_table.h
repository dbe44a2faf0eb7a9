// The table of a run for people, on at most about 110 columns: rows grouped by problem and side,
// each naming only what tells it from its neighbours. Full names are in JSON, CSV and Markdown.
#pragma once

#include <string>
#include <vector>

#include "harness/record/journal.h"

namespace alsbench {

std::string run_table(const std::vector<Json>& records);

}  // namespace alsbench
