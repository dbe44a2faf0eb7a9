// SPDX-License-Identifier: Apache-2.0
// An array that numpy saved, in C order, as the bytes of a custom kernel's buffer.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/custom/element.h"

namespace alsbench::custom {

// The elements of `path`. Throws UsageError naming the file where it is no .npy file of that type
// and shape.
std::string read_npy(const std::filesystem::path& path, Element type,
                     const std::vector<int64_t>& extents);

}  // namespace alsbench::custom
