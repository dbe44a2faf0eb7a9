// SPDX-License-Identifier: Apache-2.0
// Loader of sparse matrices as scipy.sparse.save_npz writes them (CSR and CSC, plain or deflated).
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "harness/data/array_builder.h"
#include "harness/data/compressed_rows.h"
#include "harness/data/text_reader.h"
#include "harness/files/input_file.h"
#include "harness/files/zip_archive.h"
#include "kernels/cpu/first_error.h"

namespace alsbench {
namespace {

constexpr const char* kWriteAgain = "write the file again with scipy.sparse.save_npz";

class Archive {
 public:
  explicit Archive(const std::filesystem::path& path) : file_(open_input(path)) {
    std::string why;
    zip_ = open_zip(file_.bytes->text(), why);
    if (!zip_) fail("", why);
  }

  zip_t* handle() const { return zip_.get(); }

  [[noreturn]] void fail(const std::string& name, const std::string& message,
                         const char* remedy = kWriteAgain) const {
    throw UsageError(fmt::format("{}{}: {}; {}", file_.name.string(),
                                 name.empty() ? "" : ":" + name, message, remedy));
  }

 private:
  InputFile file_;
  ZipArchive zip_{nullptr, zip_discard};
};

// One .npy member: its type as numpy's descr ("<f4"), then its elements.
class Member {
 public:
  Member(const Archive& archive, std::string name) : archive_(archive), name_(std::move(name)) {
    zip_stat_t status;
    if (zip_stat(archive.handle(), name_.c_str(), 0, &status) != 0) fail("is missing");
    file_.reset(zip_fopen(archive.handle(), name_.c_str(), 0));
    if (!file_) fail(zip_strerror(archive.handle()));
    left_ = status.size;
    read_header();
  }

  const std::string& type() const { return type_; }
  std::string kind() const { return type_.substr(1); }  // without the order of bytes
  int64_t bytes() const { return static_cast<int64_t>(left_); }
  int64_t count() const { return static_cast<int64_t>(left_ / item_bytes()); }
  // All that is left of the member, whose checksum holds.
  void read_to(char* to) {
    read(to, left_);
    char end = 0;
    // The checksum is verified when the end is read.
    if (zip_fread(file_.get(), &end, 1) != 0) fail("fails its checksum");
  }
  [[noreturn]] void fail(const std::string& message, const char* remedy = kWriteAgain) const {
    archive_.fail(name_, message, remedy);
  }
  [[noreturn]] void fail_type() const {
    fail(fmt::format("has elements of type {}, which are not read", shown(type_)),
         "save matrix.astype('float32')");
  }

 private:
  size_t item_bytes() const {  // 0: the type has none
    size_t bytes = 0;
    std::from_chars(type_.data() + 2, type_.data() + type_.size(), bytes);
    return bytes;
  }
  void read(char* to, size_t bytes) {
    for (size_t at = 0; at < bytes;) {
      const zip_int64_t got = zip_fread(file_.get(), to + at, bytes - at);
      if (got <= 0) fail("is damaged or truncated");
      at += static_cast<size_t>(got);
    }
    left_ -= bytes;
  }
  void read_header() {
    std::string begin(12, '\0');
    if (left_ < begin.size()) fail("is no .npy array");
    read(begin.data(), begin.size());
    if (!begin.starts_with("\x93NUMPY")) fail("is no .npy array");
    // Version 1 has a 16-bit header length at byte 8, later ones a 32-bit one.
    const bool wide = begin[6] > 1;
    uint32_t length = 0;
    std::memcpy(&length, begin.data() + 8, wide ? 4 : 2);
    const size_t rest = length - (wide ? 0u : 2u);
    if (length < 2 || rest > left_) fail("has a truncated header");
    std::string header = begin.substr(wide ? 12 : 10);
    const size_t known = header.size();
    header.resize(known + rest);
    read(header.data() + known, rest);
    const size_t key = header.find("'descr':");
    const size_t open = key == std::string::npos ? key : header.find('\'', key + 8);
    const size_t close = open == std::string::npos ? open : header.find('\'', open + 1);
    if (close == std::string::npos) fail("has no element type");
    type_ = header.substr(open + 1, close - open - 1);
    if (type_.size() < 3 || item_bytes() == 0 || type_[0] == '>') fail_type();
  }

  const Archive& archive_;
  std::string name_, type_;
  size_t left_ = 0;
  std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file_{nullptr, zip_fclose};
};

template <class From>
From element_of(const ArrayBuilder<char>& bytes, int64_t i) {
  From element;
  std::memcpy(&element, &bytes[i * static_cast<int64_t>(sizeof(From))], sizeof(From));
  return element;
}

// Whether the type that is asked for holds the integer exactly; ratings are floats, which hold all
// up to 2^24.
template <class To, class From>
bool fits(From element) {
  if constexpr (std::is_floating_point_v<To>)
    return std::in_range<int32_t>(element) && std::abs(static_cast<int32_t>(element)) <= 1 << 24;
  else
    return std::in_range<To>(element);
}

template <class From, class To>
void convert(const Member& member, const ArrayBuilder<char>& bytes, ArrayBuilder<To>& result) {
  if constexpr (std::is_integral_v<From>)
    for (int64_t i = 0; i < result.size(); ++i)
      if (const From element = element_of<From>(bytes, i); !fits<To>(element))
        member.fail(fmt::format("element {} is {}, and only integers {} are read", i, element,
                                std::is_integral_v<To> ? "of fewer bits" : "from -2^24 to 2^24"),
                    "save smaller ones");
  if constexpr (std::is_same_v<From, double> && std::is_same_v<To, float>)
    for (int64_t i = 0; i < result.size(); ++i)
      if (const double element = element_of<double>(bytes, i);
          std::isfinite(element) && !std::isfinite(static_cast<float>(element)))
        member.fail(fmt::format("element {} is {}, which is too large for a float", i, element),
                    "divide the ratings");
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t i = 0; i < result.size(); ++i)
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): an int8_t is a number here
    result[i] = static_cast<To>(element_of<From>(bytes, i));
}

// numpy's name of a type of elements, such as "f4".
template <class Element>
std::string kind_of() {
  const char letter = std::is_floating_point_v<Element> ? 'f'
                      : std::is_signed_v<Element>       ? 'i'
                                                        : 'u';
  return fmt::format("{}{}", letter, sizeof(Element));
}

template <class From, class To>
bool convert_if_of(const std::string& kind, const Member& member, const ArrayBuilder<char>& bytes,
                   ArrayBuilder<To>& result) {
  if (kind != kind_of<From>()) return false;
  convert<From>(member, bytes, result);
  return true;
}

// Of one of these types; false where it is none of them.
template <class... From, class To>
bool convert_one_of(const Member& member, const ArrayBuilder<char>& bytes,
                    ArrayBuilder<To>& result) {
  const std::string kind = member.kind() == "b1" ? "u1" : member.kind();
  return (convert_if_of<From>(kind, member, bytes, result) || ...);
}

// Integers are asked for where a fraction would be cut.
template <class To>
Array<To> read_numbers(const Archive& archive, const std::string& name) {
  Member member(archive, name);
  if (std::is_integral_v<To> && member.type().find('f') != std::string::npos)
    member.fail(
        fmt::format("has elements of type {}, which are no integers; save a matrix "
                    "of scipy.sparse",
                    shown(member.type())));
  ArrayBuilder<To> result(member.count());
  if (member.kind() == kind_of<To>() &&
      member.bytes() == result.size() * static_cast<int64_t>(sizeof(To))) {
    member.read_to(reinterpret_cast<char*>(result.data()));
    return result.freeze();
  }
  ArrayBuilder<char> bytes(member.bytes());
  member.read_to(bytes.data());
  if (!convert_one_of<float, double, int64_t, int32_t, int16_t, int8_t, uint64_t, uint32_t,
                      uint16_t, uint8_t>(member, bytes, result))
    member.fail_type();
  return result.freeze();
}

// Numbers of 32 bits, as most files hold them. Others are so where they are in [0, limit).
Array<int32_t> read_indices(const Archive& archive, int64_t limit) {
  const std::string name = "indices.npy";
  const std::string kind = Member(archive, name).kind();
  if (kind != "i8" && kind != "u8" && kind != "u4") return read_numbers<int32_t>(archive, name);
  const auto wide = read_numbers<int64_t>(archive, name);
  ArrayBuilder<int32_t> narrow(wide.size());
  int64_t wrong = wide.size();
#pragma omp parallel for schedule(static) reduction(min : wrong)  // cannot throw
  for (int64_t i = 0; i < wide.size(); ++i) {
    narrow[i] = static_cast<int32_t>(wide[i]);
    if (wide[i] < 0 || wide[i] >= limit) wrong = std::min(wrong, i);
  }
  if (wrong < wide.size())
    archive.fail(
        "", fmt::format("index {} of entry {} is outside [0, {})", wide[wrong], wrong + 1, limit));
  return narrow.freeze();
}

// The text of format.npy: bytes ("|S3") or, from older scipy, UCS-4 ("<U3").
std::string read_word(const Archive& archive, const std::string& name) {
  Member member(archive, name);
  std::string word(static_cast<size_t>(member.bytes()), '\0');
  member.read_to(word.data());
  std::erase(word, '\0');
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
  const auto offsets = read_numbers<int64_t>(archive, "indptr.npy");
  const auto shape = read_numbers<int64_t>(archive, "shape.npy");
  matrix.offsets.assign(offsets.begin(), offsets.end());
  const int64_t along = matrix.by_columns ? 1 : 0;
  if (shape.size() != 2 || shape[along] + 1 != offsets.size())
    archive.fail("shape.npy", "does not agree with indptr.npy");
  matrix.cols = shape[1 - along];
  if (matrix.cols < 1) archive.fail("shape.npy", fmt::format("states {} columns", matrix.cols));
  FirstError error;
  // Each unpacks by a handle of its own.
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    error.run([&] { matrix.values = read_numbers<float>(archive, "data.npy"); });
#pragma omp section
    error.run([&] { matrix.indices = read_indices(Archive(path), matrix.cols); });
  }
  error.rethrow();
  return raw_of(std::move(matrix));
}

}  // namespace alsbench
