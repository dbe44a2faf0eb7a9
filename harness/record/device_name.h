// SPDX-License-Identifier: Apache-2.0
// How a device is called in file and folder names: results/<device>, results/tuned/<device>.json,
// plots/<device>. One spelling, made here.
#pragma once

#include <string>
#include <string_view>

namespace alsbench {

// "NVIDIA H200" -> "nvidia-h200": letters in lower case, digits, and one '-' for everything between
// them. Applied to its own result it changes nothing, so a name read from a folder finds the device
// again. Names that are empty, longer than 96 characters or without any letter or digit become
// their hash. The result is a valid file name whatever a driver says. Two names may meet ("A B" and
// "A-B"): what is stored under it keeps the whole name as well, and readers compare that.
std::string device_slug(std::string_view name);

}  // namespace alsbench
