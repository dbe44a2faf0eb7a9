// SPDX-License-Identifier: Apache-2.0
// Rows of ratings longer than a chunk are cut into pieces, which are worked on like rows and summed
// afterwards: no warp or block is left alone with a long row. What the kernels that cut, order,
// work and sum leave each other in the workspace. Plain constants, seen by plans too.
#pragma once

#include "kernels/shared/params/als.h"

namespace alsbench {

// What a warp or block works on at a time: a row of ratings, or a piece of a long row. Read word by
// word: the first four words are also those of two neighbouring row offsets.
struct RowItem {
  int64_t begin = 0;  // cells [begin, end) of the ratings
  int64_t end = 0;
  int32_t row = -1;    // of the batch; -1: no more work
  int32_t slot = -1;   // where the sums of a piece go; -1: a whole row
  int32_t bucket = 0;  // of the piece's first column; where pieces are ordered by it
  int32_t unused = 0;
};
constexpr int kRowItemWords = 8;

// A row that was cut: its pieces' sums lie in the slots [slot, slot + pieces).
struct SplitRow {
  int32_t row = 0;
  int32_t count = 0;  // ratings
  int32_t slot = 0;
  int32_t pieces = 0;
};

// At the front of the workspace, cleared before each execution; so are the buckets' counters where
// pieces are ordered.
struct RowCounters {
  // The next item to hand out: a row of the batch, or piece -1 - ticket. Begins at minus the
  // pieces.
  int32_t tickets = 0;
  uint32_t pieces = 0;
  uint32_t split_rows = 0;
  uint32_t unused = 0;
};

// Rows of at most PieceLayout::short_ratings are solved in shared memory (update/short_rows.cuh):
// classes of rows that need as much of it as each other.
constexpr int kShortClasses = 8;
ALSBENCH_HOST_DEVICE constexpr int short_class_ratings(int number) {
  constexpr int kRatings[kShortClasses] = {64, 128, 192, 256, 384, 512, 768, 1024};
  return kRatings[number];
}
ALSBENCH_HOST_DEVICE constexpr int short_class(int ratings) {
  int number = 0;
  while (short_class_ratings(number) < ratings) ++number;
  return number;
}
struct ShortRow {
  int64_t begin = 0;  // first cell of the ratings
  int32_t count = 0;
  int32_t row = 0;  // of the batch
};
// Behind the RowCounters, cleared with them.
struct ShortRowCounters {
  uint32_t counted[kShortClasses + 1] = {};  // rows of each class, then those taken whole
  uint32_t placed[kShortClasses + 1] = {};

  // Where a class begins in the list of short rows.
  ALSBENCH_HOST_DEVICE uint32_t before(int number) const {
    uint32_t sum = 0;
    for (int i = 0; i < number; ++i) sum += counted[i];
    return sum;
  }
};

// Columns are divided into so many buckets to order pieces by.
constexpr int kColumnBuckets = 1024;

struct PieceWorkspace {
  int64_t nnz = 0;
  int chunk = 0;           // ratings of a piece
  int64_t slot_bytes = 0;  // of the sums of a piece
  // Where rows of at most so many ratings are short: that, and the rows of a batch.
  int short_ratings = 0;
  int64_t rows = 0;

  static constexpr int64_t kShortCountersAt = 64;
  static constexpr int64_t kBucketsAt = 256;  // their pieces, then how many of them are placed
  static constexpr int64_t kPiecesAt = kBucketsAt + 2 * 4 * int64_t{kColumnBuckets};

  // A row is cut when it is longer than a chunk, so that ceil(n / chunk) <= 2 n / chunk.
  ALSBENCH_HOST_DEVICE constexpr int64_t most_split_rows() const { return nnz / chunk; }
  ALSBENCH_HOST_DEVICE constexpr int64_t most_pieces() const { return 2 * (nnz / chunk); }
  ALSBENCH_HOST_DEVICE constexpr int64_t most_items() const {
    return most_pieces() + (short_ratings > 0 ? rows : 0);
  }
  ALSBENCH_HOST_DEVICE constexpr int64_t ordered_at() const {  // the pieces again, by first column
    return kPiecesAt + most_items() * static_cast<int64_t>(sizeof(RowItem));
  }
  ALSBENCH_HOST_DEVICE constexpr int64_t split_rows_at() const {
    return ordered_at() + most_pieces() * static_cast<int64_t>(sizeof(RowItem));
  }
  ALSBENCH_HOST_DEVICE constexpr int64_t sums_at() const {
    const int64_t end =
        split_rows_at() + most_split_rows() * static_cast<int64_t>(sizeof(SplitRow));
    return (end + 255) / 256 * 256;
  }
  ALSBENCH_HOST_DEVICE constexpr int64_t short_rows_at() const {
    return (sums_at() + most_pieces() * slot_bytes + 255) / 256 * 256;
  }
  ALSBENCH_HOST_DEVICE constexpr int64_t bytes() const {
    const int64_t short_bytes =
        short_ratings > 0 ? rows * static_cast<int64_t>(sizeof(ShortRow)) : 0;
    return short_rows_at() + (short_bytes + 255) / 256 * 256;
  }
  ALSBENCH_HOST_DEVICE constexpr PieceLayout layout(bool ordered) const {
    return {chunk,           ordered ? 1 : 0, short_ratings,  ordered ? ordered_at() : kPiecesAt,
            split_rows_at(), sums_at(),       short_rows_at()};
  }
};

}  // namespace alsbench
