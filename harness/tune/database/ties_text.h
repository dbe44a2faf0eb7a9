// SPDX-License-Identifier: Apache-2.0
// How the ties of a choice are shown to people: by what differs from the choice.
#pragma once

#include <string>
#include <vector>

namespace alsbench {

// A line for each of `ties` but the pick itself, begun by `indent`: "tied with the same, but
// stages=3,warps=1" where it is made of the same variants, else its whole text. Empty without ties.
std::string ties_text(const std::string& pick, const std::vector<std::string>& ties,
                      const std::string& indent);

}  // namespace alsbench
