// SPDX-License-Identifier: Apache-2.0
#include "harness/files/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <list>
#include <optional>
#include <system_error>

#include "base/error.h"
#include "harness/files/file_content.h"
#include "harness/files/file_lock.h"
#include "harness/files/link_target.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_system_error() {
  throw std::system_error(std::error_code(errno, std::generic_category()));
}

void sync_file(const fs::path& path) {
  const FileDescriptor fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd || !sync_to_disk(fd.get())) throw_system_error();
}

// Where this process's number means this process: the host, and its name space of processes, which
// a container has of its own.
const std::string& process_space() {
  static const std::string space = [] {
    std::array<char, 256> host{};
    const bool named = gethostname(host.data(), host.size() - 1) == 0;
    struct stat numbers {};
    stat("/proc/self/ns/pid", &numbers);
    return fmt::format("{}-{:x}", named ? host.data() : "host", numbers.st_ino);
  }();
  return space;
}

// No other thread or process writes under this name: "b.json.SPACE.PID.COUNTER.tmp".
fs::path temporary_name(const fs::path& path) {
  static std::atomic<int> counter{0};
  fs::path temporary = path;
  temporary += fmt::format(".{}.{}.{}{}", process_space(), getpid(), ++counter, kTemporaryEnding);
  return temporary;
}

// The temporary files and folders being written, where a signal handler finds them.
struct Writing {
  std::atomic<bool> taken{false}, named{false};
  std::array<char, PATH_MAX> path{};
};
std::array<Writing, 16> all_writing;

// Names a temporary file to remove_unfinished_writes for as long as it lives; one more than there
// are places is not named.
class NamedWriting {
 public:
  explicit NamedWriting(const fs::path& path) {
    const std::string& text = path.native();
    for (Writing& place : all_writing) {
      if (text.size() >= place.path.size() || place.taken.exchange(true)) continue;
      place_ = &place;
      std::copy_n(text.c_str(), text.size() + 1, place.path.begin());
      place.named = true;
      return;
    }
  }
  ~NamedWriting() {
    if (place_ == nullptr) return;
    place_->named = false;
    place_->taken = false;
  }
  NamedWriting(const NamedWriting&) = delete;
  NamedWriting& operator=(const NamedWriting&) = delete;

 private:
  Writing* place_ = nullptr;
};

// Cuts ".NUMBER" off the end of `name`; 0 where it does not end so.
pid_t cut_number(std::string_view& name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return 0;
  pid_t number = 0;
  const char* end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + dot + 1, end, number);
  if (error != std::errc() || rest != end) return 0;
  name.remove_suffix(name.size() - dot);
  return number;
}

// Whether `name` is that of a temporary file whose process was in this one's space, and has ended.
bool is_left_over(std::string_view name) {
  if (!name.ends_with(kTemporaryEnding)) return false;
  name.remove_suffix(kTemporaryEnding.size());
  if (cut_number(name) <= 0) return false;
  const pid_t process = cut_number(name);
  return process > 0 && name.ends_with("." + process_space()) && kill(process, 0) != 0 &&
         errno == ESRCH;
}

// Files that killed processes left unfinished in `folder`.
void remove_stale_files(const fs::path& folder) {
  std::error_code ignored;  // tidying must not fail a write
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, ignored), end; entry != end;
       entry.increment(ignored))
    if (is_left_over(entry->path().filename().native())) fs::remove_all(*entry, ignored);
}

// Where a symbolic link leads, so the link stays.
fs::path target_of(const fs::path& path) {
  std::error_code none;
  return fs::is_symlink(fs::symlink_status(path, none)) ? link_target(path) : path;
}

// Those of the file that will be replaced, where there is one: what is private stays private.
void take_permissions(const fs::path& temporary, const fs::path& target) {
  std::error_code none;
  const fs::file_status old = fs::status(target, none);
  if (fs::is_regular_file(old)) fs::permissions(temporary, old.permissions(), none);
}

// The temporary file of a private one is private from its first byte on.
void begin_like(const fs::path& temporary, const fs::path& target) {
  struct stat old {};
  if (stat(target.c_str(), &old) != 0 || !S_ISREG(old.st_mode)) return;
  unlink(temporary.c_str());  // of an ended process that had this one's number
  constexpr mode_t kAll = S_IRWXU | S_IRWXG | S_IRWXO;
  const FileDescriptor fd(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                               (old.st_mode & kAll) | S_IWUSR));
  if (!fd) throw_system_error();
}

[[noreturn]] void throw_cannot_write(const fs::path& path, const std::exception& error) {
  throw EnvironmentError(
      fmt::format("cannot write '{}': {}; choose a writable folder with free space", path.string(),
                  error.what()));
}

// A pipe or a device: what replacing would destroy.
void write_through(const fs::path& path, const std::function<void(const fs::path&)>& write) {
  try {
    write(path);
  } catch (const std::exception& error) {
    const auto* const failed = dynamic_cast<const std::system_error*>(&error);
    if (failed != nullptr && failed->code() == std::errc::broken_pipe)
      throw EnvironmentError(fmt::format(
          "cannot write '{}': the program that read this pipe has ended; start both again",
          path.string()));
    throw_cannot_write(path, error);
  }
}

// A file that is written from its beginning to its end. Where it will be synced, the disk is given
// work early: the sync then waits for the last part alone.
class GrowingFile {
 public:
  GrowingFile(const fs::path& path, Sync sync)
      : file_(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                   S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH)),
        early_(sync == Sync::yes) {
    if (!file_) throw_system_error();
  }
  void append(std::string_view text) {
    if (!write_fully(file_.get(), text)) throw_system_error();
    size_ += std::ssize(text);
    constexpr off_t kPart = off_t{8} << 20;
    if (!early_ || size_ - given_ < kPart) return;
    // Pipes and some disks refuse.
    early_ = sync_file_range(file_.get(), given_, size_ - given_, SYNC_FILE_RANGE_WRITE) == 0;
    given_ = size_;
  }
  // Some disks say only now that they are full.
  void close() {
    if (::close(file_.release()) != 0) throw_system_error();
  }

 private:
  FileDescriptor file_;
  bool early_;
  off_t size_ = 0, given_ = 0;  // bytes that are written, and those that the disk was given
};

void write_content(const fs::path& path, const FileContent& content, Sync sync) {
  GrowingFile file(path, sync);
  content([&](std::string_view text) { file.append(text); });
  file.close();
}

// A new file next to the one that it will replace, or none for a stream, which is written at once.
// Removed where it replaces nothing.
class StagedFile {
 public:
  StagedFile(const fs::path& path, const std::function<void(const fs::path&)>& write, Sync sync)
      : path_(path), sync_(sync) {
    if (is_stream(path)) {
      write_through(path, write);
      return;
    }
    target_ = target_of(path);
    // Not in caches of thousands of small files.
    if (sync == Sync::yes) remove_stale_files(target_.parent_path());
    temporary_ = temporary_name(target_);
    named_.emplace(temporary_);
    try {
      begin_like(temporary_, target_);
      write(temporary_);
      take_permissions(temporary_, target_);
      if (sync == Sync::yes) sync_file(temporary_);
    } catch (const std::exception& error) {
      unlink(temporary_.c_str());
      throw_cannot_write(path, error);
    }
  }
  ~StagedFile() {
    if (!temporary_.empty()) unlink(temporary_.c_str());
  }
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  void replace() {
    if (temporary_.empty()) return;
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0)
      throw_cannot_write(path_, std::runtime_error(std::strerror(errno)));
    temporary_.clear();
    if (sync_ == Sync::yes) sync_folder(target_.parent_path());
  }

 private:
  fs::path path_, target_, temporary_;
  Sync sync_;
  std::optional<NamedWriting> named_;
};

// Whether a new folder of `files` may take the place of theirs: it is one folder that holds nothing
// else, on the disk of the folder above it, and nobody works in it that this process knows of.
bool may_swap(const fs::path& folder, const std::vector<NewFile>& files) {
  const auto is_ours = [&](const fs::path& path) {
    return std::any_of(files.begin(), files.end(), [&](const NewFile& file) {
      return file.path.filename() == path.filename();
    });
  };
  for (const NewFile& file : files)
    if (file.path.parent_path() != folder) return false;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (!is_ours(entry.path()) || !fs::is_regular_file(entry.symlink_status())) return false;
  struct stat here {
  }, above{};
  if (stat(folder.c_str(), &here) != 0 || stat((folder / "..").c_str(), &above) != 0) return false;
  return !error && here.st_dev == above.st_dev && !fs::equivalent(folder, fs::current_path());
}

// A new folder next to the one that it will replace.
class StagedFolder {
 public:
  StagedFolder(const fs::path& folder, const std::vector<NewFile>& files)
      : target_(fs::canonical(folder)) {
    remove_stale_files(target_.parent_path());
    temporary_ = temporary_name(target_);
    named_.emplace_back(temporary_);
    if (mkdir(temporary_.c_str(), S_IRWXU) != 0) temporary_.clear();  // it may not be made there
    if (temporary_.empty()) return;
    for (const NewFile& file : files) add(file);
    std::error_code ignored;
    fs::permissions(temporary_, fs::status(target_, ignored).permissions(), ignored);
    sync_folder(temporary_);
  }
  ~StagedFolder() { remove(); }
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  // Both exchange their names at one instant. False where the disk's format cannot do that.
  bool replace(FolderLock* lock) {
    if (temporary_.empty()) return false;
    if (lock != nullptr) lock->extend_to(temporary_);
    if (renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) != 0)
      return false;
    sync_folder(target_.parent_path());
    return true;
  }

 private:
  void add(const NewFile& file) {
    const fs::path path = temporary_ / file.path.filename();
    named_.emplace_back(path);
    try {
      write_content(path, file.content, Sync::yes);
      take_permissions(path, file.path);
      sync_file(path);
    } catch (const std::exception& error) {
      remove();
      throw_cannot_write(file.path, error);
    }
  }

  void remove() {
    std::error_code ignored;
    if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
    temporary_.clear();
  }

  fs::path target_, temporary_;
  std::list<NamedWriting> named_;
};

}  // namespace

bool is_stream(const fs::path& path) {
  std::error_code none;
  const fs::file_status status = fs::status(path, none);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

void sync_folder(const fs::path& folder) {
  const FileDescriptor fd(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd) sync_to_disk(fd.get());  // some file systems refuse it for folders
}

void replace_file(const fs::path& path, const std::function<void(const fs::path&)>& write,
                  Sync sync) {
  StagedFile(path, write, sync).replace();
}

void remove_unfinished_writes() noexcept {
  for (const Writing& place : all_writing)
    if (place.named) unlink(place.path.data());
  for (const Writing& place : all_writing)  // a folder, when its files are gone
    if (place.named) rmdir(place.path.data());
}

void replace_content(const fs::path& path, const FileContent& content, Sync sync) {
  replace_file(
      path, [&](const fs::path& temporary) { write_content(temporary, content, sync); }, sync);
}

void replace_together(const std::vector<NewFile>& files, FolderLock* lock) {
  if (files.empty()) return;
  const fs::path folder = files.front().path.parent_path();
  if (may_swap(folder, files) && StagedFolder(folder, files).replace(lock)) return;
  std::list<StagedFile> staged;
  for (const NewFile& file : files)
    staged.emplace_back(
        file.path,
        [&](const fs::path& temporary) { write_content(temporary, file.content, Sync::yes); },
        Sync::yes);
  std::error_code ignored;  // where it cannot be removed, the first cannot be replaced
  fs::remove(files.back().path, ignored);
  for (StagedFile& file : staged) file.replace();
}

void check_writable(const fs::path& path) {
  if (is_stream(path)) return;
  std::error_code none;
  fs::path folder = link_target(path).parent_path();
  while (!fs::exists(folder, none) && folder.has_relative_path()) folder = folder.parent_path();
  std::error_code error;
  if (!fs::is_directory(folder, none))
    error = std::make_error_code(std::errc::not_a_directory);
  else if (access(folder.c_str(), W_OK | X_OK) != 0)
    error = std::error_code(errno, std::generic_category());
  if (error) throw_cannot_write(path, std::system_error(error));
}

void write_file_atomically(const fs::path& path, std::string_view content, Sync sync) {
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error) throw_cannot_write(path, std::system_error(error));
  replace_content(
      path, [&](const WriteText& write) { write(content); }, sync);
}

void check_document_length(const fs::path& path, size_t bytes) {
  constexpr size_t kMaxValue = size_t{1} << 30;
  if (bytes > kMaxValue)
    throw UsageError(
        fmt::format("cannot read '{}': it is longer than any document, 1 GiB; name another file",
                    path.string()));
}

std::string read_whole_file(const fs::path& path) {
  if (fs::is_directory(path))
    throw UsageError(fmt::format("'{}' is a folder; name a file in it", path.string()));
  const auto fail = [&](const char* why) {
    return UsageError(fmt::format("cannot read '{}': {}", path.string(), why));
  };
  const FileDescriptor file = open_to_read(path.c_str());
  if (!file) throw fail(std::strerror(errno));
  struct stat status {};
  if (fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode))
    check_document_length(path, static_cast<size_t>(status.st_size));
  std::string text;
  std::array<char, 1 << 16> piece;
  for (ssize_t got = 0; (got = read(file.get(), piece.data(), piece.size())) != 0;) {
    if (got < 0 && errno != EINTR) throw fail(std::strerror(errno));
    if (got > 0) text.append(piece.data(), static_cast<size_t>(got));
    check_document_length(path, text.size());
  }
  if (text.empty() && is_pipe(file))
    throw fail("it is a pipe that nobody writes into; name a file");
  return text;
}

}  // namespace alsbench
