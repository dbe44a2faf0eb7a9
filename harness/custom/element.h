// SPDX-License-Identifier: Apache-2.0
// Element: the type of a custom kernel's argument, by numpy's names.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/fields/enum_names.h"

namespace alsbench::custom {

enum class Element {
  float64,
  float32,
  float16,
  bfloat16,
  int64,
  int32,
  int16,
  int8,
  uint64,
  uint32,
  uint16,
  uint8,
};

int64_t size_of(Element element);  // bytes
bool is_floating(Element element);
std::string cpp_type(Element element);  // on the host: "float"; uint16_t for 16-bit floats
std::string npy_type(Element element);  // "<f4"; "" where numpy has none

// The elements of an array, each the nearest double, and of integers of 64 bits what that lacks.
struct Output {
  std::vector<double> values, rests;  // rests: empty for other types
  double rest(size_t i) const { return rests.empty() ? 0 : rests[i]; }
};
Output output_of(const std::string& bytes, Element element);

bool holds(Element element, double number);  // exactly where it is of integers, else in range
void write_element(void* data, int64_t i, Element element, double number);  // rounded to it
// Exactly; false where the text is no whole number that the type of integers holds.
bool write_whole(void* data, Element element, std::string_view text);

// The elements of an array that numpy saved in C order, as bytes. Throws UsageError naming the file
// where it is no .npy file of that type and shape.
std::string read_npy(const std::filesystem::path& path, Element type,
                     const std::vector<int64_t>& extents);

}  // namespace alsbench::custom
