// SPDX-License-Identifier: Apache-2.0
// The last-level cache of a CPU, from what Linux says of each processor's caches.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace alsbench {

// The processors that this process may run on.
std::vector<int> allowed_processors();

// Bytes of the last-level caches that `processors` share, each cache counted once; nothing known:
// 0. `root`: the folder of cpu0 and its neighbours.
int64_t last_level_cache_bytes(const std::vector<int>& processors,
                               const std::filesystem::path& root = "/sys/devices/system/cpu");

}  // namespace alsbench
