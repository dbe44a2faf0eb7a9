// SPDX-License-Identifier: Apache-2.0
// StreamedRatings: the ratings of both sides where a device does not hold them all. The rows of a
// side are cut into blocks. The device keeps the ratings of the first blocks. Those of the others
// come from the host into one of two windows, while the device works on the block before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/data/csr.h"
#include "harness/data/side.h"
#include "harness/device/device.h"
#include "harness/problem/rating_cells.h"
#include "harness/problem/row_range.h"
#include "kernels/shared/views.h"

namespace alsbench {

// Consecutive ranges of `rows` with at most `maximum` ratings each, that begin at multiples of
// `step` rows. Throws OutOfMemoryError where `step` rows have more.
std::vector<RowRange> blocks_of(const Array<int64_t>& offsets, RowRange rows, int64_t step,
                                int64_t maximum);
// The most ratings of `step` rows: what a block has at least room for.
int64_t min_block_ratings(const Array<int64_t>& offsets, RowRange rows, int64_t step);

// A side of a problem, as it is streamed.
struct StreamedSide {
  const Csr* matrix = nullptr;
  RatingsView view;  // with offsets on the device, without indices and values
  RowRange rows;     // that are read
  int64_t step = 1;  // blocks begin at multiples of so many rows
  int64_t kept = 0;  // ratings that the device keeps at most
};

class StreamedRatings {
 public:
  // `window`: ratings of a block at most. Throws OutOfMemoryError. The matrices and the device must
  // outlive it.
  StreamedRatings(Device& device, const StreamedSide& x, const StreamedSide& theta, int64_t window);

  const std::vector<RowRange>& blocks(Side side) const { return of(side).blocks; }
  // The most ratings of a block.
  int64_t window() const { return window_; }
  // Ratings of both sides that the device keeps, and that come from the host in each iteration.
  int64_t kept() const { return of(Side::x).kept + of(Side::theta).kept; }
  int64_t brought() const;

  // The ratings of a block, for work that is enqueued from now on until next() is called. Indices
  // and values are those of its rows alone, at the offsets of the whole matrix.
  RatingsView bring(Side side, size_t block);
  // Call when the work on a block is enqueued: the block after it begins to come meanwhile.
  void next(Side side, size_t block);

 private:
  struct Streamed {
    StreamedSide side;
    std::vector<RowRange> blocks;
    size_t kept_blocks = 0;
    int64_t kept = 0;   // ratings
    RatingCells cells;  // of these blocks
  };
  struct Window {
    RatingCells cells;
    std::unique_ptr<Event> read;  // when what it holds has been read
    const Streamed* side = nullptr;
    size_t block = 0;
  };

  const Streamed& of(Side side) const { return side == Side::x ? x_ : theta_; }
  Streamed cut(const StreamedSide& side);
  Window* window_of(const Streamed& streamed, size_t block);
  Window& fetch(const Streamed& streamed, size_t block);

  Device* device_;
  int64_t window_;
  Streamed x_, theta_;
  std::array<Window, 2> windows_;
  size_t oldest_ = 0;  // of windows_
};

}  // namespace alsbench
