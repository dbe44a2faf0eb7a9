// SPDX-License-Identifier: Apache-2.0
#include "harness/files/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "base/listing.h"
#include "harness/files/atomic_file.h"
#include "harness/files/file_descriptor.h"
#include "harness/files/other_kinds.h"
#include "harness/files/piped_table.h"
#include "harness/files/unpack.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStandardInput = "/dev/stdin";
// How the CSV of a table ends that python/alsbench/arrow.py could not read.
constexpr std::string_view kNotWhole = "\nthis is not the whole: reading failed\n";

bool is_file(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none);
}

ReadBytes pipe_reader(const fs::path& path, const fs::path& pipe) {
  // The standard input may be a socket, which cannot be opened by its name.
  const auto file = std::make_shared<FileDescriptor>(
      pipe == kStandardInput ? FileDescriptor(::dup(STDIN_FILENO)) : open_to_read(pipe.c_str()));
  if (!*file)
    throw UsageError(
        fmt::format("{}: {}; give a file that can be read", path.string(), std::strerror(errno)));
  constexpr int kPipeBytes = 1 << 20;
  ::fcntl(file->get(), F_SETPIPE_SZ, kPipeBytes);  // fewer switches where it is allowed
  return [file, path](char* to, size_t room) {
    while (true) {
      const ssize_t got = ::read(file->get(), to, room);
      if (got >= 0) return static_cast<size_t>(got);
      if (errno != EINTR)
        throw UsageError(fmt::format("{}: {}; give a file that can be read", path.string(),
                                     std::strerror(errno)));
    }
  };
}

// All that a pipe gave when it was first opened. `path` is what messages call it.
std::shared_ptr<const MappedFile> read_pipe(const fs::path& path, const fs::path& pipe) {
  static std::mutex mutex;
  static std::map<fs::path, std::shared_ptr<const MappedFile>> read;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const MappedFile>& bytes = read[pipe];
  if (!bytes) {
    bytes = MappedFile::filled(path, pipe_reader(path, pipe), kWholeInput);
    if (const PipedTable* table = piped_table(path)) check_read_to_end(path, *table);
    if (bytes->text().ends_with(kNotWhole))
      throw UsageError(fmt::format(
          "{}: is not the whole, since what writes it failed; see its message", path.string()));
  }
  if (bytes->text().empty())
    throw UsageError(fmt::format(
        "{}: it is a pipe that nobody writes into; name a file, or start what writes it first",
        path.string()));
  return bytes;
}

bool ends_in(const std::string& member, const std::string& end) {
  return member == end || member.ends_with("/" + end);
}

// The one member that `fits`; empty where there is none, or several.
template <class Fits>
std::string only(const std::vector<std::string>& members, const Fits& fits) {
  const auto first = std::find_if(members.begin(), members.end(), fits);
  if (first == members.end() || std::find_if(first + 1, members.end(), fits) != members.end())
    return "";
  return *first;
}

// MovieLens calls its ratings so, among files of movies, tags and users.
bool is_called_ratings(const std::string& member) {
  const fs::path name = fs::path(member).filename();
  return name.stem() == "ratings" || name == "u.data";
}

// Whether macOS added the member to an archive.
bool is_of_macos(const std::string& member) {
  const fs::path name = fs::path(member).filename();
  return member.starts_with("__MACOSX/") || name == ".DS_Store" || name.string().starts_with("._");
}

// The member that is asked for by the end of its name, or else the only one, or MovieLens's.
std::string chosen_member(const InputPath& path, std::string_view archive) {
  std::vector<std::string> members = zip_members(path.file, archive);
  std::erase_if(members, is_of_macos);
  refuse_workbook(path.file, members);
  const std::string& wanted = path.member;
  std::string chosen =
      only(members, [&](const std::string& member) { return wanted.empty() || member == wanted; });
  if (chosen.empty())
    chosen = only(members, [&](const std::string& member) {
      return wanted.empty() ? is_called_ratings(member) : ends_in(member, wanted);
    });
  if (!chosen.empty()) return chosen;
  if (members.empty())
    throw UsageError(
        fmt::format("{}: the archive is empty; give one with ratings", path.file.string()));
  constexpr size_t kShown = 10;
  for (std::string& member : members) member = (path.file / member).string();
  throw UsageError(fmt::format(
      "{}: {}; name one: {}", path.file.string(),
      wanted.empty() ? fmt::format("the archive holds {} files", members.size())
                     : fmt::format("no member, or more than one, is called '{}'", wanted),
      listing(members, kShown)));
}

// Whether numpy wrote the archive: its members are arrays, and the first one tells.
bool is_npz(std::string_view archive) {
  constexpr size_t kLength = 26, kName = 30;  // in the header of a member
  if (archive.size() < kName) return false;
  uint16_t length = 0;
  std::memcpy(&length, archive.data() + kLength, sizeof length);
  return archive.substr(kName, length).ends_with(".npy");
}

}  // namespace

InputPath input_path(const fs::path& path) {
  if (path == "-") return {kStandardInput, kStandardInput};
  if (const PipedTable* table = piped_table(path))
    return {fmt::format("/dev/fd/{}", table->pipe), path};
  std::error_code none;
  if (fs::exists(path, none)) return {path, path};
  for (fs::path archive = path.parent_path(); archive.has_relative_path();
       archive = archive.parent_path())
    if (is_file(archive)) return {archive, archive, path.lexically_relative(archive).string()};
  return {path, path};
}

bool is_input_folder(const fs::path& path) {
  return piped_table(path) == nullptr && fs::is_directory(path);
}

bool is_input_stream(const fs::path& path) { return is_stream(input_path(path).file); }

void check_input(const fs::path& path) {
  const fs::path file = input_path(path).file;
  std::error_code none;
  if (!is_stream(file) || fs::is_fifo(file, none) || file == kStandardInput) return;
  throw UsageError(
      fmt::format("{}: is neither a file, a folder nor a pipe; write it into a file and give that",
                  path.string()));
}

InputFile open_input(const fs::path& path, size_t most) {
  const InputPath source = input_path(path);
  const auto bytes =
      is_stream(source.file) ? read_pipe(source.name, source.file) : MappedFile::open(source.file);
  const std::string_view text = bytes->text();
  fs::path name = source.name;
  ReadBytes unpack;
  const char* command = nullptr;  // that unpacks the file
  if (is_gzip(text)) {
    unpack = gzip_reader(name, text);
    command = "zcat";
  } else if (is_zstd(text)) {
    unpack = zstd_reader(name, text);
    command = "zstdcat";
  } else if (is_zip(text) && !is_npz(text)) {
    const std::string member = chosen_member(source, text);
    name /= member;
    unpack = zip_reader(source.file, text, member);
    command = "unzip -p";
  }
  if (!source.member.empty() && name == source.name)
    throw UsageError(fmt::format("{}: is no zip archive, so it has no member '{}'; give its name",
                                 name.string(), source.member));
  InputFile file{name, unpack ? MappedFile::filled(name, unpack, most) : bytes};
  refuse_other_kinds(source.name, file.bytes->text(), command);
  return file;
}

}  // namespace alsbench
