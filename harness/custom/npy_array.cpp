// SPDX-License-Identifier: Apache-2.0
#include "harness/custom/npy_array.h"

#include <fmt/format.h>

#include <cstring>

#include "base/error.h"
#include "harness/files/atomic_file.h"
#include "harness/files/npy_header.h"

namespace alsbench::custom {
namespace {

// As Python writes it: "(512,)", "(3, 2)".
std::string shape_text(const std::vector<int64_t>& extents) {
  std::string text = "(";
  for (size_t i = 0; i < extents.size(); ++i)
    text += fmt::format("{}{}", i > 0 ? ", " : "", extents[i]);
  return text + (extents.size() == 1 ? ",)" : ")");
}

}  // namespace

std::string read_npy(const std::filesystem::path& path, Element type,
                     const std::vector<int64_t>& extents) {
  constexpr size_t kPrefix = 10;  // magic, version and length of the dictionary, of format 1.0
  const std::string bytes = read_whole_file(path);
  const auto fail = [&](const std::string& why) {
    throw UsageError(fmt::format("{}: {}; save it with numpy.save(..., numpy.ascontiguousarray(x))",
                                 path.string(), why));
  };
  if (bytes.size() < kPrefix || !bytes.starts_with("\x93NUMPY\x01"))
    fail("is no .npy file of format 1.0");
  uint16_t length = 0;
  std::memcpy(&length, bytes.data() + kPrefix - sizeof length, sizeof length);
  const std::string dictionary = bytes.substr(kPrefix, length);
  const std::string wanted =
      npy_dictionary(fmt::format("'{}'", npy_type(type)), shape_text(extents));
  if (!dictionary.starts_with(wanted))
    fail(fmt::format("has {}, and not {}", dictionary.substr(0, dictionary.find('}') + 1), wanted));
  int64_t size = size_of(type);
  for (const int64_t extent : extents) size *= extent;
  const size_t begin = kPrefix + length;
  if (bytes.size() != begin + static_cast<size_t>(size))
    fail(fmt::format("has {} bytes of data, and not {}", bytes.size() - begin, size));
  return bytes.substr(begin);
}

}  // namespace alsbench::custom
