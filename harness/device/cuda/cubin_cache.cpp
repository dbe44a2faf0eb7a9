// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/cubin_cache.h"

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

Json header_of(const CompiledKernel& kernel) {
  return {{"lowered_name", kernel.lowered_name},
          {"registers", kernel.registers},
          {"spill_store_bytes", kernel.spill_store_bytes},
          {"spill_load_bytes", kernel.spill_load_bytes},
          {"stack_bytes", kernel.stack_bytes},
          {"static_shared_bytes", kernel.static_shared_bytes},
          {"code_hash", kernel.code_hash}};
}

CompiledKernel kernel_of(const JsonField& header, std::string cubin) {
  CompiledKernel kernel;
  kernel.cubin = std::move(cubin);
  kernel.lowered_name = header.at("lowered_name").text();
  kernel.registers = header.at("registers").integer32();
  kernel.spill_store_bytes = header.at("spill_store_bytes").integer();
  kernel.spill_load_bytes = header.at("spill_load_bytes").integer();
  kernel.stack_bytes = header.at("stack_bytes").integer();
  kernel.static_shared_bytes = header.at("static_shared_bytes").integer();
  kernel.code_hash = header.at("code_hash").text();
  kernel.from_cache = true;
  return kernel;
}

}  // namespace

CubinCache::CubinCache() {
  if (const fs::path root = cache_folder(); !root.empty()) folder_ = root / "cubin";
}

fs::path CubinCache::file_of(const std::string& key) const { return folder_ / (key + ".cubin"); }

std::optional<CompiledKernel> CubinCache::find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  try {
    const std::string text = read_whole_file(file_of(key));
    const size_t first = text.find('\n');
    if (first == std::string::npos) return std::nullopt;
    const std::string content = text.substr(first + 1);
    if (text.substr(0, first) != checksum_of(key, content)) return std::nullopt;
    const size_t end = content.find('\n');
    if (end == std::string::npos) return std::nullopt;
    const Json header = parse_json(content.substr(0, end), key);
    return kernel_of(JsonField(header), content.substr(end + 1));
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

void CubinCache::store(const std::string& key, const CompiledKernel& kernel) const {
  if (folder_.empty()) return;
  try {
    const std::string content = header_of(kernel).dump() + "\n" + kernel.cubin;
    // Files are checked against their checksum when they are read, so nothing need be synced.
    write_file_atomically(file_of(key), checksum_of(key, content) + "\n" + content, Sync::no);
  } catch (const EnvironmentError&) {
    // costs time only; alsbench doctor says so
  }
}

}  // namespace alsbench
