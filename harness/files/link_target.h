// SPDX-License-Identifier: Apache-2.0
// Where a name leads through symbolic links: the one name of a file, whether it is there or not.
#pragma once

#include <filesystem>

namespace alsbench {

// Absolute. Targets of links may be missing. Throws UsageError where they lead in a circle.
std::filesystem::path link_target(const std::filesystem::path& path);

}  // namespace alsbench
