// SPDX-License-Identifier: Apache-2.0
#include "harness/files/cache_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <system_error>

#include "base/message.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

std::filesystem::path folder_named_by(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? "" : text;
}

// For this user alone; a folder that is there stays as it is.
void make_private(const fs::path& folder) {
  std::error_code ignored;  // who writes into it says what is wrong
  if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), ignored);
  mkdir(folder.c_str(), S_IRWXU);
}

// A folder that is not there yet belongs to nobody else.
bool is_private(const fs::path& folder) {
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0) return true;
  return status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

fs::path named_cache_folder() {
  if (const auto own = folder_named_by("ALSBENCH_CACHE_DIR"); !own.empty()) return own;
  if (const auto xdg = folder_named_by("XDG_CACHE_HOME"); !xdg.empty()) return xdg / "alsbench";
  if (const auto home = folder_named_by("HOME"); !home.empty()) return home / ".cache" / "alsbench";
  return {};
}

fs::path named_data_folder() {
  if (const auto xdg = folder_named_by("XDG_DATA_HOME"); !xdg.empty()) return xdg / "alsbench";
  if (const auto home = folder_named_by("HOME"); !home.empty())
    return home / ".local" / "share" / "alsbench";
  return {};
}

// Purpose of a folder, in the words of the note.
struct Use {
  const char* refusal;
  const char* content;
  const char* variable;
};

// The folder, or nothing and once a note that names it.
fs::path where_private(const fs::path& folder, const Use& use, std::once_flag& noted) {
  if (folder.empty() || is_private(folder)) return folder;
  std::call_once(noted, [&] {
    print_message(
        "{}: {} holds {}, and others may write it; make it yours alone (chown, chmod go-w), "
        "or set {}\n",
        use.refusal, folder.string(), use.content, use.variable);
  });
  return {};
}

}  // namespace

std::filesystem::path cache_folder() {
  static std::once_flag noted;
  const fs::path folder = named_cache_folder();
  if (!folder.empty()) make_private(folder);
  return where_private(folder, {"not cached", "code that is run", "ALSBENCH_CACHE_DIR"}, noted);
}

std::filesystem::path data_folder() {
  static std::once_flag noted;
  return where_private(named_data_folder(), {"not used", "what was tuned here", "XDG_DATA_HOME"},
                       noted);
}

std::filesystem::path made_data_folder() {
  if (const fs::path folder = named_data_folder(); !folder.empty()) make_private(folder);
  return data_folder();
}

}  // namespace alsbench
