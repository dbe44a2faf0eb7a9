// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/kernel_file.h"

#include <utility>

#include "base/error.h"
#include "harness/files/hash.h"
#include "harness/files/strict_json.h"
#include "harness/record/json.h"

namespace alsbench {
namespace {

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

std::string kernel_file(const std::string& key, const CompiledKernel& kernel) {
  const std::string content = header_of(kernel).dump() + "\n" + kernel.cubin;
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
    return kernel_of(JsonField(header), checked.substr(end + 1));
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

}  // namespace alsbench
