// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace alsbench {

// Mean of the two middle values for an even count; NaN for none. (Reorders its copy.)
double median(std::vector<double> values);

}  // namespace alsbench
