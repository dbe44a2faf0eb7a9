// SPDX-License-Identifier: Apache-2.0
// How far the entries of A_u and b_u of a row with `count` ratings may be from the reference, on a
// device of that architecture (89 for sm_89).
#pragma once

#include <cstdint>

#include "variants/core/config.h"

namespace alsbench {

double row_tolerance(const Config& config, int64_t count, int architecture);

}  // namespace alsbench
