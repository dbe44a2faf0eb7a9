// SPDX-License-Identifier: Apache-2.0
// Params of the harness's own small kernels: the clock probe during timed regions, the conversion
// of factors to other types, sums, the guard of honest measurement, and the drawing of synthetic
// ratings.
#pragma once

#include "kernels/shared/byte_factors.h"
#include "kernels/shared/generate.h"
#include "kernels/shared/regions.h"
#include "kernels/shared/types.h"
#include "kernels/shared/views.h"

namespace alsbench {

inline constexpr uint32_t kClockMarks = 1024;  // more than any device has multiprocessors

// Clocks of a multiprocessor before the work of a sample.
struct ClockMark {
  uint64_t sample, cycles, nanoseconds;
};

// Time on a multiprocessor since then; zeros where that is not known.
struct ClockSpan {
  uint64_t cycles, nanoseconds;
};

struct ClockProbeParams {
  ClockMark* marks = nullptr;     // kClockMarks, by the multiprocessor's number
  ClockSpan* spans = nullptr;     // one a block; null before the work: marks are written then
  uint64_t sample = 0;            // its number, from 1 on: marks of other samples do not count
  uint64_t spin_nanoseconds = 0;  // that the launch before the work takes
};

struct ConvertParams {
  void* target = nullptr;  // elements of the kernel's type
  const float* source = nullptr;
  int64_t count = 0;
  uint32_t* overflows = nullptr;  // plus the finite numbers that became infinite; may be null
};

struct WidenParams {
  float* target = nullptr;
  const void* source = nullptr;  // elements of the kernel's type
  int64_t count = 0;
};

struct AddUpParams {
  int64_t* total = nullptr;  // plus the sum
  const int32_t* values = nullptr;
  int64_t count = 0;
};

struct DigestParams {
  Region region;
  Digest* digest = nullptr;  // plus that of the region
};

struct MirrorParams {
  ItemAxis axis;
  int64_t about = 0;
};

// A team whose devices write into each other's memory.
inline constexpr int32_t kMaxTeam = 8;

// Copies in the memory of the other devices.
struct CopiesElsewhere {
  int32_t count = 0;
  void* copies[kMaxTeam - 1] = {};
};

// The largest magnitudes that the members found in their rows, as bits: what each device has of
// all.
struct SharedLargest {
  uint32_t of[kMaxTeam][CarriedScales::kMaxRank];
};

struct QuantizeParams {
  void* target = nullptr;  // a copy as kernels/shared/byte_factors.h lays it out
  FactorsView source;      // floats
  int64_t first_row = 0;   // of the factors: that of the source's first one
  Int8Weights weights = {};
  CopiesElsewhere elsewhere = {};  // that get the rows, too
  // Of so many members; they become those of the copy. Null: they are there already.
  const SharedLargest* shared = nullptr;
  int32_t members = 0;
  ByteScales scales = ByteScales::own;
  const CarriedScales* carried = nullptr;  // unless they are their own
};

// A member's largest magnitudes, those of a copy, go to all devices.
struct ShareLargestParams {
  const void* copy = nullptr;
  int32_t rank = 0;
  int32_t member = 0;
  int32_t devices = 0;
  SharedLargest* everywhere[kMaxTeam] = {};
};

// The scales of a copy's next rows are those of the largest magnitudes there, which become zero.
struct CarryScalesParams {
  void* copy = nullptr;
  int32_t rank = 0;
  CarriedScales* carried = nullptr;
};

struct DrawRowsParams {
  ItemWeights weights;
  ValueModel values;
  uint64_t seed = 1;
  const int64_t* offsets = nullptr;       // rows + 1; of the rows of this launch
  const int32_t* item_of_rank = nullptr;  // item id of each rank of weight
  const Latent* latent_items = nullptr;   // cols
  int64_t first_row = 0;                  // user of block 0
  int64_t cols = 0;
  int32_t* indices = nullptr;  // at offsets[row] - offsets[first row], ascending in a row
  float* ratings = nullptr;
};

}  // namespace alsbench
