#include "harness/files/cache_folder.h"

#include <cstdlib>

namespace alsbench {

std::filesystem::path cache_folder() {
  const auto value = [](const char* name) -> std::filesystem::path {
    const char* text = std::getenv(name);
    return text == nullptr ? "" : text;
  };
  if (const auto own = value("ALSBENCH_CACHE_DIR"); !own.empty()) return own;
  if (const auto xdg = value("XDG_CACHE_HOME"); !xdg.empty()) return xdg / "alsbench";
  if (const auto home = value("HOME"); !home.empty()) return home / ".cache" / "alsbench";
  return {};
}

}  // namespace alsbench
