// SPDX-License-Identifier: Apache-2.0
// Names in a sentence.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace alsbench {

// "a", "a and b", "a, b and c"; of more than `shown` names "a, b and 7 more".
std::string listing(std::vector<std::string> names, size_t shown);

}  // namespace alsbench
