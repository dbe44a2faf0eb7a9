// SPDX-License-Identifier: Apache-2.0
#include "harness/data/csr.h"

#include <omp.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "harness/data/array_builder.h"
#include "harness/data/bucket_sort.h"
#include "kernels/cpu/first_error.h"

namespace alsbench {
namespace {

constexpr int64_t kAscentBlock = 1 << 14;
constexpr int64_t kLargeBlock = 1 << 16;  // of smaller ones none is worth all threads

// The first row whose cells begin at or after `position`.
int64_t row_at(const Csr& matrix, int64_t position) {
  return std::lower_bound(matrix.offsets.begin(), matrix.offsets.end(), position) -
         matrix.offsets.begin();
}

// Rows are sorted in blocks of 2^bits, of which there are some 200: so few are written to at
// once, and the ratings of one fit into a cache. Rows of a block are numbers of 16 bits.
int block_bits(int64_t rows) {
  constexpr int kBlockBits = 8, kMaxBits = 16;
  return std::clamp(static_cast<int>(std::bit_width(static_cast<uint64_t>(rows))) - kBlockBits, 0,
                    kMaxBits);
}

struct MatrixSize {
  int64_t rows, cols, nnz;
};

// Cells that are sorted where they are: their columns, values and rows within the block.
struct BlockView {
  int64_t begin = 0;  // of the block among all cells
  std::span<int32_t> cols;
  std::span<float> values;
  std::span<const uint16_t> row_of;
  std::span<int64_t> row_ends;  // is set to the end of each row among all cells
};

// Sorts a block by row on all threads: popular items may have half of all ratings.
void sort_together(const BlockView& block) {
  const auto count = std::ssize(block.cols);
  const auto rows = std::ssize(block.row_ends);
  ArrayBuilder<int32_t> cols(count);
  ArrayBuilder<float> values(count);
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t i = 0; i < count; ++i) {
    cols[i] = block.cols[static_cast<size_t>(i)];
    values[i] = block.values[static_cast<size_t>(i)];
  }
  const int parts = sort_parts(count, rows);
  const auto visit = [&](int part, auto&& each) {
    for (int64_t i = count * part / parts; i < count * (part + 1) / parts; ++i)
      each(int64_t{block.row_of[static_cast<size_t>(i)]}, i);
  };
  const Array<int64_t> begins = bucket_sort(parts, rows, visit, [&](int64_t place, int64_t i) {
    block.cols[static_cast<size_t>(place)] = cols[i];
    block.values[static_cast<size_t>(place)] = values[i];
  });
  for (int64_t row = 0; row < rows; ++row)
    block.row_ends[static_cast<size_t>(row)] = block.begin + begins[row + 1];
}

// The cells of a block, which move to and fro.
struct BlockCells {
  std::vector<int32_t> cols;
  std::vector<float> values;

  // Sorts a block by row in this thread.
  void sort(const BlockView& block) {
    cols.assign(block.cols.begin(), block.cols.end());
    values.assign(block.values.begin(), block.values.end());
    std::fill(block.row_ends.begin(), block.row_ends.end(), 0);
    for (const uint16_t row : block.row_of) ++block.row_ends[row];
    int64_t place = block.begin;
    for (int64_t& row_end : block.row_ends) place += std::exchange(row_end, place);
    for (size_t i = 0; i < block.row_of.size(); ++i) {
      const auto at = static_cast<size_t>(block.row_ends[block.row_of[i]]++ - block.begin);
      block.cols[at] = cols[i];
      block.values[at] = values[i];
    }
  }
};

// Sorts each block by row: view(block) is the one that has the cells from begins[block] on.
template <class View>
void sort_blocks(const Array<int64_t>& begins, const View& view) {
  const int64_t blocks = begins.size() - 1;
  // One thread would be at such a block when all others have ended.
  const int64_t large = std::max(kLargeBlock, begins[blocks] / (4 * omp_get_max_threads()));
  const auto is_large = [&](int64_t block) { return begins[block + 1] - begins[block] > large; };
  FirstError error;
#pragma omp parallel
  {
    BlockCells cells;
#pragma omp for schedule(dynamic, 1)
    for (int64_t block = 0; block < blocks; ++block)
      if (!is_large(block)) error.run([&] { cells.sort(view(block)); });
  }
  error.rethrow();
  for (int64_t block = 0; block < blocks; ++block)
    if (is_large(block)) sort_together(view(block));
}

// The matrix of cells that visit(part, f) gives as f(row, col, value); cells of a row stay in this
// order. First they are sorted into blocks of rows, then in each.
template <class Visit>
Csr sorted_by_row(int parts, const MatrixSize& size, const Visit& visit) {
  const int bits = block_bits(size.rows);
  const int64_t blocks = (size.rows >> bits) + 1;
  ArrayBuilder<int64_t> offsets(size.rows + 1);
  ArrayBuilder<int32_t> indices(size.nnz);
  ArrayBuilder<float> values(size.nnz);
  ArrayBuilder<uint16_t> row_of(size.nnz);
  const auto mask = static_cast<int32_t>((int64_t{1} << bits) - 1);
  const auto visit_blocks = [&](int part, auto&& each) {
    visit(part, [&each, bits](int32_t row, int32_t col, float value) {
      each(row >> bits, row, col, value);
    });
  };
  const auto put = [mask, to_col = indices.data(), to_value = values.data(),
                    to_row = row_of.data()](int64_t place, int32_t row, int32_t col, float value) {
    to_col[place] = col;
    to_value[place] = value;
    to_row[place] = static_cast<uint16_t>(row & mask);
  };
  const Array<int64_t> begins = bucket_sort(parts, blocks, visit_blocks, put);
  offsets[0] = 0;
  const auto view = [&](int64_t block) -> BlockView {
    const int64_t begin = begins[block], first = block << bits;
    const auto count = static_cast<size_t>(begins[block + 1] - begin);
    const auto rows = static_cast<size_t>(std::min(size.rows, (block + 1) << bits) - first);
    return {begin,
            {indices.data() + begin, count},
            {values.data() + begin, count},
            {row_of.data() + begin, count},
            {offsets.data() + first + 1, rows}};
  };
  sort_blocks(begins, view);
  return {size.rows, size.cols, offsets.freeze(), indices.freeze(), values.freeze()};
}

// Whether the cells are in the order of (row, col) already.
bool ascends(const RatingColumns& cells) {
  int falls = 0;
  const int64_t count = cells.values.size();
#pragma omp parallel for schedule(static) reduction(+ : falls)  // cannot throw
  for (int64_t begin = 0; begin < count; begin += kAscentBlock) {
    const int64_t end = std::min(count - 1, begin + kAscentBlock);
    for (int64_t i = begin; i < end && falls == 0; ++i)
      falls += cells.rows[i] > cells.rows[i + 1] ||
               (cells.rows[i] == cells.rows[i + 1] && cells.cols[i] > cells.cols[i + 1]);
  }
  return falls == 0;
}

Csr ascending_csr(const RatingColumns& cells, int64_t rows, int64_t cols) {
  const int64_t nnz = cells.values.size();
  ArrayBuilder<int64_t> offsets(rows + 1);
  ArrayBuilder<int32_t> indices(nnz);
  ArrayBuilder<float> values(nnz);
  // A row begins behind the last cell of those before it.
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t i = 0; i < nnz; ++i) {
    indices[i] = cells.cols[i];
    values[i] = cells.values[i];
    const int64_t before = i == 0 ? -1 : cells.rows[i - 1];
    for (int64_t row = before; row < cells.rows[i]; ++row) offsets[row + 1] = i;
  }
  const int64_t last = nnz == 0 ? -1 : cells.rows[nnz - 1];
  for (int64_t row = last; row < rows; ++row) offsets[row + 1] = nnz;
  return {rows, cols, offsets.freeze(), indices.freeze(), values.freeze()};
}

// The lengths of rows that would stand at ascending `places` if rows were in the order of length.
// Counted, where there are more rows than lengths.
std::array<int64_t, 7> ordered_lengths(std::span<const int64_t> offsets,
                                       const std::array<int64_t, 7>& places) {
  std::array<int64_t, 7> found{};
  std::vector<int64_t> lengths(offsets.size() - 1);
  for (size_t row = 0; row < lengths.size(); ++row) lengths[row] = offsets[row + 1] - offsets[row];
  if (*std::max_element(lengths.begin(), lengths.end()) >= std::ssize(lengths)) {
    std::sort(lengths.begin(), lengths.end());
    for (size_t i = 0; i < places.size(); ++i) found[i] = lengths[static_cast<size_t>(places[i])];
    return found;
  }
  const std::vector<int64_t> rows = rows_of_length(offsets);
  int64_t length = 0, shorter = 0;  // than the length
  for (size_t i = 0; i < places.size(); ++i) {
    while (shorter + rows[static_cast<size_t>(length)] <= places[i])
      shorter += rows[static_cast<size_t>(length++)];
    found[i] = length;
  }
  return found;
}

}  // namespace

int sort_parts(int64_t elements, int64_t buckets) {
  const int64_t affordable = std::max<int64_t>(1, elements / std::max<int64_t>(1, buckets / 4));
  return static_cast<int>(std::clamp<int64_t>(affordable, 1, omp_get_max_threads()));
}

Csr csr_of(RatingColumns ratings, int64_t rows, int64_t cols) {
  if (ascends(ratings)) return ascending_csr(ratings, rows, cols);
  const int64_t nnz = ratings.values.size();
  const int parts = sort_parts(nnz, cols >> block_bits(cols));
  const Csr by_col = sorted_by_row(parts, {cols, rows, nnz}, [&](int part, auto&& each) {
    for (int64_t i = nnz * part / parts; i < nnz * (part + 1) / parts; ++i)
      each(ratings.cols[i], ratings.rows[i], ratings.values[i]);
  });
  ratings = {};
  return transpose(by_col);
}

Csr build_csr(std::span<const Rating> ratings, int64_t rows, int64_t cols) {
  const auto nnz = std::ssize(ratings);
  const int parts = sort_parts(nnz, cols >> block_bits(cols));
  const Csr by_col = sorted_by_row(parts, {cols, rows, nnz}, [&](int part, auto&& each) {
    for (int64_t i = nnz * part / parts; i < nnz * (part + 1) / parts; ++i) {
      const Rating& rating = ratings[static_cast<size_t>(i)];
      each(rating.col, rating.row, rating.value);
    }
  });
  return transpose(by_col);
}

Array<int32_t> rows_of_cells(std::span<const int64_t> offsets) {
  ArrayBuilder<int32_t> rows(offsets.back());
  const size_t count = offsets.size() - 1;
#pragma omp parallel for schedule(dynamic, 1024)  // cannot throw
  for (size_t row = 0; row < count; ++row)
    std::fill(rows.data() + offsets[row], rows.data() + offsets[row + 1],
              static_cast<int32_t>(row));
  return rows.freeze();
}

int64_t cells_in_both(const Csr& a, const Csr& b) {
  int64_t cells = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : cells)  // cannot throw
  for (int64_t row = 0; row < std::min(a.rows, b.rows); ++row) {
    const int32_t* const end = b.indices.data() + b.offsets[row + 1];
    const int32_t* at = b.indices.data() + b.offsets[row];
    for (int64_t i = a.offsets[row]; i < a.offsets[row + 1]; ++i) {
      at = std::lower_bound(at, end, a.indices[i]);
      if (at == end) break;
      cells += *at == a.indices[i];
    }
  }
  return cells;
}

Csr transpose(const Csr& matrix) {
  const int64_t nnz = matrix.nnz();
  const int parts = sort_parts(nnz, matrix.cols >> block_bits(matrix.cols));
  return sorted_by_row(parts, {matrix.cols, matrix.rows, nnz}, [&](int part, auto&& each) {
    const int64_t last = part + 1 == parts ? matrix.rows : row_at(matrix, nnz / parts * (part + 1));
    for (int64_t row = part == 0 ? 0 : row_at(matrix, nnz / parts * part); row < last; ++row) {
      for (int64_t i = matrix.offsets[row]; i < matrix.offsets[row + 1]; ++i)
        each(matrix.indices[i], static_cast<int32_t>(row), matrix.values[i]);
    }
  });
}

std::vector<int64_t> rows_of_length(std::span<const int64_t> offsets) {
  std::vector<int64_t> rows;
  for (size_t row = 0; row + 1 < offsets.size(); ++row) {
    const auto length = static_cast<size_t>(offsets[row + 1] - offsets[row]);
    if (length >= rows.size()) rows.resize(length + 1, 0);
    ++rows[length];
  }
  return rows;
}

Shape shape_of(const Csr& matrix, int32_t rank) {
  Shape shape{.rows = matrix.rows,
              .cols = matrix.cols,
              .nnz = matrix.nnz(),
              .rank = rank,
              .row_length_quantiles = {},
              .batch_rows = 0};
  if (matrix.rows == 0) return shape;
  constexpr std::array<double, 7> kQuantiles{0, 0.25, 0.5, 0.75, 0.9, 0.99, 1};
  std::array<int64_t, 7> places{};
  for (size_t i = 0; i < kQuantiles.size(); ++i)
    places[i] = std::lround(kQuantiles[i] * static_cast<double>(matrix.rows - 1));
  shape.row_length_quantiles = ordered_lengths(matrix.offsets.span(), places);
  return shape;
}

int64_t empty_rows(const Csr& matrix) {
  int64_t count = 0;
  for (int64_t row = 0; row < matrix.rows; ++row) {
    count += matrix.offsets[row + 1] == matrix.offsets[row];
  }
  return count;
}

}  // namespace alsbench
