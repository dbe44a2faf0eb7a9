// SPDX-License-Identifier: Apache-2.0
#include "harness/files/npy_header.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>

namespace alsbench {

static_assert(std::endian::native == std::endian::little, "an .npy file has the host's byte order");

std::string npy_dictionary(std::string_view type, std::string_view shape) {
  return fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': {}, }}", type, shape);
}

std::string npy_header(std::string_view type, std::string_view shape) {
  constexpr size_t kPrefix = 10, kAlignment = 64;  // of magic, version and length; of the data
  std::string dictionary = npy_dictionary(type, shape);
  dictionary.append((kAlignment - (kPrefix + dictionary.size() + 1) % kAlignment) % kAlignment,
                    ' ');
  dictionary.push_back('\n');
  const auto length = static_cast<uint16_t>(dictionary.size());
  std::string header("\x93NUMPY\x01\x00", 8);
  header.append(reinterpret_cast<const char*>(&length), sizeof length);
  return header + dictionary;
}

}  // namespace alsbench
