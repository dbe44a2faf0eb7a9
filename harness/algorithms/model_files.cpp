// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/model_files.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace alsbench {

static_assert(std::endian::native == std::endian::little, "npy_bytes writes the host's byte order");

std::string npy_bytes(const std::vector<float>& values, int64_t rows, int64_t cols) {
  std::string header =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, cols);
  constexpr size_t kPrefix = 10;     // magic, version, header length
  constexpr size_t kAlignment = 64;  // of the data, with a newline ending the header
  header.append((kAlignment - (kPrefix + header.size() + 1) % kAlignment) % kAlignment, ' ');
  header.push_back('\n');
  const auto length = static_cast<uint16_t>(header.size());
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  return bytes;
}

std::string id_map_text(const std::vector<std::string>& ids, int64_t rows) {
  std::string text;
  for (int64_t row = 0; row < rows; ++row) {
    text += ids.empty() ? std::to_string(row) : ids[static_cast<size_t>(row)];
    text += '\n';
  }
  return text;
}

}  // namespace alsbench
