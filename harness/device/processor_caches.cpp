// SPDX-License-Identifier: Apache-2.0
#include "harness/device/processor_caches.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

namespace alsbench {
namespace {

namespace fs = std::filesystem;

struct Cache {
  int level = 0;
  int64_t bytes = 0;
  std::string shared_by;  // processors, as Linux lists them: "0-3,8"
};

bool is_shared_by(const Cache& cache, int processor) {
  std::istringstream list(cache.shared_by);
  for (std::string range; std::getline(list, range, ',');) {
    std::istringstream ends(range);
    int first = -1, last = -1;
    ends >> first;
    last = first;
    if (ends.get() == '-') ends >> last;
    if (first <= processor && processor <= last) return true;
  }
  return false;
}

Cache read_cache(const fs::path& folder) {
  Cache cache;
  std::ifstream(folder / "level") >> cache.level;
  std::ifstream size(folder / "size");
  char unit = 0;
  size >> cache.bytes >> unit;
  cache.bytes <<= unit == 'K' ? 10 : unit == 'M' ? 20 : 0;
  std::ifstream(folder / "shared_cpu_list") >> cache.shared_by;
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
  std::vector<Cache> caches;  // few: a large machine has hundreds of processors to ask
  int64_t sum = 0;
  for (const int processor : processors) {
    const auto is_its_cache = [&](const Cache& cache) { return is_shared_by(cache, processor); };
    if (std::ranges::any_of(caches, is_its_cache)) continue;
    caches.push_back(last_cache(root / ("cpu" + std::to_string(processor))));
    sum += caches.back().bytes;
  }
  return sum;
}

}  // namespace alsbench
