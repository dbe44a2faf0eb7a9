// SPDX-License-Identifier: Apache-2.0
// Loader of sparse matrices as scipy.sparse.save_npz writes them (CSR and CSC, plain or deflated).
#include <fmt/format.h>
#include <zip.h>

#include <charconv>
#include <cstring>
#include <type_traits>

#include "base/error.h"
#include "harness/data/compressed_rows.h"
#include "harness/data/text_reader.h"

namespace alsbench {
namespace {

class Archive {
 public:
  explicit Archive(std::filesystem::path path) : path_(std::move(path)) {
    int code = 0;
    zip_.reset(zip_open(path_.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &code));
    if (zip_) return;
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string text = zip_error_strerror(&error);
    zip_error_fini(&error);
    fail("", text);
  }

  std::string read(const std::string& name) const {
    zip_stat_t status;
    if (zip_stat(zip_.get(), name.c_str(), 0, &status) != 0) fail(name, "is missing");
    std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(zip_fopen(zip_.get(), name.c_str(), 0),
                                                           zip_fclose);
    if (!file) fail(name, zip_strerror(zip_.get()));
    std::string content(status.size, '\0');
    size_t at = 0;
    while (at < content.size()) {
      const zip_int64_t got = zip_fread(file.get(), content.data() + at, content.size() - at);
      if (got <= 0) fail(name, "is damaged or truncated");
      at += static_cast<size_t>(got);
    }
    // The checksum is verified when the end is read.
    char end = 0;
    if (zip_fread(file.get(), &end, 1) != 0) fail(name, "fails its checksum");
    return content;
  }

  [[noreturn]] void fail(const std::string& name, const std::string& message) const {
    throw UsageError(fmt::format("{}{}: {}; write the file again with scipy.sparse.save_npz",
                                 path_.string(), name.empty() ? "" : ":" + name, message));
  }

 private:
  std::filesystem::path path_;
  std::unique_ptr<zip_t, void (*)(zip_t*)> zip_{nullptr, zip_discard};
};

// One .npy member: type string as numpy's descr ("<f4"), and the bytes behind the header.
struct Member {
  std::string name;
  std::string content;
  std::string type;
  size_t begin = 0;

  size_t item_bytes() const {  // 0: the type has none
    size_t bytes = 0;
    std::from_chars(type.data() + 2, type.data() + type.size(), bytes);
    return bytes;
  }
  size_t count() const { return (content.size() - begin) / item_bytes(); }
};

Member read_member(const Archive& archive, const std::string& name) {
  Member member{name, archive.read(name), "", 0};
  const std::string& bytes = member.content;
  if (!bytes.starts_with("\x93NUMPY") || bytes.size() < 12) archive.fail(name, "is no .npy array");
  // Version 1 has a 16-bit header length at byte 8, later ones a 32-bit one.
  const bool wide = bytes[6] > 1;
  uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 8, wide ? 4 : 2);
  member.begin = (wide ? 12u : 10u) + size_t{length};
  if (member.begin > bytes.size()) archive.fail(name, "has a truncated header");
  const std::string header = bytes.substr(0, member.begin);
  const size_t key = header.find("'descr':");
  const size_t open = key == std::string::npos ? key : header.find('\'', key + 8);
  const size_t close = open == std::string::npos ? open : header.find('\'', open + 1);
  if (close == std::string::npos) archive.fail(name, "has no element type");
  member.type = header.substr(open + 1, close - open - 1);
  if (member.type.size() < 3 || member.item_bytes() == 0 || member.type[0] == '>') {
    archive.fail(name, fmt::format("has the unsupported element type {}", shown(member.type)));
  }
  return member;
}

template <class From, class To>
void convert(const Member& member, std::vector<To>& result) {
#pragma omp parallel for schedule(static)  // cannot throw
  for (size_t i = 0; i < result.size(); ++i) {
    From element;
    std::memcpy(&element, member.content.data() + member.begin + i * sizeof(From), sizeof(From));
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): an int8_t is a number here
    result[i] = static_cast<To>(element);
  }
}

// Integers are asked for where a fraction would be cut.
template <class To>
std::vector<To> read_numbers(const Archive& archive, const std::string& name) {
  const Member member = read_member(archive, name);
  if (std::is_integral_v<To> && member.type.find('f') != std::string::npos)
    archive.fail(name, fmt::format("has elements of type {}, which are no integers; save a matrix "
                                   "of scipy.sparse",
                                   shown(member.type)));
  std::vector<To> result(member.count());
  const std::string kind = member.type.substr(1);
  if (kind == "f4") {
    convert<float>(member, result);
  } else if (kind == "f8") {
    convert<double>(member, result);
  } else if (kind == "i8") {
    convert<int64_t>(member, result);
  } else if (kind == "i4") {
    convert<int32_t>(member, result);
  } else if (kind == "u4") {
    convert<uint32_t>(member, result);
  } else if (kind == "i2") {
    convert<int16_t>(member, result);
  } else if (kind == "i1") {
    convert<int8_t>(member, result);
  } else if (kind == "u1" || kind == "b1") {
    convert<uint8_t>(member, result);
  } else {
    archive.fail(name, fmt::format("has the unsupported element type {}", shown(member.type)));
  }
  return result;
}

// The text of format.npy: bytes ("|S3") or, from older scipy, UCS-4 ("<U3").
std::string read_word(const Archive& archive, const std::string& name) {
  const Member member = read_member(archive, name);
  std::string word;
  for (const char c : member.content.substr(member.begin)) {
    if (c != '\0') word += c;
  }
  return word;
}

}  // namespace

RawRatings load_npz(const std::filesystem::path& path) {
  const Archive archive(path);
  const std::string format = read_word(archive, "format.npy");
  if (format != "csr" && format != "csc") {
    throw UsageError(fmt::format("{}: holds a matrix in {} format; save matrix.tocsr()",
                                 path.string(), shown(format)));
  }
  CompressedRows matrix;
  matrix.path = path;
  matrix.by_columns = format == "csc";
  matrix.values = read_numbers<float>(archive, "data.npy");
  matrix.indices = read_numbers<int64_t>(archive, "indices.npy");
  matrix.offsets = read_numbers<int64_t>(archive, "indptr.npy");
  const auto shape = read_numbers<int64_t>(archive, "shape.npy");
  const int64_t along = matrix.by_columns ? 1 : 0;
  if (shape.size() != 2 ||
      shape[static_cast<size_t>(along)] + 1 != static_cast<int64_t>(matrix.offsets.size())) {
    archive.fail("shape.npy", "does not agree with indptr.npy");
  }
  matrix.cols = shape[static_cast<size_t>(1 - along)];
  if (matrix.cols < 1) archive.fail("shape.npy", fmt::format("states {} columns", matrix.cols));
  return raw_of(std::move(matrix));
}

}  // namespace alsbench
