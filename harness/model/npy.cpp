// SPDX-License-Identifier: Apache-2.0
#include "harness/model/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

#include "base/error.h"
#include "harness/files/npy_header.h"

namespace alsbench {
namespace {

constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);
constexpr size_t kPrefix = 10;  // magic, version, header length
constexpr std::string_view kType = "'<f4'";

std::string shape_text(int64_t rows, int64_t cols) { return fmt::format("({}, {})", rows, cols); }

// The number that `text` begins with, which loses it; -1 where there is none.
int64_t take_number(std::string_view& text) {
  int64_t number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return error == std::errc() ? number : -1;
}

// The two numbers of "'shape': (R, C)".
std::pair<int64_t, int64_t> shape_in(std::string_view header) {
  constexpr std::string_view kShape = "'shape': (", kBetween = ", ";
  const size_t at = header.find(kShape);
  if (at == std::string_view::npos) return {-1, -1};
  header.remove_prefix(at + kShape.size());
  const int64_t rows = take_number(header);
  if (!header.starts_with(kBetween)) return {-1, -1};
  header.remove_prefix(kBetween.size());
  return {rows, take_number(header)};
}

}  // namespace

FileContent npy_content(std::span<const float> values, int64_t rows, int64_t cols) {
  return [values, rows, cols](const WriteText& write) {
    write(npy_header(kType, shape_text(rows, cols)));
    write_pieces({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)},
                 write);
  };
}

NpyMatrix npy_matrix(const std::shared_ptr<const MappedFile>& file, const std::string& name,
                     const std::string& remedy) {
  const std::string_view bytes = file->text();
  const auto fail = [&](const std::string& what) {
    throw UsageError(fmt::format("{}: {}; {}", name, what, remedy));
  };
  if (bytes.size() < kPrefix || !bytes.starts_with(kMagic)) fail("is no .npy file of version 1.0");
  uint16_t length = 0;
  std::memcpy(&length, bytes.data() + kMagic.size(), sizeof length);
  const size_t begin = kPrefix + length;
  if (bytes.size() < begin) fail("ends within its header");
  const std::string_view header = bytes.substr(kPrefix, length);
  const auto [rows, cols] = shape_in(header);
  if (rows < 0 || cols < 0 || !header.starts_with(npy_dictionary(kType, shape_text(rows, cols))) ||
      begin % alignof(float) != 0)
    fail("is no matrix of little-endian 32-bit floats by rows");
  int64_t count = 0, size = 0;
  const auto data_bytes = static_cast<int64_t>(bytes.size() - begin);
  if (__builtin_mul_overflow(rows, cols, &count) ||
      __builtin_mul_overflow(count, int64_t{sizeof(float)}, &size) || size != data_bytes)
    fail(fmt::format("has {} bytes of factors, which are not {} x {} floats", data_bytes, rows,
                     cols));
  const auto* values = reinterpret_cast<const float*>(bytes.data() + begin);
  return {Array<float>({values, static_cast<size_t>(count)}, file), rows, cols};
}

}  // namespace alsbench
