// SPDX-License-Identifier: Apache-2.0
// The disk cache of compiled kernels: one file per key. Files are written to a temporary name and
// renamed, so concurrent processes see whole files. A damaged file counts as absent. Where there is
// no folder for it, the process keeps its kernels in memory.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "harness/device/cuda_backend.h"

namespace alsbench {

class CubinCache {
 public:
  CubinCache();  // <cache folder>/cubin

  std::optional<CompiledKernel> find(const std::string& key) const;
  // A cache that cannot be written costs time, not the run: failures are ignored.
  void store(const std::string& key, const CompiledKernel& kernel) const;

 private:
  std::filesystem::path file_of(const std::string& key) const;

  std::filesystem::path folder_;  // empty: memory
};

void describe(Fields<CompiledKernel>& fields);  // what a file says of its machine code

// A compiled kernel as the content of a file: in the disk cache, and in a pack.
std::string kernel_file(const std::string& key, const CompiledKernel& kernel);
// Nothing where the content is damaged or belongs to another key.
std::optional<CompiledKernel> read_kernel_file(const std::string& key, const std::string& content);

}  // namespace alsbench
