// SPDX-License-Identifier: Apache-2.0
// Shared memory of the kernel of short rows (update/short_rows.cuh). Plain constants, seen by the
// kernel and by its plan.
#pragma once

#include "kernels/cuda/mma/layout.cuh"

namespace alsbench {

struct ShortRowLayout {
  int rank = 0;
  int ratings = 0;  // that a row may have
  int warps = 1;    // that share a row, the block

  static constexpr int kGroup = 32;     // ratings that an instruction multiplies
  static constexpr int kDigits = 3;     // bytes of a number that is multiplied by factors
  static constexpr int kSums = 6;       // that a step takes over the warps
  static constexpr int kMaxGroups = 8;  // of a warp: its sums of bytes stay below kMaxBiased

  ALSBENCH_HOST_DEVICE constexpr int groups() const { return (ratings + kGroup - 1) / kGroup; }
  ALSBENCH_HOST_DEVICE constexpr int warp_groups() const { return (groups() + warps - 1) / warps; }
  // Blocks of 16 features, rows of a product by the transposed factors; blocks of 32, columns of
  // a product by the factors.
  ALSBENCH_HOST_DEVICE constexpr int blocks() const { return (rank + 15) / 16; }
  ALSBENCH_HOST_DEVICE constexpr int wide_blocks() const { return (blocks() + 1) / 2; }

  // Of a group: its factor rows, a number for each rating, and the digits of these numbers.
  ALSBENCH_HOST_DEVICE constexpr int row_bytes() const { return layout_of_bytes().row_bytes(); }
  ALSBENCH_HOST_DEVICE constexpr int vectors() const { return layout_of_bytes().vectors(); }
  ALSBENCH_HOST_DEVICE constexpr int numbers_at() const { return kGroup * row_bytes(); }
  ALSBENCH_HOST_DEVICE constexpr int digits_at() const { return numbers_at() + 4 * kGroup; }
  ALSBENCH_HOST_DEVICE constexpr int group_bytes() const { return digits_at() + kDigits * kGroup; }
  // Behind the groups of all warps.
  ALSBENCH_HOST_DEVICE constexpr int direction_at() const {
    return warps * warp_groups() * group_bytes();
  }
  ALSBENCH_HOST_DEVICE constexpr int direction_pitch() const { return 32 * wide_blocks(); }
  ALSBENCH_HOST_DEVICE constexpr int partials_at() const {
    return direction_at() + kDigits * direction_pitch();
  }
  ALSBENCH_HOST_DEVICE constexpr int scales_at() const {
    return partials_at() + warps * 4 * 16 * blocks();
  }
  ALSBENCH_HOST_DEVICE constexpr int sums_at() const { return scales_at() + 4 * 16 * blocks(); }
  ALSBENCH_HOST_DEVICE constexpr int largest_at() const {
    return sums_at() + (warps > 1 ? 2 * 4 * kSums * warps : 0);
  }
  ALSBENCH_HOST_DEVICE constexpr int shared_bytes() const {
    return (largest_at() + 4 * rank + 15) / 16 * 16;
  }

  // Elements of a vector that a thread owns.
  ALSBENCH_HOST_DEVICE constexpr int owned() const {
    return (rank + 32 * warps - 1) / (32 * warps);
  }
  // Registers that a thread needs: sums, operands, and what CG owns. Blocks of a multiprocessor.
  ALSBENCH_HOST_DEVICE constexpr int registers() const {
    const int wanted = 4 * blocks() + 4 * owned() + 56;
    return wanted < 80 ? 80 : (wanted + 7) / 8 * 8;
  }
  // `spread`: as if the registers were one file. Each quarter of a multiprocessor holds whole warps
  // of its own 16,384, so threads then have some registers fewer. Where they are not, ptxas takes
  // some more for each element that CG owns.
  ALSBENCH_HOST_DEVICE constexpr int blocks_at_once(int64_t shared, bool spread) const {
    constexpr int kMaxBlocks = 32, kReserved = 1024, kMoreOfEach = 3;
    const int more = registers() + kMoreOfEach * owned();
    int maximum = spread ? 65536 / (32 * warps * registers()) : 16384 / (32 * more) * 4 / warps;
    const int by_shared = static_cast<int>(shared / (shared_bytes() + kReserved));
    maximum = maximum < by_shared ? maximum : by_shared;
    maximum = maximum < kMaxBlocks ? maximum : kMaxBlocks;
    return maximum < 1 ? 1 : maximum;
  }

 private:
  ALSBENCH_HOST_DEVICE constexpr MmaLayout layout_of_bytes() const {
    MmaLayout layout;
    layout.rank = rank;
    layout.element = 1;
    return layout;
  }
};

// Warps that share a row of a class: two groups each.
ALSBENCH_HOST_DEVICE constexpr int short_class_warps(int number) {
  return short_class_ratings(number) / (2 * ShortRowLayout::kGroup);
}

}  // namespace alsbench
