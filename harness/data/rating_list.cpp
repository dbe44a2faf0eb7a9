// SPDX-License-Identifier: Apache-2.0
#include "harness/data/rating_list.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <queue>
#include <stdexcept>

#include "harness/data/bucket_sort.h"
#include "kernels/shared/generate.h"

namespace alsbench {
namespace {

// A rating of a row that is known.
struct Cell {
  int32_t col;
  float value;
};

// All rows one after another, each in an order of its own (Fisher and Yates).
ArrayBuilder<Cell> shuffled_rows(const Csr& matrix, uint64_t seed) {
  ArrayBuilder<Cell> cells(matrix.nnz());
  const uint64_t key = stream_key(seed, Stream::shuffle);
#pragma omp parallel for schedule(dynamic, 1024)  // cannot throw
  for (int64_t row = 0; row < matrix.rows; ++row) {
    const int64_t begin = matrix.offsets[row], count = matrix.offsets[row + 1] - begin;
    for (int64_t i = 0; i < count; ++i) {
      const uint64_t word = random_word(key, static_cast<uint64_t>(row), static_cast<uint64_t>(i));
      const auto place = static_cast<int64_t>(multiply_high(word, static_cast<uint64_t>(i + 1)));
      cells[begin + i] = cells[begin + place];
      cells[begin + place] = {matrix.indices[begin + i], matrix.values[begin + i]};
    }
  }
  return cells;
}

struct Run {
  uint64_t key;  // by which they are ordered; distinct
  int64_t begin;
  int32_t row;
};

// All runs, in the order of their keys.
ArrayBuilder<Run> ordered_runs(const Csr& matrix, int64_t run, uint64_t seed) {
  const int64_t runs_at_most = matrix.nnz() / run + matrix.rows;
  constexpr int64_t kInBucket = 512;
  const auto bits =
      static_cast<int>(std::bit_width(static_cast<uint64_t>(runs_at_most / kInBucket)));
  const uint64_t key = stream_key(seed, Stream::shuffle_runs);
  const int parts = sort_parts(runs_at_most, int64_t{1} << bits);
  const auto visit = [&](int part, auto&& each) {
    const int64_t last = matrix.rows * (part + 1) / parts;
    for (int64_t row = matrix.rows * part / parts; row < last; ++row)
      for (int64_t at = matrix.offsets[row]; at < matrix.offsets[row + 1]; at += run) {
        const Run found{mix64(key ^ static_cast<uint64_t>(at)), at, static_cast<int32_t>(row)};
        each(bits == 0 ? 0 : static_cast<int64_t>(found.key >> (64 - bits)), found);
      }
  };
  int64_t count = 0;
  for (int64_t row = 0; row < matrix.rows; ++row)
    count += (matrix.offsets[row + 1] - matrix.offsets[row] + run - 1) / run;
  ArrayBuilder<Run> runs(count);
  const auto offsets = bucket_sort(parts, int64_t{1} << bits, visit,
                                   [&](int64_t place, const Run& found) { runs[place] = found; });
#pragma omp parallel for schedule(dynamic, 64)  // cannot throw
  for (int64_t bucket = 0; bucket < int64_t{1} << bits; ++bucket)
    std::sort(runs.data() + offsets[bucket], runs.data() + offsets[bucket + 1],
              [](const Run& a, const Run& b) { return a.key < b.key; });
  return runs;
}

std::vector<int64_t> row_lengths(const Csr& matrix) {
  std::vector<int64_t> lengths(static_cast<size_t>(matrix.rows));
  for (int64_t row = 0; row < matrix.rows; ++row)
    lengths[row] = matrix.offsets[row + 1] - matrix.offsets[row];
  return lengths;
}

std::vector<int64_t> column_lengths(const Csr& matrix) {
  std::vector<int64_t> lengths(static_cast<size_t>(matrix.cols), 0);
  for (const int32_t col : matrix.indices) ++lengths[col];
  return lengths;
}

// The part of each of so many rows or columns, the heaviest first, each to the part that has the
// fewest ratings.
std::vector<int32_t> assigned_parts(const std::vector<int64_t>& lengths, int32_t parts,
                                    uint64_t key) {
  std::vector<int64_t> order(lengths.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    if (lengths[a] != lengths[b]) return lengths[a] > lengths[b];
    return mix64(key ^ static_cast<uint64_t>(a)) < mix64(key ^ static_cast<uint64_t>(b));
  });
  using Load = std::pair<int64_t, int32_t>;  // ratings, part
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (int32_t part = 0; part < parts; ++part) loads.emplace(0, part);
  std::vector<int32_t> part_of(order.size());
  for (const int64_t one : order) {
    const auto [ratings, part] = loads.top();
    loads.pop();
    part_of[static_cast<size_t>(one)] = part;
    loads.emplace(ratings + lengths[one], part);
  }
  return part_of;
}

}  // namespace

RatingList shuffled_runs(const Csr& matrix, int64_t run, uint64_t seed) {
  const ArrayBuilder<Cell> cells = shuffled_rows(matrix, seed);
  const ArrayBuilder<Run> runs = ordered_runs(matrix, run, seed);
  const auto length = [&](const Run& r) {
    return std::min(run, matrix.offsets[r.row + 1] - r.begin);
  };
  ArrayBuilder<int64_t> targets(runs.size());
  for (int64_t i = 0, place = 0; i < runs.size(); place += length(runs[i++])) targets[i] = place;
  ArrayBuilder<int32_t> rows(matrix.nnz()), cols(matrix.nnz());
  ArrayBuilder<float> values(matrix.nnz());
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t i = 0; i < runs.size(); ++i)
    for (int64_t k = 0; k < length(runs[i]); ++k) {
      const Cell& cell = cells[runs[i].begin + k];
      rows[targets[i] + k] = runs[i].row;
      cols[targets[i] + k] = cell.col;
      values[targets[i] + k] = cell.value;
    }
  return {rows.freeze(), cols.freeze(), values.freeze(), {}, 0};
}

RatingList rating_blocks(const Csr& matrix, int32_t grid, uint64_t seed) {
  const uint64_t key = stream_key(seed, Stream::shuffle_runs);
  const std::vector<int32_t> row_part = assigned_parts(row_lengths(matrix), grid, key);
  const std::vector<int32_t> col_part = assigned_parts(column_lengths(matrix), grid, mix64(key));
  const ArrayBuilder<Cell> cells = shuffled_rows(matrix, seed);
  const int parts = sort_parts(matrix.nnz(), int64_t{grid} * grid);
  const auto visit = [&](int part, auto&& each) {
    const int64_t last = matrix.rows * (part + 1) / parts;
    for (int64_t row = matrix.rows * part / parts; row < last; ++row)
      for (int64_t at = matrix.offsets[row]; at < matrix.offsets[row + 1]; ++at)
        each(int64_t{row_part[row]} * grid + col_part[cells[at].col], static_cast<int32_t>(row),
             cells[at]);
  };
  ArrayBuilder<int32_t> rows(matrix.nnz()), cols(matrix.nnz());
  ArrayBuilder<float> values(matrix.nnz());
  Array<int64_t> blocks = bucket_sort(parts, int64_t{grid} * grid, visit,
                                      [&](int64_t place, int32_t row, const Cell& cell) {
                                        rows[place] = row;
                                        cols[place] = cell.col;
                                        values[place] = cell.value;
                                      });
  return {rows.freeze(), cols.freeze(), values.freeze(), std::move(blocks), grid};
}

RatingList rating_list(const Csr& matrix, const std::string& order, uint64_t seed) {
  const size_t equals = order.find('=');
  const std::string kind = order.substr(0, equals);
  const int size = equals == std::string::npos ? 0 : std::stoi(order.substr(equals + 1));
  if (size >= 1 && kind == "run") return shuffled_runs(matrix, size, seed);
  if (size >= 1 && kind == "grid") return rating_blocks(matrix, size, seed);
  throw std::invalid_argument("'" + order + "' is no order of ratings");
}

}  // namespace alsbench
