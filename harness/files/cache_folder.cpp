// SPDX-License-Identifier: Apache-2.0
#include "harness/files/cache_folder.h"

#include <cstdlib>

namespace alsbench {
namespace {

std::filesystem::path folder_named_by(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? "" : text;
}

}  // namespace

std::filesystem::path cache_folder() {
  if (const auto own = folder_named_by("ALSBENCH_CACHE_DIR"); !own.empty()) return own;
  if (const auto xdg = folder_named_by("XDG_CACHE_HOME"); !xdg.empty()) return xdg / "alsbench";
  if (const auto home = folder_named_by("HOME"); !home.empty()) return home / ".cache" / "alsbench";
  return {};
}

std::filesystem::path data_folder() {
  if (const auto xdg = folder_named_by("XDG_DATA_HOME"); !xdg.empty()) return xdg / "alsbench";
  if (const auto home = folder_named_by("HOME"); !home.empty())
    return home / ".local" / "share" / "alsbench";
  return {};
}

}  // namespace alsbench
