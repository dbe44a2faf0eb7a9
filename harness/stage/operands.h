// SPDX-License-Identifier: Apache-2.0
// Operands: the memory that a stage's variants read and write, as the guard of honest measurement
// sees it (harness/measure/guard.h).
#pragma once

#include <vector>

#include "harness/device/device.h"

namespace alsbench {

// An axis of an input. Items that change places along it make another input of the same kind: sums
// are of other terms, and times are the same. Axes with one `draw` are mirrored alike.
struct InputAxis {
  ItemAxis axis;
  int draw = 0;
  // Where a system lies in several runs: how many. 0: items are rows of a table.
  int64_t runs_of_system = 0;
};

enum class InputPart { whole, few };

struct Operands {
  std::vector<Region> inputs;   // which executions leave as they are
  std::vector<Region> outputs;  // which they write as a whole
  std::vector<InputAxis> axes;  // of inputs
};

Numbers numbers_of(Scalar type);
Region region_of(const char* name, const void* data, int64_t bytes, Numbers numbers);
Region region_of(const char* name, const Buffer& buffer, Numbers numbers = Numbers::other);
// Rows [first, first + count) of floats, without their padding.
Region rows_of(const char* name, const FactorsView& factors, int64_t first, int64_t count);
Region rows_of(const char* name, const FactorsView& factors);
// Offsets, columns and values; those that there are.
void add_ratings(const RatingsView& ratings, std::vector<Region>& regions);
// The rows of a table of floats.
InputAxis rows_axis(const FactorsView& factors, int draw = 0);
// The items of a buffer.
InputAxis items_axis(const Buffer& buffer, int64_t item_bytes, int draw = 0);

// Mirrors the axes, enqueued.
void mirror(Device& device, const std::vector<InputAxis>& axes, uint64_t draw, InputPart part);

}  // namespace alsbench
