// SPDX-License-Identifier: Apache-2.0
#include "harness/device/processor_caches.h"

#include <sched.h>

#include <fstream>
#include <map>
#include <string>
#include <system_error>

namespace alsbench {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

struct Cache {
  int level = 0;
  int64_t bytes = 0;
  std::string shared_by;  // processors, as Linux lists them
};

Cache read_cache(const fs::path& folder) {
  Cache cache;
  std::ifstream(folder / "level") >> cache.level;
  std::ifstream size(folder / "size");
  char unit = 0;
  size >> cache.bytes >> unit;
  cache.bytes <<= unit == 'K' ? 10 : unit == 'M' ? 20 : 0;
  cache.shared_by = first_line(folder / "shared_cpu_list");
  return cache;
}

Cache last_cache(const fs::path& processor) {
  Cache last;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(processor / "cache", none)) {
    if (!entry.path().filename().string().starts_with("index")) continue;
    Cache cache = read_cache(entry.path());
    if (cache.level > last.level) last = std::move(cache);
  }
  return last;
}

}  // namespace

std::vector<int> allowed_processors() {
  std::vector<int> processors;
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return processors;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &allowed)) processors.push_back(i);
  return processors;
}

int64_t last_level_cache_bytes(const std::vector<int>& processors, const fs::path& root) {
  std::map<std::string, int64_t> caches;
  for (const int processor : processors) {
    const Cache cache = last_cache(root / ("cpu" + std::to_string(processor)));
    caches[cache.shared_by] = cache.bytes;
  }
  int64_t sum = 0;
  for (const auto& [shared_by, bytes] : caches) sum += bytes;
  return sum;
}

}  // namespace alsbench
