// The cache of rating sets: one binary file a set, mapped. It appears complete or not at all, so
// that concurrent writers do no harm.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <vector>

#include "harness/data/dataset.h"
#include "harness/data/generator_spec.h"
#include "harness/files/atomic_file.h"
#include "harness/files/cache_folder.h"
#include "harness/files/hash.h"
#include "harness/files/mapped_file.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

// Raised with every change of the file's layout, of the loaders' results or of the generator.
constexpr uint32_t kVersion = 3;
constexpr char kMagic[8] = {'A', 'L', 'S', 'B', 'S', 'E', 'T', '\n'};
constexpr int64_t kAlignment = 4096;

enum Section {
  kUserOffsets,
  kUserIndices,
  kUserValues,
  kItemOffsets,
  kItemIndices,
  kItemValues,
  kTestOffsets,
  kTestIndices,
  kTestValues,
  kId,
  kUsers,
  kItems,
  kSections
};

struct Header {
  char magic[8] = {};
  uint32_t version = kVersion;
  uint32_t header_bytes = 0;
  char key[32] = {};
  char content_hash[32] = {};
  int64_t rows = 0;
  int64_t cols = 0;
  double mean = 0;
  double rmse_floor = 0;
  int64_t begin[kSections] = {};
  int64_t bytes[kSections] = {};
  int64_t file_bytes = 0;
  char checksum[32] = {};  // of everything before it
};

std::string checksum_of(const Header& header) {
  return hash_bytes(&header, static_cast<int64_t>(offsetof(Header, checksum)));
}

// Absolute name, size and time of change of a file, or of every file of a folder.
std::string identity_of(const fs::path& path) {
  if (path.empty()) return "";
  std::error_code error;
  std::vector<fs::path> files{path};
  if (fs::is_directory(path, error)) {
    files.clear();
    for (const auto& entry : fs::directory_iterator(path)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
  }
  std::string identity = fs::absolute(path).string();
  for (const fs::path& file : files) {
    const auto changed = fs::last_write_time(file, error).time_since_epoch().count();
    identity +=
        fmt::format("|{}:{}:{}", file.filename().string(), fs::file_size(file, error), changed);
  }
  return identity;
}

std::string key_of(const DataRequest& request) {
  const std::string source = request.path.empty()
                                 ? dataset_spec(request.dataset).content_hash
                                 : identity_of(request.path) + identity_of(request.test_path);
  const std::string text = fmt::format(
      "{} {} {} {} {} {} {} {} {} {} {} {}", kVersion, request.dataset, source, request.scale,
      request.format, request.test_path.empty() ? request.test_fraction : 0.0, request.seed,
      static_cast<int>(request.duplicates), request.uniform_row_length, request.empty_rows,
      request.empty_cols, request.path.string());
  return hash_bytes(text.data(), static_cast<int64_t>(text.size()));
}

// Names as one text: each ended by a zero byte (ids hold none).
std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) (text += name) += '\0';
  return text;
}

std::vector<std::string> separated(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\0'), text.size());
    names.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return names;
}

class Reader {
 public:
  explicit Reader(const fs::path& path) : file_(MappedFile::open(path)) {
    if (file_->text().size() >= sizeof header_)
      std::memcpy(&header_, file_->text().data(), sizeof header_);
  }

  bool valid(const std::string& key) const {
    return std::memcmp(header_.magic, kMagic, sizeof kMagic) == 0 && header_.version == kVersion &&
           header_.header_bytes == sizeof(Header) &&
           std::memcmp(header_.key, key.data(), sizeof header_.key) == 0 &&
           std::memcmp(header_.checksum, checksum_of(header_).data(), sizeof header_.checksum) ==
               0 &&
           header_.file_bytes == static_cast<int64_t>(file_->text().size());
  }

  RatingSet set() const {
    RatingSet set;
    set.by_user = matrix(kUserOffsets, header_.rows, header_.cols);
    set.by_item = matrix(kItemOffsets, header_.cols, header_.rows);
    set.test = matrix(kTestOffsets, header_.rows, header_.cols);
    set.id = std::string(section(kId));
    set.users = separated(section(kUsers));
    set.items = separated(section(kItems));
    set.content_hash.assign(header_.content_hash, sizeof header_.content_hash);
    set.mean = header_.mean;
    set.rmse_floor = header_.rmse_floor;
    return set;
  }

 private:
  std::string_view section(int which) const {
    return file_->text().substr(static_cast<size_t>(header_.begin[which]),
                                static_cast<size_t>(header_.bytes[which]));
  }
  template <class T>
  Array<T> array(int which) const {
    const std::string_view bytes = section(which);
    return Array<T>(
        std::span<const T>(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)),
        file_);
  }
  Csr matrix(int first, int64_t rows, int64_t cols) const {
    return {rows, cols, array<int64_t>(first), array<int32_t>(first + 1), array<float>(first + 2)};
  }

  std::shared_ptr<const MappedFile> file_;
  Header header_;
};

void write_set(const fs::path& path, const RatingSet& set, const std::string& key) {
  const std::string users = joined(set.users);
  const std::string items = joined(set.items);
  std::vector<std::pair<const void*, int64_t>> sections;
  for (const Csr* matrix : {&set.by_user, &set.by_item, &set.test}) {
    sections.emplace_back(matrix->offsets.data(), matrix->offsets.bytes());
    sections.emplace_back(matrix->indices.data(), matrix->indices.bytes());
    sections.emplace_back(matrix->values.data(), matrix->values.bytes());
  }
  for (const std::string* text : {&set.id, &users, &items})
    sections.emplace_back(text->data(), static_cast<int64_t>(text->size()));

  Header header;
  std::memset(static_cast<void*>(&header), 0, sizeof header);
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.header_bytes = sizeof header;
  std::memcpy(header.key, key.data(), sizeof header.key);
  std::memcpy(header.content_hash, set.content_hash.data(), sizeof header.content_hash);
  header.rows = set.by_user.rows;
  header.cols = set.by_user.cols;
  header.mean = set.mean;
  header.rmse_floor = set.rmse_floor;
  header.file_bytes = static_cast<int64_t>(sizeof header);
  for (int i = 0; i < kSections; ++i) {
    // Always behind a gap, which write_set fills.
    header.begin[i] = (header.file_bytes / kAlignment + 1) * kAlignment;
    header.bytes[i] = sections[static_cast<size_t>(i)].second;
    header.file_bytes = header.begin[i] + header.bytes[i];
  }
  std::memcpy(header.checksum, checksum_of(header).data(), sizeof header.checksum);

  replace_stream(path, [&](std::ofstream& stream) {
    stream.write(reinterpret_cast<const char*>(&header), sizeof header);
    for (int i = 0; i < kSections; ++i) {
      const auto& [data, bytes] = sections[static_cast<size_t>(i)];
      stream.seekp(header.begin[i] - 1);
      stream.put('\0');  // reaches the section's begin even if the section is empty
      stream.write(static_cast<const char*>(data), bytes);
    }
  });
}

}  // namespace

RatingSet cached_rating_set(const DataRequest& request, const DrawRows& draw) {
  if (request.dataset.empty() && !fs::exists(request.path)) return load_rating_set(request, draw);
  if (cache_folder().empty()) return load_rating_set(request, draw);
  const std::string key = key_of(request);
  const fs::path folder = cache_folder() / "data";
  const fs::path path = folder / (key + ".alsset");
  if (fs::exists(path)) {
    const Reader reader(path);
    if (reader.valid(key)) return reader.set();
    fmt::print(stderr, "{}: damaged or of another version, built anew\n", path.string());
  }
  RatingSet set = load_rating_set(request, draw);
  try {
    fs::create_directories(folder);
    write_set(path, set, key);
  } catch (const std::exception& error) {
    fmt::print(stderr, "not cached: {}; or set ALSBENCH_CACHE_DIR\n", error.what());
    return set;
  }
  return Reader(path).set();
}

}  // namespace alsbench
