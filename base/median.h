// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace alsbench {

// Mean of the two middle values for an even count; NaN for none. (Reorders its copy.)
double median(std::vector<double> values);

// std::nth_element() of numbers in half of its time or less: no branch depends on a single one.
void select(double* first, double* nth, double* last);

}  // namespace alsbench
