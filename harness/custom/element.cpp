// SPDX-License-Identifier: Apache-2.0
#include "harness/custom/element.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "kernels/cpu/element.h"

namespace alsbench::custom {
namespace {

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

}  // namespace

int64_t size_of(Element element) {
  return with_type(element, [](auto value) { return int64_t{sizeof(value)}; });
}

bool is_floating(Element element) {
  return element == Element::float64 || element == Element::float32 ||
         element == Element::float16 || element == Element::bfloat16;
}

std::string_view cpp_type(Element element) {
  switch (element) {
    case Element::float64:
      return "double";
    case Element::float32:
      return "float";
    case Element::int64:
      return "int64_t";
    case Element::int32:
      return "int32_t";
    case Element::int16:
      return "int16_t";
    case Element::int8:
      return "int8_t";
    case Element::uint64:
      return "uint64_t";
    case Element::uint32:
      return "uint32_t";
    case Element::uint8:
      return "uint8_t";
    default:
      return "uint16_t";
  }
}

std::string_view npy_type(Element element) {
  switch (element) {
    case Element::float64:
      return "<f8";
    case Element::float32:
      return "<f4";
    case Element::float16:
      return "<f2";
    case Element::int64:
      return "<i8";
    case Element::int32:
      return "<i4";
    case Element::int16:
      return "<i2";
    case Element::int8:
      return "|i1";
    case Element::uint64:
      return "<u8";
    case Element::uint32:
      return "<u4";
    case Element::uint16:
      return "<u2";
    case Element::uint8:
      return "|u1";
    default:
      return "";
  }
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

bool holds(Element element, double number) {
  if (is_floating(element)) return std::isfinite(number);
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
      value = static_cast<Type>(std::llround(number));
    } else {
      value = static_cast<Type>(number);
    }
    std::memcpy(static_cast<char*>(data) + i * int64_t{sizeof(value)}, &value, sizeof value);
    return 0;
  });
}

}  // namespace alsbench::custom
