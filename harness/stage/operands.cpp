// SPDX-License-Identifier: Apache-2.0
#include "harness/stage/operands.h"

#include <algorithm>

#include "kernels/shared/generate.h"

namespace alsbench {
namespace {

constexpr int64_t kFewItems = 64;

// A few items of the axis, the same of all axes with one draw.
ItemAxis few_of(const InputAxis& input, uint64_t word) {
  ItemAxis axis = input.axis;
  const bool table = input.runs_of_system == 0;
  const int64_t count = table ? axis.count : axis.outer / input.runs_of_system;
  const int64_t few = std::min(count, kFewItems);
  const auto first = static_cast<int64_t>(word % static_cast<uint64_t>(count - few + 1));
  char* const begin = static_cast<char*>(axis.data);
  if (table) {
    axis.data = begin + first * axis.item_bytes;
    axis.count = few;
  } else {
    axis.data = begin + first * input.runs_of_system * axis.pitch_bytes;
    axis.outer = few * input.runs_of_system;
  }
  return axis;
}

}  // namespace

Numbers numbers_of(Scalar type) {
  switch (type) {
    case Scalar::fp32:
    case Scalar::tf32:
      return Numbers::fp32;
    case Scalar::fp16:
      return Numbers::fp16;
    case Scalar::bf16:
      return Numbers::bf16;
    default:
      return Numbers::other;
  }
}

Region region_of(const char* name, const void* data, int64_t bytes, Numbers numbers) {
  return {name, data, bytes, 1, 0, numbers};
}

Region region_of(const char* name, const Buffer& buffer, Numbers numbers) {
  return region_of(name, buffer.data(), buffer.bytes(), numbers);
}

Region rows_of(const char* name, const FactorsView& factors, int64_t first, int64_t count) {
  const int64_t pitch_bytes = int64_t{4} * factors.pitch;
  return {name,
          static_cast<const char*>(factors.data) + first * pitch_bytes,
          int64_t{4} * factors.rank,
          count,
          pitch_bytes,
          Numbers::fp32};
}

Region rows_of(const char* name, const FactorsView& factors) {
  return rows_of(name, factors, 0, factors.rows);
}

void add_ratings(const RatingsView& ratings, std::vector<Region>& regions) {
  const auto add = [&](const char* name, const void* data, int64_t bytes) {
    if (data != nullptr && bytes > 0)
      regions.push_back(region_of(name, data, bytes, Numbers::other));
  };
  add("offsets of ratings", ratings.offsets, 8 * (ratings.rows + 1));
  add("columns of ratings", ratings.indices, 4 * ratings.nnz);
  add("values of ratings", ratings.values, 4 * ratings.nnz);
}

InputAxis rows_axis(const FactorsView& factors, int draw) {
  return {{factors.data, factors.rows, int64_t{4} * factors.pitch}, draw, 0};
}

InputAxis items_axis(const Buffer& buffer, int64_t item_bytes, int draw) {
  return {{buffer.data(), buffer.bytes() / item_bytes, item_bytes}, draw, 0};
}

void mirror(Device& device, const std::vector<InputAxis>& axes, uint64_t draw, InputPart part) {
  for (const InputAxis& input : axes) {
    const uint64_t word = random_word(draw, static_cast<uint64_t>(input.draw), 0);
    const ItemAxis axis = part == InputPart::few ? few_of(input, mix64(word)) : input.axis;
    if (axis.count > 1)
      device.mirror(axis, static_cast<int64_t>(word % static_cast<uint64_t>(axis.count)));
  }
}

}  // namespace alsbench
