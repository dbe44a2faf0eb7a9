// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/cubin_cache.h"

#include <map>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "harness/files/atomic_file.h"
#include "harness/files/cache_folder.h"
#include "harness/files/hash.h"
#include "harness/files/strict_json.h"
#include "harness/record/json.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

// A file is the checksum of the key and of what follows; one line of JSON; the cubin.
std::string checksum_of(const std::string& key, const std::string& content) {
  return sha256(key + "\n" + content);
}

// Kernels of this process where there is no folder.
struct Memory {
  std::mutex mutex;
  std::map<std::string, CompiledKernel> kernels;
};
Memory& memory() {
  static Memory kept;
  return kept;
}

std::optional<CompiledKernel> remembered(const std::string& key) {
  const std::lock_guard lock(memory().mutex);
  const auto found = memory().kernels.find(key);
  if (found == memory().kernels.end()) return std::nullopt;
  CompiledKernel kernel = found->second;
  kernel.from_cache = true;
  return kernel;
}

void remember(const std::string& key, const CompiledKernel& kernel) {
  constexpr size_t kMaxKernels = 256;
  const std::lock_guard lock(memory().mutex);
  auto& kernels = memory().kernels;
  if (kernels.size() >= kMaxKernels) kernels.erase(kernels.begin());
  kernels.emplace(key, kernel);
}

}  // namespace

void describe(Fields<CompiledKernel>& fields) {
  using K = CompiledKernel;
  fields("lowered_name", &K::lowered_name);
  fields("registers", &K::registers);
  fields("spill_store_bytes", &K::spill_store_bytes);
  fields("spill_load_bytes", &K::spill_load_bytes);
  fields("stack_bytes", &K::stack_bytes);
  fields("static_shared_bytes", &K::static_shared_bytes);
  fields("code_hash", &K::code_hash);
}

CubinCache::CubinCache() {
  if (const fs::path root = cache_folder(); !root.empty()) folder_ = root / "cubin";
}

fs::path CubinCache::file_of(const std::string& key) const { return folder_ / (key + ".cubin"); }

std::optional<CompiledKernel> CubinCache::find(const std::string& key) const {
  if (folder_.empty()) return remembered(key);
  try {
    return read_kernel_file(key, read_whole_file(file_of(key)));
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

void CubinCache::store(const std::string& key, const CompiledKernel& kernel) const {
  if (folder_.empty()) return remember(key, kernel);
  try {
    // Files are checked against their checksum when they are read, so nothing need be synced.
    write_file_atomically(file_of(key), kernel_file(key, kernel), Sync::no);
  } catch (const EnvironmentError&) {
    // costs time only; alsbench doctor says so
  }
}

std::string kernel_file(const std::string& key, const CompiledKernel& kernel) {
  const std::string content = to_json(kernel).dump() + "\n" + kernel.cubin;
  return checksum_of(key, content) + "\n" + content;
}

std::optional<CompiledKernel> read_kernel_file(const std::string& key, const std::string& content) {
  const size_t first = content.find('\n');
  if (first == std::string::npos) return std::nullopt;
  const std::string checked = content.substr(first + 1);
  if (content.substr(0, first) != checksum_of(key, checked)) return std::nullopt;
  const size_t end = checked.find('\n');
  if (end == std::string::npos) return std::nullopt;
  try {
    const Json header = parse_json(checked.substr(0, end), key);
    auto kernel = read_as<CompiledKernel>(JsonField(header));
    kernel.cubin = checked.substr(end + 1);
    kernel.from_cache = true;
    return kernel;
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

}  // namespace alsbench
