// SPDX-License-Identifier: Apache-2.0
// AMX tiles, emulated and, where the processor has them, its own: every sum of a row as a plain
// loop has it.
#include "kernels/cpu/tiles/tiles.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <new>
#include <random>
#include <string>
#include <vector>

#include "kernels/cpu/element.h"
#include "kernels/shared/byte_factors.h"
#include "kernels/shared/views.h"

namespace alsbench {

void PrintTo(const TileKernels* kernels, std::ostream* stream) { *stream << kernels->name; }

namespace {

std::vector<const TileKernels*> all_tiles(TileElement element) {
  std::vector<const TileKernels*> list{&emulated_tiles(element)};
  if (const TileKernels* own = tile_support(element).kernels; own != nullptr && own != list.front())
    list.push_back(own);
  return list;
}

const std::vector<int> kLengths{1, 3, 31, 32, 63, 64, 65, 129, 300, 1000};

// Rows of random ratings, and memory for factors that a kind of tiles multiplies.
template <class Factor>
struct Problem {
  static constexpr int kCols = 400;
  TileElement element;
  int rank, tiles;
  int64_t pitch;  // of a row of factors
  std::mt19937 generator{3};
  std::vector<Factor> factors;
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> indices;
  std::vector<float> values;

  Problem(TileElement element_, int rank_, int64_t pitch_)
      : element(element_), rank(rank_), tiles(tiles_of_rank(rank_)), pitch(pitch_) {
    factors.assign(static_cast<size_t>(kCols) * pitch, 0);
  }
  template <class Rating>
  void add_rows(const std::vector<int>& lengths, const Rating& rating) {
    for (const int length : lengths) {
      for (int k = 0; k < length; ++k) {
        indices.push_back(static_cast<int32_t>(generator() % kCols));
        values.push_back(rating());
      }
      offsets.push_back(static_cast<int64_t>(indices.size()));
    }
  }

  int row_count() const { return static_cast<int>(offsets.size()) - 1; }
  TileTask task() const {
    TileTask task;
    task.offsets = offsets.data();
    task.indices = indices.data();
    task.values = values.data();
    task.nnz = offsets.back();
    task.rows = factors.data();
    task.rank = rank;
    return task;
  }
  // Of the k-th rating, in a column of the tiles.
  Factor factor(int64_t k, int column) const {
    const int place = tile_place(element, tiles, column);
    return place < pitch ? factors[indices[k] * pitch + place] : Factor{0};
  }
};

// The sums of a row, by tiles.
template <class Sum>
struct Sums {
  int tiles = 0;
  std::vector<Sum> all;

  Sums(const TileKernels& kernels, const TileTask& task, int row)
      : tiles(tiles_of_rank(task.rank)),
        all(static_cast<size_t>(sum_tiles(tiles)) * kTileSide * kTileSide) {
    constexpr std::align_val_t kLine{64};
    void* const memory = ::operator new(kernels.memory_bytes(task.rank), kLine);
    kernels.form(task, row, memory, all.data());
    ::operator delete(memory, kLine);
  }
  Sum of_tile(int tile, int i, int j) const {
    return all[(tile * kTileSide + i % kTileSide) * kTileSide + j % kTileSide];
  }
  Sum a(int i, int j) const { return of_tile(tile_index(i / kTileSide, j / kTileSide), i, j); }
  Sum bias(int part, int i) const { return of_tile(tile_index(tiles, 0) + i / kTileSide, part, i); }
};

std::string name_of_kind(const ::testing::TestParamInfo<const TileKernels*>& kind) {
  return kind.param->name;
}

class TilesTest : public ::testing::TestWithParam<const TileKernels*> {};
INSTANTIATE_TEST_SUITE_P(Kinds, TilesTest, ::testing::ValuesIn(all_tiles(TileElement::int8)),
                         name_of_kind);

// Random bytes, and ratings of whole and half stars.
Problem<int8_t> byte_problem(int rank) {
  const ByteFactors layout{rank};
  Problem<int8_t> problem(TileElement::int8, rank, layout.row_bytes());
  for (int row = 0; row < problem.kCols; ++row)
    for (int i = 0; i < rank; ++i)
      problem.factors[row * problem.pitch + layout.place(i)] =
          static_cast<int8_t>(static_cast<int>(problem.generator() % 255) - 127);
  problem.add_rows(kLengths, [&] {
    return static_cast<float>(static_cast<int>(problem.generator() % 21) - 10) * 0.5f;
  });
  return problem;
}

TEST_P(TilesTest, SumsAreThoseOfAPlainLoop) {
  constexpr float kScale = 4096;  // of ratings up to 5
  for (const int rank : {1, 8, 16, 17, 33, 64, 80, 100, 128, 200, 256}) {
    const Problem<int8_t> problem = byte_problem(rank);
    TileTask task = problem.task();
    task.rating_scale = kScale;
    for (int row = 0; row < problem.row_count(); ++row) {
      const Sums<int32_t> sums(*GetParam(), task, row);
      const auto plain = [&](const auto& term) {
        int64_t sum = 0;
        for (int64_t k = problem.offsets[row]; k < problem.offsets[row + 1]; ++k) sum += term(k);
        return sum;
      };
      int64_t wrong = 0;
      for (int i = 0; i < problem.tiles * kTileSide; ++i) {
        for (int j = 0; j <= i; ++j)
          wrong += sums.a(i, j) != plain([&](int64_t k) {
                     return int64_t{problem.factor(k, i)} * problem.factor(k, j);
                   });
        wrong +=
            254 * int64_t{sums.bias(0, i)} + sums.bias(1, i) != plain([&](int64_t k) {
              return static_cast<int64_t>(problem.values[k] * kScale / 2) * problem.factor(k, i);
            });
      }
      EXPECT_EQ(wrong, 0) << "rank " << rank << ", row " << row;
    }
  }
}

class BfloatTilesTest : public ::testing::TestWithParam<const TileKernels*> {};
INSTANTIATE_TEST_SUITE_P(Kinds, BfloatTilesTest, ::testing::ValuesIn(all_tiles(TileElement::bf16)),
                         name_of_kind);

// Factors of `factor()`, and ratings that take all bits of a float.
template <class Random>
Problem<uint16_t> bfloat_problem(int rank, Random factor) {
  Problem<uint16_t> problem(TileElement::bf16, rank, factor_pitch(rank));
  for (int row = 0; row < problem.kCols; ++row)
    for (int i = 0; i < rank; ++i)
      problem.factors[row * problem.pitch + i] = float_to_bfloat(factor(problem.generator));
  std::normal_distribution<float> rating(3, 2);
  problem.add_rows(kLengths, [&] { return rating(problem.generator); });
  return problem;
}

Problem<uint16_t> normal_problem(int rank) {
  return bfloat_problem(rank, std::normal_distribution<float>(0.1f, 0.2f));
}

// Numbers of all magnitudes whose squares are finite, and those too small to be normal.
Problem<uint16_t> extreme_problem(int rank) {
  return bfloat_problem(rank, [](std::mt19937& generator) {
    const int exponent = static_cast<int>(generator() % 8) == 0
                             ? -140 + static_cast<int>(generator() % 195)
                             : -66 + static_cast<int>(generator() % 8);
    const float significand = 1 + static_cast<float>(generator() % 128) / 128;
    return std::ldexp(generator() % 2 == 0 ? significand : -significand, exponent);
  });
}

float flushed(float value) {
  return std::abs(value) < 0x1p-126f ? std::copysign(0.0f, value) : value;
}

// An FMA that takes numbers below the least normal one for zeros and returns none. Whether a result
// is one, its first 24 bits say: those of 2^96 times it.
float flushing_fma(float a, float b, float c) {
  a = flushed(a), b = flushed(b), c = flushed(c);
  const float result = std::fma(a, b, c);
  if (result == 0 || std::abs(result) > 0x1p-100f) return result;
  const float scaled = std::fma(a * 0x1p48f, b * 0x1p48f, c * 0x1p96f);
  return std::abs(scaled) < 0x1p-30f ? std::copysign(0.0f, result) : result;
}

// `sum` with the products of up to 32 pairs of factors, as a tile's instruction adds them.
template <class Pair>
float add_products(float sum, int count, const Pair& pair) {
  std::array<float, 2> parts{};
  for (int k = 0; k < count; ++k) {
    const auto [a, b] = pair(k);
    parts[k % 2] = flushing_fma(a, b, parts[k % 2]);
  }
  return flushing_fma(1, sum, flushing_fma(1, parts[0], parts[1]));
}

float plain_sum(const Problem<uint16_t>& problem, int row, int i, int j) {
  float sum = 0;
  const int64_t end = problem.offsets[row + 1];
  for (int64_t begin = problem.offsets[row]; begin < end; begin += 32)
    sum = add_products(sum, static_cast<int>(std::min<int64_t>(32, end - begin)), [&](int k) {
      return std::pair(bfloat_to_float(problem.factor(begin + k, i)),
                       bfloat_to_float(problem.factor(begin + k, j)));
    });
  return sum;
}

TEST_P(BfloatTilesTest, SumsAreThoseOfTheInstructionToTheBit) {
  for (const int rank : {1, 33, 64})
    for (const Problem<uint16_t>& problem : {normal_problem(rank), extreme_problem(rank)})
      for (int row = 0; row < problem.row_count(); ++row) {
        const Sums<float> sums(*GetParam(), problem.task(), row);
        int64_t wrong = 0;
        for (int i = 0; i < problem.tiles * kTileSide; ++i)
          for (int j = 0; j <= i; ++j)
            wrong += std::bit_cast<uint32_t>(sums.a(i, j)) !=
                     std::bit_cast<uint32_t>(plain_sum(problem, row, i, j));
        EXPECT_EQ(wrong, 0) << "rank " << rank << ", row " << row;
      }
}

// In double; relative to the sum of the terms' magnitudes.
TEST_P(BfloatTilesTest, SumsAreThoseOfDoubles) {
  constexpr double kTolerance = 1e-6;
  for (const int rank : {17, 80, 200}) {
    const Problem<uint16_t> problem = normal_problem(rank);
    for (int row = 0; row < problem.row_count(); ++row) {
      const Sums<float> sums(*GetParam(), problem.task(), row);
      double largest = 0;
      const auto hold = [&](double found, const auto& term) {
        double sum = 0, magnitude = 0;
        for (int64_t k = problem.offsets[row]; k < problem.offsets[row + 1]; ++k) {
          sum += term(k);
          magnitude += std::abs(term(k));
        }
        if (found != sum) largest = std::max(largest, std::abs(found - sum) / magnitude);
      };
      const auto factor = [&](int64_t k, int i) {
        return double{bfloat_to_float(problem.factor(k, i))};
      };
      for (int i = 0; i < problem.tiles * kTileSide; ++i) {
        for (int j = 0; j <= i; ++j)
          hold(sums.a(i, j), [&](int64_t k) { return factor(k, i) * factor(k, j); });
        // A rating is three bf16, exactly.
        hold(double{sums.bias(0, i)} + sums.bias(1, i) + sums.bias(2, i),
             [&](int64_t k) { return double{problem.values[k]} * factor(k, i); });
      }
      EXPECT_LT(largest, kTolerance) << "rank " << rank << ", row " << row;
    }
  }
}

// A rating r weighs alpha r where it is above 0, and b_u has 1 + alpha r.
TEST_P(BfloatTilesTest, WeightedSumsAreThoseOfRoundedProducts) {
  constexpr double kTolerance = 1e-6;
  for (const int rank : {1, 33, 64, 100}) {
    const Problem<uint16_t> problem = normal_problem(rank);
    TileTask task = problem.task();
    task.alpha = 1.75f;
    task.weight_scale = 0.25f;
    for (int row = 0; row < problem.row_count(); ++row) {
      const Sums<float> sums(*GetParam(), task, row);
      double largest = 0;
      const auto weight = [&](int64_t k) {
        const float added = task.alpha * std::max(problem.values[k], 0.0f);
        return bfloat_to_float(float_to_bfloat(std::sqrt(task.weight_scale * added)));
      };
      const auto weighted = [&](int64_t k, int i) {
        return double{
            bfloat_to_float(float_to_bfloat(weight(k) * bfloat_to_float(problem.factor(k, i))))};
      };
      for (int i = 0; i < problem.tiles * kTileSide; ++i) {
        double a = 0, b = 0, square = 0, magnitude = 0;
        for (int64_t k = problem.offsets[row]; k < problem.offsets[row + 1]; ++k) {
          if (weight(k) == 0) continue;
          a += weighted(k, i) * weighted(k, 0);
          square += std::abs(weighted(k, i) * weighted(k, 0));
          const double target = 0.25 * (1 + 1.75 * double{problem.values[k]}) / weight(k);
          b += target * weighted(k, i);
          magnitude += std::abs(target * weighted(k, i));
        }
        const double bias = double{sums.bias(0, i)} + sums.bias(1, i) + sums.bias(2, i);
        if (sums.a(i, 0) != a) largest = std::max(largest, std::abs(sums.a(i, 0) - a) / square);
        if (bias != b) largest = std::max(largest, std::abs(bias - b) / magnitude);
      }
      EXPECT_LT(largest, kTolerance) << "rank " << rank << ", row " << row;
    }
  }
}

// On a processor that has the instructions, the emulation gives its bits.
template <class Sum>
void expect_the_emulations_bits(const TileKernels& own, const TileTask& task, int rows) {
  for (int row = 0; row < rows; ++row) {
    const Sums<Sum> found(own, task, row), expected(emulated_tiles(own.element), task, row);
    int64_t wrong = 0;
    for (size_t i = 0; i < found.all.size(); ++i)
      wrong += std::bit_cast<uint32_t>(found.all[i]) != std::bit_cast<uint32_t>(expected.all[i]);
    EXPECT_EQ(wrong, 0) << own.name << ", rank " << task.rank << ", row " << row;
  }
}

TEST(TileEmulation, HasTheProcessorsBits) {
  const TileKernels* const bytes = all_tiles(TileElement::int8).back();
  const TileKernels* const bfloats = all_tiles(TileElement::bf16).back();
  if (bytes == &emulated_tiles(TileElement::int8) && bfloats == &emulated_tiles(TileElement::bf16))
    GTEST_SKIP() << tile_support(TileElement::bf16).reason;
  for (const int rank : {16, 33, 64, 100}) {
    const Problem<int8_t> levels = byte_problem(rank);
    expect_the_emulations_bits<int32_t>(*bytes, levels.task(), levels.row_count());
    for (const Problem<uint16_t>& problem : {normal_problem(rank), extreme_problem(rank)}) {
      TileTask task = problem.task();
      expect_the_emulations_bits<float>(*bfloats, task, problem.row_count());
      task.alpha = 1.75f;
      task.weight_scale = 0.25f;
      expect_the_emulations_bits<float>(*bfloats, task, problem.row_count());
    }
  }
}

TEST(TilePlaces, EachIsTakenOnce) {
  for (const TileElement element : {TileElement::int8, TileElement::bf16})
    for (int tiles = 1; tiles <= kMaxTileRank / kTileSide; ++tiles) {
      std::vector<int> taken(static_cast<size_t>(tiles) * kTileSide);
      for (int i = 0; i < tiles * kTileSide; ++i) ++taken.at(tile_place(element, tiles, i));
      for (const int count : taken) EXPECT_EQ(count, 1) << tiles;
    }
}

TEST(TileSupport, SaysWhyThereIsNone) {
  for (const TileElement element : {TileElement::int8, TileElement::bf16}) {
    const TileSupport& support = tile_support(element);
    EXPECT_EQ(support.kernels == nullptr, !support.reason.empty());
  }
}

// Of Linux and the processor, as they answer.
TEST(TileSupport, NamesWhatRefuses) {
  for (const TileElement element : {TileElement::int8, TileElement::bf16}) {
    EXPECT_EQ(why_no_tiles(element, {true, true, true, 0}), "");
    EXPECT_EQ(why_no_tiles(element, {false, false, true, 0}), "the processor has no AMX tiles");
    EXPECT_EQ(why_no_tiles(element, {true, true, false, 0}),
              "the operating system does not keep AMX tiles; it takes Linux 5.16 or later");
    EXPECT_EQ(why_no_tiles(element, {true, true, true, EPERM}),
              "Linux refuses AMX tiles to this process (arch_prctl: Operation not permitted)");
  }
  EXPECT_EQ(why_no_tiles(TileElement::bf16, {true, false, true, 0}),
            "the processor's AMX tiles do not multiply bf16");
  EXPECT_EQ(why_no_tiles(TileElement::int8, {true, false, true, 0}), "");
  EXPECT_EQ(why_no_tiles(TileElement::int8, {false, true, true, 0}),
            "the processor's AMX tiles do not multiply bytes");
}

}  // namespace
}  // namespace alsbench
