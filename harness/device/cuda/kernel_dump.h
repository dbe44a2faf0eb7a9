// SPDX-License-Identifier: Apache-2.0
// KernelDump: the files that ALSBENCH_DUMP asks for of each kernel, for reading its code. PTX is as
// NVRTC wrote it, and SASS as nvdisasm reads it from the cubin. They go into the folder
// alsbench-dump of the current one.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/device/cuda_backend.h"

namespace alsbench {

class KernelDump {
 public:
  // `kinds` as ALSBENCH_DUMP has them: "ptx", "sass" or both with a comma. Throws UsageError for
  // another kind, EnvironmentError where SASS is asked for and nvdisasm is missing.
  explicit KernelDump(const std::string& kinds);
  // Of the environment, read once.
  static const KernelDump& current();

  bool is_off() const { return kinds_.empty(); }
  // Whether the files of this kernel are still to be written. `key` is that of the cubin cache.
  bool lacks(const CompileRequest& request, const std::string& key) const;
  // Throws CompileError where a file cannot be written.
  void write(const CompileRequest& request, const std::string& key, const std::string& ptx,
             const std::string& cubin) const;

 private:
  std::vector<std::string> kinds_;
};

}  // namespace alsbench
