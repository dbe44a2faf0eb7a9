// SPDX-License-Identifier: Apache-2.0
// The stages of CCD++ on emulated threads against rows in double.
#include "kernels/cpu/reference/ccd.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "tests/emulation/block.h"
// after block.h
#include "kernels/cuda/ccd/next.cuh"
#include "kernels/cuda/ccd/update.cuh"

namespace alsbench {
namespace {

std::vector<CcdValues> random_values(size_t rows, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-0.3f, 0.6f);
  std::vector<CcdValues> values(rows);
  for (CcdValues& value : values)
    value = {uniform(generator), uniform(generator), uniform(generator), uniform(generator)};
  return values;
}

struct Side {
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> indices;
  std::vector<RowBin> bins;
  std::vector<float> residuals;
  std::vector<CcdValues> own, others;
  int64_t long_rows = 0;

  // Rows of more than `bound` ratings are long.
  Side(const std::vector<int>& lengths, int cols, int bound) : others(random_values(cols, 2)) {
    std::mt19937 generator(3);
    std::vector<int32_t> all(static_cast<size_t>(cols));
    std::iota(all.begin(), all.end(), 0);
    for (const int length : lengths) {
      std::sample(all.begin(), all.end(), std::back_inserter(indices), length, generator);
      for (int i = 0; i < length; ++i) residuals.push_back(static_cast<float>(generator() % 9) - 4);
      offsets.push_back(static_cast<int64_t>(indices.size()));
    }
    own = random_values(lengths.size(), 1);
    for (const bool is_long : {true, false})
      for (size_t row = 0; row < lengths.size(); ++row)
        if (lengths[row] > 0 && (lengths[row] > bound) == is_long) {
          bins.push_back({offsets[row], static_cast<int32_t>(row), lengths[row]});
          long_rows += is_long ? 1 : 0;
        }
  }
  CcdUpdateParams params(int32_t first) {
    const auto rows = static_cast<int64_t>(own.size());
    return {{offsets.data(), nullptr, indices.data(), nullptr, rows,
             static_cast<int64_t>(others.size()), offsets.back()},
            residuals.data(),
            own.data(),
            others.data(),
            {bins.data(), long_rows, static_cast<int64_t>(bins.size())},
            0.05f,
            first};
  }
};

void expect_update(Side& found, int32_t first, const Side& start) {
  Side expected = start;
  for (int64_t row = 0; row < static_cast<int64_t>(start.own.size()); ++row) {
    const reference::CcdRow reference = reference::ccd_row(expected.params(first), row);
    const int64_t begin = start.offsets[row], count = start.offsets[row + 1] - begin;
    for (int64_t k = 0; k < count; ++k)
      ASSERT_NEAR(found.residuals[begin + k], reference.residuals[k],
                  4 * 0x1p-24 * reference.residual_magnitudes[k])
          << "row " << row << ", rating " << k;
    const double share = 4 * 0x1p-24 * (std::sqrt(static_cast<double>(count)) + 1);
    const float now = count > 0 ? static_cast<float>(reference.now) : start.own[row].now;
    ASSERT_NEAR(found.own[row].now, now, count > 0 ? share * reference.magnitude : 0)
        << "row " << row;
    ASSERT_EQ(found.own[row].before, start.own[row].before);
  }
}

// Rows shorter and longer than what their lanes read at once.
const std::vector<int> kLengths{5, 0, 1, 130, 2, 3, 299, 4, 0, 64, 17, 31, 260, 7};

template <int kThreads, int kLanes, int kAhead>
void check_update(int bound, bool reversed) {
  for (const int32_t first : {0, 1}) {
    const Side start(kLengths, 300, bound);
    constexpr int kRows = kThreads / kLanes;
    const auto short_rows = static_cast<int64_t>(start.bins.size()) - start.long_rows;
    const auto blocks = static_cast<unsigned>(start.long_rows + short_rows / kRows + 2);
    Side fused = start, separate = start;
    const CcdUpdateParams p = fused.params(first), q = separate.params(first);
    emulation::launch(blocks, kThreads, reversed,
                      [&] { ccd_update<kThreads, kLanes, kAhead, true, true>(p); });
    expect_update(fused, first, start);
    emulation::launch(blocks, kThreads, reversed,
                      [&] { ccd_update<kThreads, kLanes, kAhead, true, false>(q); });
    emulation::launch(blocks, kThreads, reversed,
                      [&] { ccd_update<kThreads, kLanes, kAhead, false, true>(q); });
    expect_update(separate, first, start);
    if (first == 0) {
      EXPECT_EQ(separate.residuals, start.residuals);
    }
  }
}

TEST(CcdUpdate, TakesLongAndShortRows) {
  check_update<64, 32, 4>(100, false);
  check_update<64, 32, 4>(1000, true);
  check_update<128, 8, 8>(100, true);
  check_update<64, 16, 4>(0, false);
}

TEST(CcdUpdate, KeepsTheValueWhereNothingCanBeDivided) {
  Side side({3, 2}, 10, 2);
  for (CcdValues& other : side.others) other.now = 0;
  CcdUpdateParams p = side.params(0);
  p.lambda = 0;
  emulation::launch(3, 64, false, [&] { ccd_update<64, 32, 4, true, true>(p); });
  for (const CcdValues& own : side.own) EXPECT_EQ(own.now, own.before);
}

TEST(CcdNext, WritesAFeatureBackAndReadsTheNext) {
  constexpr int kRows = 70, kPitch = 8;
  for (const int32_t last : {-1, 4}) {
    std::vector<float> factors(kRows * kPitch);
    std::iota(factors.begin(), factors.end(), 0.0f);
    std::vector<CcdValues> values = random_values(kRows, 5);
    const std::vector<CcdValues> start = values;
    const CcdNextParams p{{factors.data(), kRows, 5, kPitch}, values.data(), last, 0};
    emulation::launch(2, 64, false, [&] { ccd_next<64>(p); });
    for (int row = 0; row < kRows; ++row) {
      EXPECT_EQ(values[row].last_before, start[row].before);
      EXPECT_EQ(values[row].last_after, start[row].now);
      EXPECT_EQ(values[row].before, static_cast<float>(row * kPitch));
      EXPECT_EQ(values[row].now, static_cast<float>(row * kPitch));
      EXPECT_EQ(factors[row * kPitch + 4],
                last < 0 ? static_cast<float>(row * kPitch + 4) : start[row].now);
    }
  }
}

}  // namespace
}  // namespace alsbench
