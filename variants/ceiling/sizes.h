// SPDX-License-Identifier: Apache-2.0
// Sizes of the stages of the family variants/ceiling. Stages that are compared on a shape take
// their sizes from it, bounded to fit any device. Others keep the device busy for about a
// millisecond.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "variants/core/device_traits.h"
#include "variants/core/shape.h"

namespace alsbench {

constexpr int64_t kMiB = int64_t{1} << 20;

constexpr int kCeilingThreads = 256;  // of a block
constexpr int kStreamsOfBlock = kCeilingThreads / 32;

inline int64_t units(const DeviceTraits& traits) { return std::max(1, traits.multiprocessors); }

// Bytes of a copy: of rows x rank^2 floats, 64 MiB to 1 GiB.
inline int64_t copy_bytes(const Shape& shape) {
  const int64_t matrices = shape.rows * shape.rank * shape.rank * int64_t{4};
  return std::clamp(matrices / 256 * 256, 64 * kMiB, 1024 * kMiB);
}

// Source of a read, and passes over it: its beginning and end take hardly a percent.
inline int64_t read_bytes(const DeviceTraits& traits) {
  return traits.backend == Backend::cuda ? 1024 * kMiB
                                         : std::clamp(4 * traits.l2_bytes, 64 * kMiB, 1024 * kMiB);
}
inline int32_t read_passes(const DeviceTraits& traits) {
  return traits.backend == Backend::cuda ? 4 : 1;
}
// Parts of the source of a read.
inline int64_t read_tasks(const DeviceTraits& traits) {
  return units(traits) * (traits.backend == Backend::cuda ? 8 * kStreamsOfBlock : 64);
}

// Ratings whose factor rows (float) are gathered: at most 1 GiB of them.
inline int64_t gather_copy_rows(const Shape& shape) {
  const int64_t row_bytes = int64_t{4} * factor_pitch(shape.rank);
  return std::max<int64_t>(1, std::min(shape.nnz, 1024 * kMiB / row_bytes));
}

struct GemmShape {
  int64_t batch = 0;
  int64_t k = 0;  // the mean row length, at least 1
};
constexpr int64_t kGemmPadding = 16;  // what operands are padded to a multiple of, in memory
constexpr int64_t padded_for_gemm(int64_t size) {
  return (size + kGemmPadding - 1) / kGemmPadding * kGemmPadding;
}
// As many rows as keep A within 4 GiB.
inline GemmShape gemm_shape(const Shape& shape) {
  const int64_t k = std::max<int64_t>(1, std::llround(shape.mean_row_length()));
  const int64_t maximum = std::max<int64_t>(1, 4096 * kMiB / (k * shape.rank * int64_t{4}));
  return {std::clamp<int64_t>(shape.rows, 1, maximum), k};
}

// Chains are so long that what comes before and after them takes less than a percent. A task is a
// block, or what a CPU steps at a time.
constexpr int kFmaSteps = 1 << 16, kMmaSteps = 1 << 12;
inline int64_t fma_tasks(const DeviceTraits& traits) {
  return units(traits) * (traits.backend == Backend::cuda ? 8 : 4);
}
inline int64_t mma_blocks(const DeviceTraits& traits) { return units(traits) * 8; }
inline int64_t gather_streams(const DeviceTraits& traits) {
  return units(traits) * (traits.backend == Backend::cuda ? 32 * kStreamsOfBlock : 8);
}
constexpr int kSharedRows = 64;  // 32 KiB, of which every device has that much a block

}  // namespace alsbench
