// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/cubin_cache.h"

#include "base/error.h"
#include "harness/device/cuda/kernel_file.h"
#include "harness/files/atomic_file.h"
#include "harness/files/cache_folder.h"

namespace alsbench {

namespace fs = std::filesystem;

CubinCache::CubinCache() {
  if (const fs::path root = cache_folder(); !root.empty()) folder_ = root / "cubin";
}

fs::path CubinCache::file_of(const std::string& key) const { return folder_ / (key + ".cubin"); }

std::optional<CompiledKernel> CubinCache::find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  try {
    return read_kernel_file(key, read_whole_file(file_of(key)));
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

void CubinCache::store(const std::string& key, const CompiledKernel& kernel) const {
  if (folder_.empty()) return;
  try {
    // Files are checked against their checksum when they are read, so nothing need be synced.
    write_file_atomically(file_of(key), kernel_file(key, kernel), Sync::no);
  } catch (const EnvironmentError&) {
    // costs time only; alsbench doctor says so
  }
}

}  // namespace alsbench
