// SPDX-License-Identifier: Apache-2.0
// The cache of rating sets: one set file a request, mapped. It appears complete or not at all, so
// concurrent writers do no harm.
#include <fmt/format.h>
#include <omp.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <system_error>
#include <utility>
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
constexpr uint32_t kVersion = 7;

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
      "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", kVersion, kSetFileVersion,
      request.dataset, source, request.scale, request.format, request.columns, request.values,
      request.test_path.empty() ? request.test_fraction : 0.0, name_of(request.split_by),
      request.seed, static_cast<int>(request.duplicates), request.uniform_row_length,
      request.empty_rows, request.empty_cols, request.keep_times, request.path.string());
  return hash_bytes(text.data(), static_cast<int64_t>(text.size()));
}

// Where the cache has the set of a request, or will; empty where it is not kept. A set file is
// mapped where it lies, and sizes are no set.
fs::path place_in_cache(const DataRequest& request) {
  const bool direct =
      request.has_sizes() ||
      (request.dataset.empty() && (is_set_file(request.path) || is_input_stream(request.path) ||
                                   is_input_stream(request.test_path)));
  if (direct || cache_folder().empty()) return {};
  return cache_folder() / "data" / (key_of(request) + ".alsset");
}

std::optional<RatingSet> kept_set(const fs::path& place) {
  if (place.empty() || !fs::exists(place)) return std::nullopt;
  try {
    return read_set_file(place);
  } catch (const UsageError& error) {
    print_message("a cached set is rebuilt: {}\n", error.what());
    std::error_code ignored;  // the write says what is wrong
    fs::remove(place, ignored);
    return std::nullopt;
  }
}

// Returns a line that says why the set could not be written; empty where it was.
std::string keep(const fs::path& place, const RatingSet& set) {
  try {
    fs::create_directories(place.parent_path());
    write_set_file(place, set, Sync::no);  // its hashes are checked when it is read
    return "";
  } catch (const std::exception& error) {
    return fmt::format("not cached: {}; or set ALSBENCH_CACHE_DIR\n", error.what());
  }
}

}  // namespace

RatingSet cached_rating_set(const DataRequest& request, const DrawTarget& on) {
  const fs::path place = place_in_cache(request);
  if (std::optional<RatingSet> kept = kept_set(place)) return std::move(*kept);
  RatingSet set = load_rating_set(request, on);
  if (!place.empty()) print_message("{}", keep(place, set));
  return set;
}

CachedSet::CachedSet(const DataRequest& request, const DrawTarget& on) {
  const fs::path place = place_in_cache(request);
  std::optional<RatingSet> kept = kept_set(place);
  const bool written = kept.has_value();
  set_ = written ? std::move(*kept) : load_rating_set(request, on);
  if (!written && !place.empty())
    writing_ = std::async(std::launch::async, [this, place] {
      omp_set_num_threads(1);  // of this thread: the other cores train
      return keep(place, set_);
    });
}

CachedSet::~CachedSet() {
  if (writing_.valid()) print_message("{}", writing_.get());
}

}  // namespace alsbench
