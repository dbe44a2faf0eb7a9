// SPDX-License-Identifier: Apache-2.0
#include "harness/files/control_group.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

namespace alsbench {
namespace {

namespace fs = std::filesystem;

// How a version of control groups calls its files, and the counts in "memory.stat".
struct Names {
  const char* limit;
  const char* used;
  const char* active_files;
  const char* inactive_files;
};
constexpr Names kFirst{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_active_file",
                       "total_inactive_file"};
constexpr Names kSecond{"memory.max", "memory.current", "active_file", "inactive_file"};

// Nothing for "max" and where there is no such file.
std::optional<int64_t> number_in(const fs::path& path) {
  std::ifstream file(path);
  int64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

GroupMemory memory_of(const fs::path& group, const Names& names) {
  const auto limit = number_in(group / names.limit);
  if (!limit) return {};
  int64_t used = number_in(group / names.used).value_or(0);
  // The group's files in memory are given up when others need it.
  std::ifstream file(group / "memory.stat");
  std::string key;
  for (int64_t bytes = 0; file >> key >> bytes;)
    if (key == names.active_files || key == names.inactive_files) used -= bytes;
  return {*limit, std::max<int64_t>(0, *limit - std::max<int64_t>(0, used))};
}

}  // namespace

GroupMemory group_memory(const fs::path& groups, const fs::path& process) {
  GroupMemory minimum;
  std::ifstream file(process);
  for (std::string line; std::getline(file, line);) {  // NUMBER:CONTROLLERS:PATH
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && controllers != "memory") continue;
    const fs::path root = groups / controllers;
    fs::path group = root / fs::path(line.substr(second + 1)).relative_path();
    // A container sees its own group as the root, and may see a path that is not there.
    while (true) {
      const GroupMemory memory = memory_of(group, controllers.empty() ? kSecond : kFirst);
      minimum = {std::min(minimum.limit, memory.limit), std::min(minimum.free, memory.free)};
      if (group.native().size() <= root.native().size()) break;
      group = group.parent_path();
    }
  }
  return minimum;
}

}  // namespace alsbench
