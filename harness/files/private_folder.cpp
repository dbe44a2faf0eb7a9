// SPDX-License-Identifier: Apache-2.0
#include "harness/files/private_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <system_error>

#include "base/error.h"
#include "harness/files/file_lock.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUnique = "XXXXXX";
constexpr time_t kYoungSeconds = 60;  // its owner may not have locked it yet

FileDescriptor open_folder(const fs::path& path) {
  return FileDescriptor(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

// Whether it is this user's, and nobody holds it. A file system without locks does not tell.
bool is_abandoned(const fs::path& path) {
  const FileDescriptor folder = open_folder(path);
  struct stat info {};
  return folder && fstat(folder.get(), &info) == 0 && info.st_uid == geteuid() &&
         std::time(nullptr) - info.st_mtime > kYoungSeconds &&
         flock(folder.get(), LOCK_EX | LOCK_NB) == 0;
}

void remove_abandoned(const fs::path& parent, const std::string& begin) {
  std::error_code gone;
  for (auto at = fs::directory_iterator(parent, gone); !gone && at != fs::directory_iterator();
       at.increment(gone)) {
    const std::string name = at->path().filename().string();
    const bool named_so =
        name.starts_with(begin) && name.size() == begin.size() + std::strlen(kUnique);
    std::error_code ignored;
    if (named_so && is_abandoned(at->path())) fs::remove_all(at->path(), ignored);
  }
}

}  // namespace

PrivateFolder::PrivateFolder(const std::string& purpose) {
  const std::string begin = fmt::format("alsbench-{}-", purpose);
  const fs::path parent = fs::temp_directory_path();
  remove_abandoned(parent, begin);
  std::string name = (parent / (begin + kUnique)).string();
  if (mkdtemp(name.data()) == nullptr)
    throw EnvironmentError(fmt::format("cannot make a folder {}: {}; set TMPDIR to a writable one",
                                       name, std::strerror(errno)));
  path_ = name;
  held_ = open_folder(path_);
  take_lock(held_);
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;  // what a program made unreadable stays
  fs::remove_all(path_, ignored);
}

}  // namespace alsbench
