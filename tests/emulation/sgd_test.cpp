// SPDX-License-Identifier: Apache-2.0
// sgd_epoch on emulated threads against the updates in double one after another.
#include "kernels/cpu/reference/sgd.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "tests/emulation/block.h"
// after block.h
#include "kernels/cuda/sgd/blocked.cuh"
#include "kernels/cuda/sgd/lock_free.cuh"

namespace alsbench {
namespace {

constexpr float kRate = 0.05f, kLambda = 0.1f;

template <typename Factor>
constexpr reference::SgdStep kStep{kRate, kLambda, sizeof(Factor) == 4 ? 0 : 0x1p-11,
                                   sizeof(Factor) == 4 ? 0 : 0x1p-25};

// The padding is zero, and stays so.
template <typename Factor>
struct Matrix {
  int rank, pitch = factor_pitch(rank);
  std::vector<Factor> elements;

  Matrix(int rank_, int rows, unsigned seed) : rank(rank_) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> uniform(-0.2f, 0.6f);
    elements.assign(static_cast<size_t>(rows) * pitch, of(0));
    for (int row = 0; row < rows; ++row)
      for (int i = 0; i < rank; ++i) elements[row * pitch + i] = of(uniform(generator));
  }
  static Factor of(float value) {
    if constexpr (sizeof(Factor) == 4)
      return value;
    else
      return Factor::of(value);
  }
  float at(int row, int i) const {
    if constexpr (sizeof(Factor) == 4)
      return elements[row * pitch + i];
    else
      return elements[row * pitch + i].value();
  }
  std::vector<reference::SgdRow> rows() const {
    std::vector<reference::SgdRow> all;
    for (int row = 0; row < static_cast<int>(elements.size()) / pitch; ++row) {
      reference::Vector values;
      for (int i = 0; i < rank; ++i) values.push_back(at(row, i));
      all.emplace_back(values);
    }
    return all;
  }
  FactorsView view() {
    return {elements.data(), static_cast<int64_t>(elements.size()) / pitch, rank, pitch};
  }
};

struct List {
  std::vector<int32_t> rows, cols;
  std::vector<float> values;
  std::vector<int64_t> blocks;
  int32_t grid = 0;

  void add(int row, int col) {
    rows.push_back(row);
    cols.push_back(col);
    values.push_back(static_cast<float>(1 + (row * 7 + col * 3) % 5));
  }
  RatingListView view() const {
    return {rows.data(),
            cols.data(),
            values.data(),
            static_cast<int64_t>(values.size()),
            blocks.empty() ? nullptr : blocks.data(),
            grid};
  }
};

template <typename Factor>
void expect_rows(const Matrix<Factor>& found, const std::vector<reference::SgdRow>& expected) {
  for (size_t row = 0; row < expected.size(); ++row)
    for (int i = 0; i < found.pitch; ++i) {
      const bool padding = i >= found.rank;
      const double deviation = padding ? 0 : std::sqrt(expected[row].variance[i]);
      ASSERT_NEAR(found.at(static_cast<int>(row), i), padding ? 0 : expected[row].values[i],
                  12 * deviation)
          << "row " << row << ", element " << i;
    }
}

// Runs of 1, 2, 3 and 6 ratings a batch, and no row or column twice: any order gives the same. The
// last batch is not full.
template <int kRank, typename Factor>
void check_lock_free(bool reversed) {
  constexpr int kBatch = 12, kRatings = 100, kRows = 4 * (kRatings / kBatch + 1);
  List list;
  for (int k = 0; k < kRatings; ++k) {
    const int place = k % kBatch, run = place < 1 ? 0 : place < 3 ? 1 : place < 6 ? 2 : 3;
    list.add(4 * (k / kBatch) + run, k);
  }
  Matrix<Factor> x(kRank, kRows, 1), theta(kRank, kRatings, 2);
  auto rows = x.rows(), cols = theta.rows();
  for (int k = 0; k < kRatings; ++k)
    reference::sgd_update(rows[list.rows[k]], cols[k], list.values[k], kStep<Factor>);
  const SgdParams p{list.view(), x.view(), theta.view(), kLambda, kRate};
  emulation::launch(2, 32, reversed, [&] { sgd_lock_free<kRank, Factor, kBatch, 1>(p); });
  expect_rows(x, rows);
  expect_rows(theta, cols);
}

template <typename Factor>
void check_lock_free_at_all_ranks() {
  for (const bool reversed : {false, true}) {
    check_lock_free<1, Factor>(reversed);
    check_lock_free<8, Factor>(reversed);
    check_lock_free<33, Factor>(reversed);
    check_lock_free<100, Factor>(reversed);
    check_lock_free<128, Factor>(reversed);
    check_lock_free<256, Factor>(reversed);
  }
}

TEST(SgdLockFree, UpdatesEveryRatingOnce) { check_lock_free_at_all_ranks<float>(); }
TEST(SgdLockFree, StoresHalves) { check_lock_free_at_all_ranks<Half>(); }

// A dense matrix in blocks of unequal size: workers wait for each other, and repeated rows and
// columns follow each other in a block.
template <int kRank, typename Factor>
void check_blocked(bool reversed) {
  constexpr int kGrid = 4, kRows = 11, kCols = 18;
  List list;
  list.grid = kGrid;
  for (int block = 0; block < kGrid * kGrid; ++block) {
    list.blocks.push_back(static_cast<int64_t>(list.values.size()));
    for (int row = block / kGrid; row < kRows; row += kGrid)
      for (int col = block % kGrid; col < kCols; col += kGrid)
        if (block != 5) list.add(row, col);
    if (block % kGrid == 1 && block != 5) list.add(block / kGrid, 1 + kGrid);  // again
  }
  list.blocks.push_back(static_cast<int64_t>(list.values.size()));
  Matrix<Factor> x(kRank, kRows, 3), theta(kRank, kCols, 4);
  auto rows = x.rows(), cols = theta.rows();
  for (int step = 0; step < kGrid; ++step)
    for (int worker = 0; worker < kGrid; ++worker) {
      const int block = worker * kGrid + column_block(worker, step, kGrid);
      for (int64_t k = list.blocks[block]; k < list.blocks[block + 1]; ++k)
        reference::sgd_update(rows[list.rows[k]], cols[list.cols[k]], list.values[k],
                              kStep<Factor>);
    }
  std::vector<int32_t> flags(kGrid, 0);
  const SgdParams p{list.view(), x.view(), theta.view(), kLambda, kRate, flags.data()};
  emulation::launch(1, 160, reversed, [&] { sgd_blocked<kRank, Factor, 160>(p); });
  expect_rows(x, rows);
  expect_rows(theta, cols);
  EXPECT_EQ(flags, std::vector<int32_t>(kGrid, kGrid));
}

TEST(SgdBlocked, FollowsTheSerialOrder) {
  for (const bool reversed : {false, true}) {
    check_blocked<1, float>(reversed);
    check_blocked<33, float>(reversed);
    check_blocked<128, float>(reversed);
    check_blocked<256, float>(reversed);
    check_blocked<33, Half>(reversed);
    check_blocked<128, Half>(reversed);
  }
}

}  // namespace
}  // namespace alsbench
