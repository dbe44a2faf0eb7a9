// SPDX-License-Identifier: Apache-2.0
#include "harness/files/link_target.h"

#include <fmt/format.h>

#include "base/error.h"

namespace alsbench {

namespace fs = std::filesystem;

fs::path link_target(const fs::path& path) {
  std::error_code none;
  fs::path target = fs::absolute(path, none);
  constexpr int kMaxLinks = 40;  // as many as Linux follows
  for (int i = 0; fs::is_symlink(fs::symlink_status(target, none)); ++i) {
    if (i == kMaxLinks)
      throw UsageError(fmt::format("cannot use '{}': its links lead in a circle; give another name",
                                   path.string()));
    target = target.parent_path() / fs::read_symlink(target, none);
  }
  const fs::path canonical = fs::weakly_canonical(target, none);
  return none ? target.lexically_normal() : canonical;
}

}  // namespace alsbench
