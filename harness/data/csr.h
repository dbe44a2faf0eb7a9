// SPDX-License-Identifier: Apache-2.0
// CSR matrices and rating sets on the host. Arrays own their memory or keep a file mapping alive,
// so a cached problem is mapped, not read.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/data/rating_time.h"
#include "variants/core/shape.h"

namespace alsbench {

// An immutable array that shares ownership of whatever holds its elements (a vector or a file
// mapping).
template <class T>
class Array {
 public:
  Array() = default;
  explicit Array(std::vector<T> values) {
    auto owner = std::make_shared<const std::vector<T>>(std::move(values));
    view_ = std::span<const T>(*owner);
    owner_ = std::move(owner);
  }
  Array(std::span<const T> view, std::shared_ptr<const void> owner)
      : view_(view), owner_(std::move(owner)) {}

  const T& operator[](int64_t i) const { return view_[static_cast<size_t>(i)]; }
  const T* data() const { return view_.data(); }
  int64_t size() const { return static_cast<int64_t>(view_.size()); }
  int64_t bytes() const { return size() * static_cast<int64_t>(sizeof(T)); }
  auto begin() const { return view_.begin(); }
  auto end() const { return view_.end(); }
  std::span<const T> span() const { return view_; }

 private:
  std::span<const T> view_;
  std::shared_ptr<const void> owner_;
};

struct Csr {
  int64_t rows = 0;
  int64_t cols = 0;
  Array<int64_t> offsets;  // rows + 1
  Array<int32_t> indices;  // nnz, ascending in a row
  Array<float> values;     // nnz
  int64_t nnz() const { return offsets.size() ? offsets[rows] : 0; }
};

// One rating with compacted ids.
struct Rating {
  int32_t row = 0;
  int32_t col = 0;
  float value = 0;
};

// A data set ready for training: all ids compacted, both orders built.
struct RatingSet {
  std::string id;                  // "netflix@0.01 seed=1", or the file's path
  std::string content_hash;        // hex, of train and test
  Csr by_user;                     // train, rows = users
  Csr by_item;                     // train, rows = items (the transpose)
  Csr test;                        // rows = users; may have no ratings
  std::vector<std::string> users;  // original id of each compact id; empty for generated sets
  std::vector<std::string> items;
  // Of the cells of by_user and of test, where they were asked for and are known.
  Array<RatingTime> times, test_times;
  double mean = 0;       // of the training ratings
  int64_t left_out = 0;  // lines of its files, as --values says
  Config sizes;  // of a problem that has sizes in place of ratings: there is one rating then
  // Of generated sets: the RMSE of the planted signal itself on the test ratings. No model is
  // better except by chance. NaN where it is not known.
  double rmse_floor = std::numeric_limits<double>::quiet_NaN();

  const Csr& side(bool x_side) const { return x_side ? by_user : by_item; }
};

// Ratings with compacted ids, as columns of one length: what loaders collect.
struct RatingColumns {
  Array<int32_t> rows, cols;
  Array<float> values;
};

// Rows in ascending order of (row, col); equal cells stay in the order of the ratings. Columns that
// nobody else holds are freed on the way.
Csr csr_of(RatingColumns ratings, int64_t rows, int64_t cols);
Csr build_csr(std::span<const Rating> ratings, int64_t rows, int64_t cols);
// The row of each cell of a matrix with these offsets.
Array<int32_t> rows_of_cells(std::span<const int64_t> offsets);
// Cells that both have a rating in, of matrices of the same rows.
int64_t cells_in_both(const Csr& a, const Csr& b);
// The transpose, parallel and deterministic.
Csr transpose(const Csr& matrix);
// How many rows have each length, from 0 to the longest.
std::vector<int64_t> rows_of_length(std::span<const int64_t> offsets);
Shape shape_of(const Csr& matrix, int32_t rank);
int64_t empty_rows(const Csr& matrix);

}  // namespace alsbench
