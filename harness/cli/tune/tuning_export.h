// SPDX-License-Identifier: Apache-2.0
// Tunings in the format of other tuners.
#pragma once

#include <optional>
#include <string>

#include "harness/record/json.h"
#include "harness/tune/search/tuning_document.h"

namespace alsbench {

// T4 of a tuning of a stage or of a replay, an evaluation a point.
std::string tuning_to_t4(const TuningDocument& tuning);

// T4 of a tuning of a stage, an evaluation a point, or of a tuning of pipelines, an evaluation a
// trial. Nothing where `json` is neither. Throws UsageError naming `source` where it is damaged.
std::optional<std::string> tuning_to_t4(const Json& json, const std::string& source);

}  // namespace alsbench
