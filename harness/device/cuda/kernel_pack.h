// SPDX-License-Identifier: Apache-2.0
// KernelPack: kernels that were compiled when the program was built and travel with it, so the
// first training on a machine compiles nothing. A zip file of kernel files. Kernels are found by a
// hash of their sources and options, so a pack of another version of the program finds none.
// Where its name ends in .zst, members are stored and zstd has compressed the whole: kernels are
// much alike, so it is half as long, and the first look-up unpacks all of it.
#pragma once

#include <zip.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "harness/device/cuda_backend.h"
#include "harness/files/zip_archive.h"

namespace alsbench {

class KernelPack {
 public:
  // Throws EnvironmentError, which names the file, where it is no pack.
  explicit KernelPack(const std::string& path);

  // The pack beside this program. Null where it has none, or a damaged one.
  static const KernelPack* current();
  // Throws EnvironmentError where the file cannot be written. Kernels by their keys.
  static void write(const KernelPackInfo& info,
                    const std::map<std::string, const CompiledKernel*>& kernels);

  // Whether this machine's driver is as new as the compiler.
  bool runs_here() const { return runs_here_; }

  // From any thread.
  std::optional<CompiledKernel> find(const std::string& key) const;
  const KernelPackInfo& info() const { return info_; }

 private:
  std::optional<std::string> entry(const std::string& name) const;

  std::string archive_;  // the bytes of the zip file
  ZipArchive zip_{nullptr, zip_discard};
  mutable std::mutex reading_;
  KernelPackInfo info_;
  bool runs_here_ = false;
};

}  // namespace alsbench
