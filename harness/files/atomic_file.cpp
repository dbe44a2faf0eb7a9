#include "harness/files/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <system_error>

#include "harness/files/file_descriptor.h"
#include "variants/error.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_system_error() { throw std::runtime_error(std::strerror(errno)); }

void sync_file(const fs::path& path) {
  const FileDescriptor fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd || fsync(fd.get()) != 0) throw_system_error();
}

// The folder's entry must be on disk too, or the rename may be lost with the power.
void sync_folder(const fs::path& folder) {
  const FileDescriptor fd(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd) fsync(fd.get());
}

// No other thread or process writes under this name.
fs::path temporary_name(const fs::path& path) {
  static std::atomic<int> counter{0};
  fs::path temporary = path;
  temporary += fmt::format(".{}.{}.tmp", getpid(), ++counter);
  return temporary;
}

}  // namespace

void replace_file(const fs::path& path, const std::function<void(const fs::path&)>& write,
                  Sync sync) {
  const fs::path temporary = temporary_name(path);
  try {
    write(temporary);
    if (sync == Sync::yes) sync_file(temporary);
    if (std::rename(temporary.c_str(), path.c_str()) != 0) throw_system_error();
  } catch (const std::exception& error) {
    unlink(temporary.c_str());
    throw EnvironmentError(
        fmt::format("cannot write '{}': {}; choose a writable folder with free space",
                    path.string(), error.what()));
  }
  if (sync == Sync::yes) sync_folder(path.parent_path());
}

void replace_stream(const fs::path& path, const std::function<void(std::ofstream&)>& write,
                    Sync sync) {
  const auto write_stream = [&](const fs::path& temporary) {
    std::ofstream stream;
    stream.exceptions(std::ios::failbit | std::ios::badbit);
    try {
      stream.open(temporary, std::ios::binary | std::ios::trunc);
      write(stream);
      stream.close();
    } catch (const std::ios::failure&) {
      throw_system_error();  // the stream does not say why
    }
  };
  replace_file(path, write_stream, sync);
}

void write_file_atomically(const fs::path& path, std::string_view content, Sync sync) {
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  const auto write = [&](std::ofstream& stream) {
    stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  };
  replace_stream(path, write, sync);
}

std::string read_whole_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || fs::is_directory(path))
    throw UsageError(fmt::format("cannot read '{}': {}", path.string(), std::strerror(errno)));
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace alsbench
