// SPDX-License-Identifier: Apache-2.0
#include "harness/custom/element.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <system_error>
#include <type_traits>

#include "base/error.h"
#include "harness/files/atomic_file.h"
#include "harness/files/npy_header.h"
#include "kernels/cpu/element.h"

namespace alsbench::custom {
namespace {

__extension__ using Wide = __int128;  // -Wpedantic

// Calls `use` with a value of the element's type on the host.
template <class Use>
auto with_type(Element element, const Use& use) {
  switch (element) {
    case Element::float64:
      return use(double{});
    case Element::float32:
      return use(float{});
    case Element::int64:
      return use(int64_t{});
    case Element::int32:
      return use(int32_t{});
    case Element::int16:
      return use(int16_t{});
    case Element::int8:
      return use(int8_t{});
    case Element::uint64:
      return use(uint64_t{});
    case Element::uint32:
      return use(uint32_t{});
    case Element::uint8:
      return use(uint8_t{});
    default:  // 16-bit floats are read and written apart
      return use(uint16_t{});
  }
}

// As Python writes it: "(512,)", "(3, 2)".
std::string shape_text(const std::vector<int64_t>& extents) {
  return fmt::format("({}{})", fmt::join(extents, ", "), extents.size() == 1 ? "," : "");
}

double read_element(const void* data, int64_t i, Element element) {
  return with_type(element, [&](auto value) -> double {
    std::memcpy(&value, static_cast<const char*>(data) + i * int64_t{sizeof(value)}, sizeof value);
    if constexpr (std::is_same_v<decltype(value), uint16_t>) {
      if (element == Element::float16) return half_to_float(value);
      if (element == Element::bfloat16) return bfloat_to_float(value);
    }
    return static_cast<double>(value);
  });
}

// A 64-bit integer less its nearest double, which may lie beyond the type by one.
double rest_of(const void* data, int64_t i, Element element) {
  return with_type(element, [&](auto value) -> double {
    std::memcpy(&value, static_cast<const char*>(data) + i * int64_t{sizeof(value)}, sizeof value);
    if constexpr (sizeof(value) == sizeof(int64_t) && std::is_integral_v<decltype(value)>)
      return static_cast<double>(static_cast<Wide>(value) -
                                 static_cast<Wide>(static_cast<double>(value)));
    return 0;
  });
}

}  // namespace

int64_t size_of(Element element) {
  return with_type(element, [](auto value) { return int64_t{sizeof(value)}; });
}

bool is_floating(Element element) {
  return element == Element::float64 || element == Element::float32 ||
         element == Element::float16 || element == Element::bfloat16;
}

std::string cpp_type(Element element) {
  if (element == Element::float64) return "double";
  if (element == Element::float32) return "float";
  if (is_floating(element)) return "uint16_t";
  return fmt::format("{}_t", name_of(element));
}

std::string npy_type(Element element) {
  if (element == Element::bfloat16) return "";
  const int64_t size = size_of(element);
  const char kind = is_floating(element) ? 'f' : name_of(element).front();
  return fmt::format("{}{}{}", size > 1 ? '<' : '|', kind, size);
}

Output output_of(const std::string& bytes, Element element) {
  Output output;
  output.values.resize(bytes.size() / static_cast<size_t>(size_of(element)));
  if (!is_floating(element) && size_of(element) == sizeof(int64_t))
    output.rests.resize(output.values.size());
  const auto count = static_cast<int64_t>(output.values.size());
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t i = 0; i < count; ++i) {
    const auto k = static_cast<size_t>(i);
    output.values[k] = read_element(bytes.data(), i, element);
    if (!output.rests.empty()) output.rests[k] = rest_of(bytes.data(), i, element);
  }
  return output;
}

bool holds(Element element, double number) {
  if (is_floating(element)) {
    uint64_t bytes = 0;  // room for any type
    write_element(&bytes, 0, element, number);
    return std::isfinite(read_element(&bytes, 0, element));
  }
  return with_type(element, [&](auto value) {
    using Limits = std::numeric_limits<decltype(value)>;
    const auto lowest = static_cast<double>(Limits::lowest());
    return number == std::floor(number) && number >= lowest &&
           number < std::ldexp(1, Limits::digits);
  });
}

void write_element(void* data, int64_t i, Element element, double number) {
  with_type(element, [&](auto value) {
    using Type = decltype(value);
    if constexpr (std::is_same_v<Type, uint16_t>) {
      if (element == Element::float16)
        value = float_to_half(static_cast<float>(number));
      else if (element == Element::bfloat16)
        value = float_to_bfloat(static_cast<float>(number));
      else
        value = static_cast<uint16_t>(std::llround(number));
    } else if constexpr (std::is_integral_v<Type>) {
      value = static_cast<Type>(std::round(number));  // of uint64, beyond what llround holds
    } else {
      value = static_cast<Type>(number);
    }
    std::memcpy(static_cast<char*>(data) + i * int64_t{sizeof(value)}, &value, sizeof value);
    return 0;
  });
}

bool write_whole(void* data, Element element, std::string_view text) {
  if (is_floating(element)) return false;
  return with_type(element, [&](auto value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return false;
    std::memcpy(data, &value, sizeof value);
    return true;
  });
}

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
