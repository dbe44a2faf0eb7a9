// SPDX-License-Identifier: Apache-2.0
// The cache of rating sets: one set file a request, mapped. It appears complete or not at all, so
// concurrent writers do no harm.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "base/message.h"
#include "harness/data/dataset.h"
#include "harness/data/generator_spec.h"
#include "harness/data/set_file.h"
#include "harness/files/cache_folder.h"
#include "harness/files/hash.h"
#include "harness/files/input_file.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

// Raised with every change of the loaders' results or of the generator.
constexpr uint32_t kVersion = 5;

// Absolute name, number, size and times of a file, or of every file of a folder. Who sets the time
// of writing changes that of the status.
std::string identity_of(const fs::path& path) {
  if (path.empty()) return "";
  std::error_code error;
  std::vector<fs::path> files{input_path(path).file};
  if (fs::is_directory(path, error)) {
    files.clear();
    for (const auto& entry : fs::directory_iterator(path)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
  }
  std::string identity = fs::absolute(path).string();
  for (const fs::path& file : files) {
    struct stat status {};
    if (stat(file.c_str(), &status) != 0) continue;
    identity += fmt::format("|{}:{}:{}:{}.{}:{}.{}", file.filename().string(), status.st_ino,
                            status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
                            status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
  }
  return identity;
}

std::string key_of(const DataRequest& request) {
  const std::string source = request.path.empty()
                                 ? dataset_spec(request.dataset).content_hash
                                 : identity_of(request.path) + identity_of(request.test_path);
  const std::string text = fmt::format(
      "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", kVersion, kSetFileVersion, request.dataset,
      source, request.scale, request.format, request.columns,
      request.test_path.empty() ? request.test_fraction : 0.0, name_of(request.split_by),
      request.seed, static_cast<int>(request.duplicates), request.uniform_row_length,
      request.empty_rows, request.empty_cols, request.keep_times, request.path.string());
  return hash_bytes(text.data(), static_cast<int64_t>(text.size()));
}

}  // namespace

RatingSet cached_rating_set(const DataRequest& request, const DrawTarget& on) {
  // A set file is mapped where it lies, and sizes are no set.
  const bool direct =
      request.has_sizes() ||
      (request.dataset.empty() && (is_set_file(request.path) || is_input_stream(request.path) ||
                                   is_input_stream(request.test_path)));
  if (direct || cache_folder().empty()) return load_rating_set(request, on);
  const fs::path folder = cache_folder() / "data";
  const fs::path path = folder / (key_of(request) + ".alsset");
  if (fs::exists(path)) {
    try {
      return read_set_file(path);
    } catch (const UsageError& error) {
      print_message("a cached set is rebuilt: {}\n", error.what());
      std::error_code ignored;  // the write says what is wrong
      fs::remove(path, ignored);
    }
  }
  RatingSet set = load_rating_set(request, on);
  try {
    fs::create_directories(folder);
    write_set_file(path, set, Sync::no);  // its hashes are checked when it is read
  } catch (const std::exception& error) {
    print_message("not cached: {}; or set ALSBENCH_CACHE_DIR\n", error.what());
  }
  return set;
}

}  // namespace alsbench
