// SPDX-License-Identifier: Apache-2.0
// Rates of vendors' data sheets, for shares of the nominal ceiling in addition to those of the
// measured one.
#pragma once

#include <optional>
#include <string_view>

#include "harness/record/device_record.h"

namespace alsbench {

// Of a device by the name its driver gives it. Nothing for a device whose data sheet is not in the
// table (and for slices of one).
std::optional<NominalRates> nominal_rates(std::string_view device);

}  // namespace alsbench
