// SPDX-License-Identifier: Apache-2.0
#include "harness/data/csr.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/data/array_builder.h"
#include "harness/data/bucket_sort.h"
#include "kernels/cpu/first_error.h"

namespace alsbench {
namespace {

// Sorts one row's cells by column; equal columns stay in order.
void sort_row(int32_t* indices, float* values, int64_t count) {
  if (std::is_sorted(indices, indices + count)) return;
  thread_local std::vector<std::pair<int32_t, float>> cells;
  cells.clear();
  for (int64_t i = 0; i < count; ++i) cells.emplace_back(indices[i], values[i]);
  std::stable_sort(cells.begin(), cells.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (int64_t i = 0; i < count; ++i) {
    std::tie(indices[i], values[i]) = cells[static_cast<size_t>(i)];
  }
}

// The first row whose cells begin at or after `position`.
int64_t row_at(const Csr& matrix, int64_t position) {
  return std::lower_bound(matrix.offsets.begin(), matrix.offsets.end(), position) -
         matrix.offsets.begin();
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

Csr build_csr(std::span<const Rating> ratings, int64_t rows, int64_t cols) {
  const int64_t nnz = static_cast<int64_t>(ratings.size());
  ArrayBuilder<int32_t> indices(nnz);
  ArrayBuilder<float> values(nnz);
  const int parts = sort_parts(nnz, rows);
  const auto visit = [&](int part, auto&& each) {
    for (int64_t i = nnz * part / parts; i < nnz * (part + 1) / parts; ++i) {
      each(ratings[static_cast<size_t>(i)].row, ratings[static_cast<size_t>(i)]);
    }
  };
  Csr matrix{.rows = rows, .cols = cols, .offsets = {}, .indices = {}, .values = {}};
  matrix.offsets = bucket_sort(parts, rows, visit, [&](int64_t position, const Rating& rating) {
    indices[position] = rating.col;
    values[position] = rating.value;
  });
  FirstError error;
#pragma omp parallel for schedule(dynamic, 256)
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t begin = matrix.offsets[row];
    error.run([&] {
      sort_row(indices.data() + begin, values.data() + begin, matrix.offsets[row + 1] - begin);
    });
  }
  error.rethrow();
  matrix.indices = indices.freeze();
  matrix.values = values.freeze();
  return matrix;
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
  ArrayBuilder<int32_t> indices(nnz);
  ArrayBuilder<float> values(nnz);
  const int parts = sort_parts(nnz, matrix.cols);
  const auto visit = [&](int part, auto&& each) {
    const int64_t last = part + 1 == parts ? matrix.rows : row_at(matrix, nnz / parts * (part + 1));
    for (int64_t row = part == 0 ? 0 : row_at(matrix, nnz / parts * part); row < last; ++row) {
      for (int64_t i = matrix.offsets[row]; i < matrix.offsets[row + 1]; ++i) {
        each(matrix.indices[i], static_cast<int32_t>(row), matrix.values[i]);
      }
    }
  };
  Csr result{.rows = matrix.cols, .cols = matrix.rows, .offsets = {}, .indices = {}, .values = {}};
  result.offsets =
      bucket_sort(parts, matrix.cols, visit, [&](int64_t position, int32_t row, float value) {
        indices[position] = row;
        values[position] = value;
      });
  result.indices = indices.freeze();
  result.values = values.freeze();
  return result;
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
