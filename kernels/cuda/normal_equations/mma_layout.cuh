// How normal_equations/mma divides A_u into tensor-core tiles, and what its shared memory and its
// workspace hold. Plain constants, seen by the kernels (mma*.cuh) and by their plan
// (variants/normal_equations/normal_equations_cuda.cpp).
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

// What a warp works on at a time: a row of ratings, or a piece of a long row. Read word by word:
// the first four words are also those of two neighbouring row offsets.
struct MmaItem {
  int64_t begin = 0;  // cells [begin, end) of the ratings
  int64_t end = 0;
  int32_t row = -1;   // of the batch; -1: no more work
  int32_t slot = -1;  // where the sums of a piece go; -1: a whole row
  int64_t unused = 0;
};
constexpr int kMmaItemWords = 8;

// A row that was cut: its pieces' sums lie in the slots [slot, slot + pieces).
struct MmaSplitRow {
  int32_t row = 0;
  int32_t count = 0;  // ratings
  int32_t slot = 0;
  int32_t pieces = 0;
};

// At the front of the workspace, cleared before each execution.
struct MmaCounters {
  uint32_t tickets = 0;  // items handed out
  uint32_t pieces = 0;
  uint32_t split_rows = 0;
  uint32_t largest_bits = 0;  // of the batch's largest |rating|, a float
};

struct MmaLayout {
  int rank = 0;
  int stages = 4;  // groups of ratings in a warp's ring
  int warps = 4;   // of a block
  int output_bytes = 4;

  static constexpr int kGroup = 16;      // ratings that one instruction multiplies
  static constexpr int kMostTiles = 49;  // four registers each, of 255

  // The factors, zeros, and in the last two columns the rating as the sum of two halves: b_u is
  // then a part of the product. In shared memory those two are zeros; the ratings lie aside.
  ALSBENCH_HOST_DEVICE constexpr int columns() const { return (rank + 2 + 7) / 8 * 8; }
  // The lower triangle: `pairs` rows of tiles 16 high, each as long as it is needed (tiles are 8
  // wide); where 8 columns are left over, they are one more column of tiles and a corner.
  ALSBENCH_HOST_DEVICE constexpr int pairs() const { return columns() / 16; }
  ALSBENCH_HOST_DEVICE constexpr bool has_rest() const { return columns() % 16 != 0; }
  ALSBENCH_HOST_DEVICE constexpr int tile(int pair, int column) const {
    return pair * (pair + 1) + column;
  }
  ALSBENCH_HOST_DEVICE constexpr int rest_tile(int pair) const {
    return pairs() * (pairs() + 1) + pair;  // pair == pairs(): the corner
  }
  ALSBENCH_HOST_DEVICE constexpr int tiles() const {
    return pairs() * (pairs() + 1) + (has_rest() ? pairs() + 1 : 0);
  }

  // Of a factor row in shared memory. An odd number of 16-byte vectors: ldmatrix then meets no bank
  // twice.
  ALSBENCH_HOST_DEVICE constexpr int row_bytes() const {
    return (columns() / 8 % 2 == 1 ? columns() / 8 : columns() / 8 + 1) * 16;
  }
  ALSBENCH_HOST_DEVICE constexpr int vectors() const { return (rank + 7) / 8; }  // that are copied
  // A group's factor rows, then the upper halves of its ratings, then the lower ones.
  ALSBENCH_HOST_DEVICE constexpr int ratings_at() const { return kGroup * row_bytes(); }
  ALSBENCH_HOST_DEVICE constexpr int stage_bytes() const { return ratings_at() + 2 * kGroup * 2; }
  // 16 rows of A_u on their way out.
  ALSBENCH_HOST_DEVICE constexpr int strip_bytes() const {
    return (16 * rank * output_bytes + 15) / 16 * 16;
  }
  ALSBENCH_HOST_DEVICE constexpr int warp_bytes() const {
    return stages * (stage_bytes() + kMmaItemWords * 4) + strip_bytes();
  }
  ALSBENCH_HOST_DEVICE constexpr int shared_bytes() const { return warps * warp_bytes(); }
  ALSBENCH_HOST_DEVICE constexpr int strips_bytes() const { return warps * strip_bytes(); }

  // The sums, the fragments of a group, and what the loop needs; a thread has 255 at most.
  ALSBENCH_HOST_DEVICE constexpr int registers() const {
    const int wanted = (4 * tiles() + 4 * pairs() + 64 + 7) / 8 * 8;
    return wanted < 256 ? wanted : 256;
  }
  // Blocks an SM should hold, of 64 Ki registers and `shared` bytes.
  ALSBENCH_HOST_DEVICE constexpr int blocks_per_multiprocessor(int64_t shared) const {
    constexpr int kMostWarps = 32, kReserved = 1024;
    const int by_registers = 65536 / (32 * warps * registers());
    const int by_shared = static_cast<int>(shared / (shared_bytes() + kReserved));
    int blocks = by_registers < by_shared ? by_registers : by_shared;
    if (blocks * warps > kMostWarps) blocks = kMostWarps / warps;
    return blocks < 1 ? 1 : blocks;
  }
};

// The workspace: counters, pieces, split rows, and the pieces' sums.
struct MmaWorkspace {
  int64_t nnz = 0;
  int chunk = 0;  // ratings of a piece

  // A row is cut when it is longer than a chunk, so that ceil(n / chunk) <= 2 n / chunk.
  ALSBENCH_HOST_DEVICE constexpr int64_t most_split_rows() const { return nnz / chunk; }
  ALSBENCH_HOST_DEVICE constexpr int64_t most_pieces() const { return 2 * (nnz / chunk); }
  ALSBENCH_HOST_DEVICE constexpr int64_t pieces_at() const { return 256; }
  ALSBENCH_HOST_DEVICE constexpr int64_t split_rows_at() const {
    return pieces_at() + most_pieces() * static_cast<int64_t>(sizeof(MmaItem));
  }
  ALSBENCH_HOST_DEVICE constexpr int64_t sums_at() const {
    const int64_t end =
        split_rows_at() + most_split_rows() * static_cast<int64_t>(sizeof(MmaSplitRow));
    return (end + 255) / 256 * 256;
  }
  ALSBENCH_HOST_DEVICE constexpr int64_t bytes(int tiles) const {
    return sums_at() + most_pieces() * tiles * 32 * 16;
  }
};

}  // namespace alsbench
