// SPDX-License-Identifier: Apache-2.0
// The text of every kernel source by its path from the repository's root. Sources are embedded in
// the binary, or read from $ALSBENCH_KERNEL_DIR while editing: the root or its kernels folder.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/files/embedded.h"

namespace alsbench {

class KernelSources {
 public:
  // The embedded ones are always the same object. Throws UsageError when $ALSBENCH_KERNEL_DIR names
  // no such folder.
  static std::shared_ptr<const KernelSources> current();

  // Files that a program has besides; before the first call of current().
  static void add(const std::vector<EmbeddedFile>& files);

  // A file by the name that an #include gives it: its path, or what is relative to the file that
  // includes it.
  struct Included {
    std::string name, path;
    bool operator==(const Included&) const = default;
  };
  // `path` and every file it includes, directly or not, in the order found; unknown names (which
  // are the compiler's to report) left out. Throws CompileError when `path` itself is unknown.
  std::vector<Included> reachable(const std::string& path) const;
  bool contains(const std::string& path) const { return files_.contains(path); }
  const std::string& text(const std::string& path) const { return files_.at(path); }

 private:
  void take(const std::vector<EmbeddedFile>& files);
  static KernelSources embedded();

  std::map<std::string, std::string> files_;
};

}  // namespace alsbench
