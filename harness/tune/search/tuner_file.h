// SPDX-License-Identifier: Apache-2.0
// Recordings of other tuners, as they are: cache files of kernel_tuner, and results in T4, the
// results format of the auto-tuning community
// (https://github.com/KernelTuner/kernel_tuner, kernel_tuner/schema).
#pragma once

#include <string>
#include <string_view>

#include "harness/tune/search/tuning_journal.h"

namespace alsbench {

// Whether a text is one JSON object, as their files are; a journal is none.
bool is_tuner_file(std::string_view text);

// Each point has one sample, the objective in seconds, and the variant "". The default is the point
// in the middle of all parameters: these files name none. Reads what Python writes beyond JSON:
// NaN, Infinity, and a cache file that was not closed. Throws UsageError that names `source`, the
// place and the remedy.
Recording read_tuner_file(const std::string& text, const std::string& source);

}  // namespace alsbench
