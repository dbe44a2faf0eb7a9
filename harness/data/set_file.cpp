// SPDX-License-Identifier: Apache-2.0
#include "harness/data/set_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "harness/data/csr_fault.h"
#include "harness/files/atomic_file.h"
#include "harness/files/hash.h"
#include "harness/files/input_file.h"
#include "kernels/shared/generate.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

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
  kTimes,
  kTestTimes,
  kSections
};

constexpr std::array<std::string_view, kSections> kSectionNames{
    "offsets by user", "items by user", "values by user", "offsets by item", "users by item",
    "values by item",  "test offsets",  "test items",     "test values",     "name of the set",
    "user ids",        "item ids",      "times",          "test times"};

struct Header {
  char magic[8] = {};
  uint64_t version = kSetFileVersion;
  char content_hash[32] = {};
  int64_t rows = 0;
  int64_t cols = 0;
  double mean = 0;
  double rmse_floor = 0;
  int64_t begin[kSections] = {};
  int64_t bytes[kSections] = {};
  char hash[kSections][32] = {};
  int64_t left_out = 0;
  int64_t file_bytes = 0;
  char checksum[32] = {};  // of everything before it
};

std::string checksum_of(const Header& header) {
  return hash_bytes(&header, static_cast<int64_t>(offsetof(Header, checksum)));
}

bool same(const char (&field)[32], const std::string& hash) {
  return std::memcmp(field, hash.data(), sizeof field) == 0;
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

// Of all cells and their values, whatever their order; of equal sums the cells are equal, for
// whoever does not know the key.
uint64_t sum_of_cells(const Csr& matrix, bool by_user, uint64_t key) {
  uint64_t sum = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : sum)  // cannot throw
  for (int64_t row = 0; row < matrix.rows; ++row)
    for (int64_t i = matrix.offsets[row]; i < matrix.offsets[row + 1]; ++i) {
      const auto here = static_cast<uint64_t>(row),
                 there = static_cast<uint64_t>(matrix.indices[i]);
      const uint64_t cell = by_user ? here << 32 | there : there << 32 | here;
      sum += random_word(key, cell, std::bit_cast<uint32_t>(matrix.values[i]));
    }
  return sum;
}

bool is_transpose(const Csr& by_item, const Csr& by_user) {
  std::random_device random;
  const uint64_t key = uint64_t{random()} << 32 | random();
  return sum_of_cells(by_item, false, key) == sum_of_cells(by_user, true, key);
}

class Reader {
 public:
  explicit Reader(const fs::path& path) : path_(path), file_(open_input(path).bytes) {
    const std::string_view text = file_->text();
    if (!text.starts_with(kSetFileMagic)) fail("is no set file");
    std::memcpy(&header_, text.data(), std::min(text.size(), sizeof header_));
    if (header_.version != kSetFileVersion)
      fail(fmt::format("is of version {}, not {}", header_.version, kSetFileVersion));
    if (text.size() < sizeof header_ || !same(header_.checksum, checksum_of(header_)))
      fail("its header is damaged");
    if (header_.file_bytes != static_cast<int64_t>(text.size()))
      fail(fmt::format("has {} bytes in place of {}", text.size(), header_.file_bytes));
    check_places();
    for (int which = 0; which < kSections; ++which) {
      if (!same(header_.hash[which], hash_bytes(section(which).data(), header_.bytes[which])))
        fail(fmt::format("is damaged in its {}", kSectionNames[static_cast<size_t>(which)]));
    }
    // Hashes that fit say nothing about who wrote the file.
    check_matrix(kUserOffsets, header_.rows, header_.cols);
    check_matrix(kItemOffsets, header_.cols, header_.rows);
    check_matrix(kTestOffsets, header_.rows, header_.cols);
    if (header_.bytes[kUserIndices] != header_.bytes[kItemIndices])
      fail("holds different numbers of ratings by user and by item");
    if (!is_transpose(matrix(kItemOffsets, header_.cols, header_.rows),
                      matrix(kUserOffsets, header_.rows, header_.cols)))
      fail("holds other ratings by item than by user");
    check_names(kUsers, header_.rows);
    check_names(kItems, header_.cols);
    check_times(kTimes, kUserIndices);
    check_times(kTestTimes, kTestIndices);
    if (!std::isfinite(header_.mean)) fail("its mean is not finite");
  }

  RatingSet set() const {
    RatingSet set;
    set.by_user = matrix(kUserOffsets, header_.rows, header_.cols);
    set.by_item = matrix(kItemOffsets, header_.cols, header_.rows);
    set.test = matrix(kTestOffsets, header_.rows, header_.cols);
    set.id = std::string(section(kId));
    set.users = separated(section(kUsers));
    set.items = separated(section(kItems));
    set.times = array<RatingTime>(kTimes);
    set.test_times = array<RatingTime>(kTestTimes);
    set.content_hash.assign(header_.content_hash, sizeof header_.content_hash);
    set.mean = header_.mean;
    set.rmse_floor = header_.rmse_floor;
    set.left_out = header_.left_out;
    return set;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(
        fmt::format("{}: {}; write it again with `alsbench data convert`", path_.string(), what));
  }
  [[noreturn]] void fail_in(int which, const std::string& what) const {
    fail(fmt::format("{} in its {}", what, kSectionNames[static_cast<size_t>(which)]));
  }
  // The shape is possible, and every section lies in the file where its elements are aligned.
  void check_places() const {
    constexpr int64_t kMaxValue = std::numeric_limits<int32_t>::max();
    const auto possible = [](int64_t size) { return size >= 0 && size <= kMaxValue; };
    if (!possible(header_.rows) || !possible(header_.cols))
      fail(fmt::format("states a shape of {} x {}", header_.rows, header_.cols));
    for (int which = 0; which < kSections; ++which) {
      const int64_t begin = header_.begin[which], bytes = header_.bytes[which];
      if (begin < static_cast<int64_t>(sizeof header_) || begin % kAlignment != 0 || bytes < 0 ||
          begin > header_.file_bytes || bytes > header_.file_bytes - begin)
        fail_in(which, fmt::format("names bytes {} + {} that it cannot have", begin, bytes));
    }
  }
  // The three sections from `first` on are a matrix as Csr describes it.
  void check_matrix(int first, int64_t rows, int64_t cols) const {
    const int64_t entries = header_.bytes[first + 1] / static_cast<int64_t>(sizeof(int32_t));
    const auto bytes_of = [](int64_t count, size_t size) {
      return count * static_cast<int64_t>(size);
    };
    if (header_.bytes[first] != bytes_of(rows + 1, sizeof(int64_t)))
      fail_in(first, fmt::format("has {} bytes for {} rows", header_.bytes[first], rows));
    for (const int which : {first + 1, first + 2}) {
      if (header_.bytes[which] != bytes_of(entries, sizeof(int32_t)))
        fail_in(which, fmt::format("has {} bytes for {} ratings", header_.bytes[which], entries));
    }
    const Csr matrix = this->matrix(first, rows, cols);
    if (matrix.offsets[0] != 0 || matrix.offsets[rows] != entries)
      fail_in(first, fmt::format("does not lead from 0 to {}", entries));
    const std::optional<CsrFault> fault = find_fault(matrix);
    if (!fault) return;
    switch (fault->kind) {
      case CsrFaultKind::falling_offsets:
        fail_in(first, fmt::format("falls at row {}", fault->row));
      case CsrFaultKind::not_finite:
        fail_in(first + 2, fmt::format("is not finite at {}", fault->entry));
      default:
        fail_in(first + 1, fmt::format("has a row, {}, whose indices do not ascend within [0, {})",
                                       fault->row, cols));
    }
  }
  // None, or one for each of `count` rows or columns.
  void check_names(int which, int64_t count) const {
    const std::string_view text = section(which);
    if (text.empty()) return;
    const auto names = std::count(text.begin(), text.end(), '\0');
    if (text.back() != '\0' || names != count)
      fail_in(which, fmt::format("has {} names for {}", names, count));
  }
  // None, or one for each of the cells whose columns a section has.
  void check_times(int which, int cells) const {
    const int64_t count = header_.bytes[cells] / static_cast<int64_t>(sizeof(int32_t));
    const int64_t bytes = header_.bytes[which];
    if (bytes == 0) return;
    if (bytes != count * static_cast<int64_t>(sizeof(RatingTime)))
      fail_in(which, fmt::format("has {} bytes for {} ratings", bytes, count));
    for (const RatingTime& time : array<RatingTime>(which))
      if (time.nanoseconds < 0 || time.nanoseconds >= 1'000'000'000 || time.unused != 0)
        fail_in(which, fmt::format("has {} nanoseconds of a second", time.nanoseconds));
  }
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

  const fs::path& path_;
  std::shared_ptr<const MappedFile> file_;
  Header header_;
};

}  // namespace

bool is_set_file(const fs::path& path) {
  if (is_stream(path)) return false;
  std::array<char, kSetFileMagic.size()> begin{};
  std::ifstream(path, std::ios::binary).read(begin.data(), begin.size());
  return std::string_view(begin.data(), begin.size()) == kSetFileMagic;
}

RatingSet read_set_file(const fs::path& path) { return Reader(path).set(); }

void write_set_file(const fs::path& path, const RatingSet& set, Sync sync) {
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
  for (const Array<RatingTime>* times : {&set.times, &set.test_times})
    sections.emplace_back(times->data(), times->bytes());

  Header header;
  std::memset(static_cast<void*>(&header), 0, sizeof header);
  std::memcpy(header.magic, kSetFileMagic.data(), sizeof header.magic);
  header.version = kSetFileVersion;
  set.content_hash.copy(header.content_hash, sizeof header.content_hash);
  header.rows = set.by_user.rows;
  header.cols = set.by_user.cols;
  header.mean = set.mean;
  header.rmse_floor = set.rmse_floor;
  header.left_out = set.left_out;
  header.file_bytes = static_cast<int64_t>(sizeof header);
  for (int i = 0; i < kSections; ++i) {
    const auto& [data, bytes] = sections[static_cast<size_t>(i)];
    // Always behind a gap, which is filled below.
    header.begin[i] = (header.file_bytes / kAlignment + 1) * kAlignment;
    header.bytes[i] = bytes;
    header.file_bytes = header.begin[i] + bytes;
    hash_bytes(data, bytes).copy(header.hash[i], sizeof header.hash[i]);
  }
  checksum_of(header).copy(header.checksum, sizeof header.checksum);

  const FileContent content = [&](const WriteText& write) {
    write({reinterpret_cast<const char*>(&header), sizeof header});
    int64_t end = sizeof header;
    for (int i = 0; i < kSections; ++i) {
      const auto& [data, bytes] = sections[static_cast<size_t>(i)];
      write(std::string(static_cast<size_t>(header.begin[i] - end), '\0'));
      write_pieces({static_cast<const char*>(data), static_cast<size_t>(bytes)}, write);
      end = header.begin[i] + bytes;
    }
  };
  replace_content(path, content, sync);
}

}  // namespace alsbench
