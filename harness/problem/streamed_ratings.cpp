// SPDX-License-Identifier: Apache-2.0
#include "harness/problem/streamed_ratings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace alsbench {

std::vector<RowRange> blocks_of(const Array<int64_t>& offsets, RowRange rows, int64_t step,
                                int64_t maximum) {
  std::vector<RowRange> blocks;
  for (int64_t first = rows.first; first < rows.end();) {
    int64_t end = first;
    while (end < rows.end()) {
      const int64_t next = std::min((end / step + 1) * step, rows.end());
      if (offsets[next] - offsets[first] > maximum) break;
      end = next;
    }
    if (end == first)
      throw OutOfMemoryError(fmt::format(
          "out of device memory: the {} ratings of {} rows from row {} on must be on the device "
          "at once, and there is room for {}; give it more memory",
          offsets[std::min((first / step + 1) * step, rows.end())] - offsets[first], step, first,
          maximum));
    blocks.push_back({first, end - first});
    first = end;
  }
  return blocks;
}

int64_t min_block_ratings(const Array<int64_t>& offsets, RowRange rows, int64_t step) {
  int64_t minimum = 0;
  for (int64_t first = rows.first; first < rows.end();) {
    const int64_t next = std::min((first / step + 1) * step, rows.end());
    minimum = std::max(minimum, offsets[next] - offsets[first]);
    first = next;
  }
  return minimum;
}

StreamedRatings::StreamedRatings(Device& device, const StreamedSide& x, const StreamedSide& theta,
                                 int64_t window)
    : device_(&device), window_(window), x_(cut(x)), theta_(cut(theta)) {
  for (Window& one : windows_) {
    one.cells = allocate_cells(device, window);
    one.read = device.make_event();
  }
}

StreamedRatings::Streamed StreamedRatings::cut(const StreamedSide& side) {
  const Array<int64_t>& offsets = side.matrix->offsets;
  Streamed streamed;
  streamed.side = side;
  streamed.blocks = blocks_of(offsets, side.rows, side.step, window_);
  const int64_t first = offsets[side.rows.first];
  for (const RowRange& block : streamed.blocks) {
    if (offsets[block.end()] - first > side.kept) break;
    streamed.kept = offsets[block.end()] - first;
    ++streamed.kept_blocks;
  }
  if (streamed.kept == 0) return streamed;
  streamed.cells = uploaded_cells(*device_, *side.matrix, first, first + streamed.kept);
  return streamed;
}

int64_t StreamedRatings::brought() const {
  int64_t ratings = 0;
  for (const Streamed* streamed : {&x_, &theta_}) {
    ratings += ratings_of(*streamed->side.matrix, streamed->side.rows) - streamed->kept;
  }
  return ratings;
}

StreamedRatings::Window* StreamedRatings::window_of(const Streamed& streamed, size_t block) {
  for (Window& window : windows_)
    if (window.side == &streamed && window.block == block) return &window;
  return nullptr;
}

// Into the window that was read longer ago.
StreamedRatings::Window& StreamedRatings::fetch(const Streamed& streamed, size_t block) {
  if (Window* const there = window_of(streamed, block)) return *there;
  Window& window = windows_[oldest_];
  oldest_ = 1 - oldest_;
  const Csr& matrix = *streamed.side.matrix;
  const RowRange rows = streamed.blocks[block];
  const int64_t first = matrix.offsets[rows.first], count = ratings_of(matrix, rows);
  const Event* const read = window.side != nullptr ? window.read.get() : nullptr;
  device_->upload_async(index_of(window.cells, first), matrix.indices.data() + first,
                        count * int64_t{sizeof(int32_t)}, read);
  device_->upload_async(value_of(window.cells, first), matrix.values.data() + first,
                        count * int64_t{sizeof(float)}, read);
  window.side = &streamed;
  window.block = block;
  return window;
}

RatingsView StreamedRatings::bring(Side side, size_t block) {
  const Streamed& streamed = of(side);
  const Array<int64_t>& offsets = streamed.side.matrix->offsets;
  const int64_t end = offsets[streamed.blocks[block].end()];
  const bool kept = block < streamed.kept_blocks;
  const RatingCells& cells = kept ? streamed.cells : fetch(streamed, block).cells;
  const int64_t first = offsets[streamed.blocks[kept ? 0 : block].first];
  return with_cells(streamed.side.view, cells, first, end);
}

void StreamedRatings::next(Side side, size_t block) {
  const Streamed& streamed = of(side);
  if (Window* const done = window_of(streamed, block)) done->read->record();
  const size_t after = block + 1;
  if (after < streamed.blocks.size() && after >= streamed.kept_blocks) fetch(streamed, after);
}

}  // namespace alsbench
