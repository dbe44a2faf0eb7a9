// SPDX-License-Identifier: Apache-2.0
// Memory that control groups (of either version) leave a process: the limits of its own group and
// of all groups around it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>

namespace alsbench {

struct GroupMemory {
  // Bytes; the largest number where nothing limits them.
  int64_t limit = std::numeric_limits<int64_t>::max();
  int64_t free = std::numeric_limits<int64_t>::max();
};

// The least of all these groups. `groups`: where they are mounted; `process`: the file that names
// those of a process.
GroupMemory group_memory(const std::filesystem::path& groups = "/sys/fs/cgroup",
                         const std::filesystem::path& process = "/proc/self/cgroup");

}  // namespace alsbench
