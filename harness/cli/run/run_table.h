// SPDX-License-Identifier: Apache-2.0
// The table of a run for people, on at most about 110 columns. Rows are grouped by problem and
// side, and each names only what differs from its neighbours. Full names are in JSON, CSV and
// Markdown.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/record/case_record.h"

namespace alsbench {

// Medians of fewer than `min_samples` samples are marked.
std::string run_table(const std::vector<CaseRecord>& records, int64_t min_samples);

}  // namespace alsbench
