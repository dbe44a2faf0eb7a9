// SPDX-License-Identifier: Apache-2.0
// Rows of ratings longer than a chunk are cut into pieces, which are worked on like rows and summed
// afterwards: no warp or block is left alone with a long row. Pieces and rows that are not much
// shorter are listed and handed out first, so warps end together; or all rows are listed. Workspace
// that the kernels that list, order, work and sum share. Plain constants, seen by plans too.
#pragma once

#include "kernels/shared/params/als.h"

namespace alsbench {

// Unit of work of a warp or block: a row of ratings, or a piece of a long row. Read word by word:
// the first four words are also those of two neighbouring row offsets.
struct RowItem {
  int64_t begin = 0;  // first cell of the ratings
  // begin - ratings: by this negative length an item of the list is told from a row that is listed,
  // and passed over where rows are taken in their order.
  int64_t mirrored_end = 0;
  int32_t row = -1;    // of the batch; -1: no more work
  int32_t slot = -1;   // where the sums of a piece go; -1: a whole row
  int32_t bucket = 0;  // of its first column; where items are ordered by it
  int32_t unused = 0;

  ALSBENCH_HOST_DEVICE constexpr int count() const {
    return static_cast<int>(begin - mirrored_end);
  }
};
inline constexpr int kRowItemWords = 8;

// A row that was cut: its pieces' sums lie in the slots [slot, slot + pieces).
struct SplitRow {
  int32_t row = 0;
  int32_t count = 0;  // ratings
  int32_t slot = 0;
  int32_t pieces = 0;
};

// Rows of at most PieceLayout::short_ratings are solved in shared memory (update/short_rows.cuh):
// classes of rows that need as much of it as each other.
inline constexpr int kShortClasses = 8;
ALSBENCH_HOST_DEVICE constexpr int short_class_ratings(int number) {
  constexpr int kRatings[kShortClasses] = {64, 128, 192, 256, 384, 512, 768, 1024};
  return kRatings[number];
}
ALSBENCH_HOST_DEVICE constexpr int short_class(int ratings) {
  int number = 0;
  while (short_class_ratings(number) < ratings) ++number;
  return number;
}
// At the front of the workspace, cleared before each execution; so are the counters behind it.
struct RowCounters {
  // The next item to hand out: a row of the batch, or item -1 - ticket of the list. Begins at minus
  // the listed items that are not short.
  int32_t tickets = 0;
  uint32_t slots = 0;
  uint32_t split_rows = 0;
  uint32_t items = 0;                            // that are not short
  uint32_t short_begin[kShortClasses + 1] = {};  // in the list, of each class
};

// A row is listed without being cut where it has more than a quarter of a chunk.
inline constexpr int kListedParts = 4;

// Columns are divided into so many buckets to order items by.
inline constexpr int kColumnBuckets = 1024;
// Classes of length, four to a doubling, by which a list of all rows is in order.
inline constexpr int kLengthClasses = 64;
ALSBENCH_HOST_DEVICE constexpr int length_class(int ratings) {
  int doublings = 0;
  while (ratings >> doublings >= 8) ++doublings;
  const int number = 4 * doublings + (ratings >> doublings);
  return number < kLengthClasses ? number : kLengthClasses - 1;
}
// The keys that such a list is sorted by: rows and pieces by length, or pieces by column; short
// rows.
inline constexpr int kColumnKeys = kLengthClasses, kShortKeys = kColumnKeys + kColumnBuckets,
                     kItemKeys = kShortKeys + kShortClasses;

struct PieceWorkspace {
  int64_t nnz = 0;         // 0: no row is cut
  int chunk = 0;           // ratings of a piece
  int64_t slot_bytes = 0;  // of the sums of a piece
  int64_t rows = 0;        // of a batch, all of which are listed; 0: long ones alone
  int short_ratings = 0;   // rows of at most so many are short
  bool dealt = false;      // the items, so all are in order of length; else warps take them

  // Of buckets or keys: their items, then how many of them are placed.
  static constexpr int64_t kCountersAt = 64;
  static constexpr int64_t kItemsAt = kCountersAt + 2 * 4 * int64_t{kItemKeys};

  // A row is cut when it is longer than a chunk, so ceil(n / chunk) <= 2 n / chunk.
  ALSBENCH_HOST_DEVICE constexpr int64_t max_split_rows() const { return nnz / chunk; }
  ALSBENCH_HOST_DEVICE constexpr int64_t max_pieces() const { return 2 * (nnz / chunk); }
  ALSBENCH_HOST_DEVICE constexpr int64_t max_items() const {
    return max_pieces() + (rows > 0 ? rows : kListedParts * nnz / chunk);
  }
  ALSBENCH_HOST_DEVICE constexpr int64_t ordered_at() const {  // the items again, by first column
    return kItemsAt + max_items() * static_cast<int64_t>(sizeof(RowItem));
  }
  ALSBENCH_HOST_DEVICE constexpr int64_t split_rows_at() const {
    return ordered_at() + (rows > 0 ? 0 : max_items() * static_cast<int64_t>(sizeof(RowItem)));
  }
  ALSBENCH_HOST_DEVICE constexpr int64_t sums_at() const {
    const int64_t end = split_rows_at() + max_split_rows() * static_cast<int64_t>(sizeof(SplitRow));
    return (end + 255) / 256 * 256;
  }
  ALSBENCH_HOST_DEVICE constexpr int64_t bytes() const {
    return sums_at() + max_pieces() * slot_bytes;
  }
  ALSBENCH_HOST_DEVICE constexpr PieceLayout layout(bool ordered) const {
    constexpr int kNone = 0x7fffffff;
    const bool all = rows > 0;
    return {
        chunk,           ordered ? 1 : 0, dealt ? 0 : all || nnz > 0 ? chunk / kListedParts : kNone,
        all ? 1 : 0,     short_ratings,   ordered && !all ? ordered_at() : kItemsAt,
        split_rows_at(), sums_at()};
  }
};
static_assert(sizeof(RowCounters) <= PieceWorkspace::kCountersAt, "they stand before the others");
static_assert(PieceWorkspace::kItemsAt % sizeof(RowItem) == 0, "items are aligned");

}  // namespace alsbench
