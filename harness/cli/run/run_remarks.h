// SPDX-License-Identifier: Apache-2.0
// Remarks below the tables of a run: its marks explained, failures, reasons to skip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/record/case_record.h"

namespace alsbench {

// Columns of the tables: 110, or those of the terminal where it has less.
size_t run_line_width();
bool too_few_samples(const MeasurementRecord& measured, int64_t min_samples);
std::string run_remarks(const std::vector<CaseRecord>& records, int64_t min_samples);

}  // namespace alsbench
