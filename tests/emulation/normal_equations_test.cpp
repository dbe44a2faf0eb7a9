// SPDX-License-Identifier: Apache-2.0
// normal_equations/mma on emulated warps against the reference: all of A_u, b_u and its padding.
#include <gtest/gtest.h>

#include <memory>
#include <type_traits>

#include "tests/emulation/block.h"
// after block.h
#include "kernels/cuda/normal_equations/halves.cuh"
#include "kernels/cuda/normal_equations/mma.cuh"
#include "kernels/cuda/normal_equations/mma_cut_rows.cuh"
#include "kernels/cuda/normal_equations/split_factors.cuh"
#include "kernels/cuda/rows/list.cuh"
#include "kernels/cuda/rows/plan.cuh"
// the CPU's
#include "kernels/cpu/tiles/tiles.h"
#include "tests/emulation/problem.h"

namespace alsbench {
namespace {

using emulated::Problem;

struct Equations {
  std::vector<float> matrices, bias;
  UpdateParams params;
};

Equations equations_of(const Problem& problem, const UpdateParams& params) {
  const size_t rows = static_cast<size_t>(problem.rows);
  const size_t elements = static_cast<size_t>(problem.rank) * static_cast<size_t>(problem.rank);
  Equations equations{std::vector<float>(rows * elements, std::nanf("")),
                      std::vector<float>(rows * problem.pitch, std::nanf("")), params};
  equations.params.matrices = equations.matrices.data();
  equations.params.bias = equations.bias.data();
  return equations;
}

// Of factors as sums of two halves.
template <int kRank, int kChunk>
Equations form_of_halves(Problem& problem, bool reversed) {
  using Part = HalvesPart<kRank>;
  const PieceWorkspace workspace{problem.offsets.back(), kChunk, mma_slot_bytes(kRank, false, true),
                                 problem.rows,           0,      true};
  const int64_t at = (workspace.bytes() + 255) / 256 * 256;
  Equations equations = equations_of(
      problem,
      problem.params(at + HalvesCopy{kRank}.bytes(problem.cols), PieceWorkspace::kItemsAt));
  UpdateParams& p = equations.params;
  p.plan.pieces = workspace.layout(false);
  p.plan.factors_at = at;
  const auto launch = [&](int warps, auto kernel) {
    emulation::launch(2, 32 * warps, reversed, [&] { kernel(p); });
  };
  launch(1, count_items<32>);
  launch(1, place_items<32>);
  launch(2, find_largest_factor<64>);
  launch(2, split_factors<kRank, 64>);
  launch(Part::kTeam, halves_multiply<kRank, 4, Part::kTeam, 1, true>);
  launch(1, sum_pieces<kRank, float, 32, false, true>);
  launch(Part::kTeam, halves_write_cut_rows<kRank, Part::kTeam, 1>);
  return equations;
}

template <int kRank, int kChunk, typename Factor>
Equations form(Problem& problem, bool reversed) {
  if constexpr (sizeof(Factor) == 1)
    problem.store_factors_as_bytes<false, Factor>();
  else
    problem.store_factors_as<Factor>();
  constexpr int kTeam = mma_team(MmaLayout{kRank}).warps;
  const PieceWorkspace workspace{problem.offsets.back(),       kChunk, mma_slot_bytes(kRank),
                                 kTeam > 1 ? problem.rows : 0, 0,      kTeam > 1};
  Equations equations =
      equations_of(problem, problem.params(workspace.bytes(), PieceWorkspace::kItemsAt));
  UpdateParams& p = equations.params;
  p.plan.pieces = workspace.layout(false);
  const auto launch = [&](int warps, auto kernel) {
    emulation::launch(2, 32 * warps, reversed, [&] { kernel(p); });
  };
  if (kTeam > 1) {
    launch(1, count_items<32>);
    launch(1, place_items<32>);
  } else {
    launch(1, plan_rows<32>);
  }
  launch(kTeam, mma_multiply<kRank, 4, kTeam, 1, true, Factor, MmaPhase::all, float>);
  launch(1, sum_pieces<kRank, Factor, 32>);
  launch(kTeam, mma_write_cut_rows<kRank, kTeam, 1, Factor, MmaPhase::all, float>);
  return equations;
}

Problem problem_of(int rank) { return Problem(rank, {0, 5, 16, 17, 33, 1, 100, 0}, 120); }

// Of A_u, relative to its norm, and of b_u.
void expect_near(Problem& problem, const Equations& equations, double tolerance) {
  const int rank = problem.rank, elements = rank * rank;
  for (int row = 0; row < problem.rows; ++row) {
    const reference::Vector a = problem.matrix(equations.params, row),
                            b = problem.bias(equations.params, row);
    const double scale = reference::norm(a), bias_scale = reference::norm(b) + 1e-30;
    for (int i = 0; i < elements; ++i)
      ASSERT_LT(std::abs(equations.matrices[row * elements + i] - a[i]) / scale, tolerance)
          << "rank " << rank << ", row " << row << ", element " << i;
    for (int i = 0; i < problem.pitch; ++i) {
      const double expected = i < rank ? b[i] : 0;
      ASSERT_LT(std::abs(equations.bias[row * problem.pitch + i] - expected) / bias_scale,
                tolerance)
          << "rank " << rank << ", row " << row << ", b(" << i << ")";
    }
  }
}

template <int kRank, int kChunk, typename Factor = Half>
void check(bool reversed) {
  Problem problem = problem_of(kRank);
  if (std::is_same_v<Factor, Fp8>) problem.spread_ratings();
  expect_near(problem, form<kRank, kChunk, Factor>(problem, reversed), 1e-6);
}

template <int kRank, int kChunk>
void check_halves(bool reversed, float factor = 1) {
  Problem problem = problem_of(kRank);
  for (float& element : problem.factors) element *= factor;
  expect_near(problem, form_of_halves<kRank, kChunk>(problem, reversed), 3e-7);
}

TEST(NormalEquations, EveryElementOfEveryRow) {
  for (const bool reversed : {false, true}) {
    check<1, 64>(reversed);
    check<14, 32>(reversed);
    check<33, 48>(reversed);
    check<38, 1024>(reversed);
  }
}

TEST(NormalEquations, FactorsOfEveryType) {
  check<1, 64, Bfloat>(false);
  check<33, 48, Bfloat>(true);
  check<38, 1024, Bfloat>(false);
  check<1, 64, Tf32>(false);
  check<6, 64, Tf32>(true);
  check<33, 48, Tf32>(true);
  check<38, 1024, Tf32>(false);
  check<103, 64, Bfloat>(false);
  check<103, 64, Tf32>(false);
  check<117, 32, Tf32>(true);
}

TEST(NormalEquations, FactorsAsSumsOfTwoHalves) {
  for (const bool reversed : {false, true}) {
    check_halves<1, 64>(reversed);
    check_halves<14, 32>(reversed);  // two columns of zeros, then the ratings
    check_halves<33, 48>(reversed);
    check_halves<38, 1024>(reversed);
    check_halves<100, 64>(reversed);
    check_halves<117, 32>(reversed);
  }
  check_halves<228, 64>(false);
}

TEST(NormalEquations, HalvesOfFactorsOfAnyMagnitude) {
  check_halves<33, 48>(false, 1e6f);
  check_halves<33, 48>(false, 1e-12f);
}

TEST(NormalEquations, FactorsAsSignedBytes) {
  for (const bool reversed : {false, true}) {
    check<1, 64, Int8>(reversed);
    check<8, 32, Int8>(reversed);
    check<33, 48, Int8>(reversed);
    check<38, 1024, Int8>(reversed);
    check<100, 64, Int8>(reversed);
    check<103, 64, Int8>(reversed);
    check<117, 32, Int8>(reversed);
  }
  check<150, 32, Int8>(true);
  check<228, 64, Int8>(false);
}

// A_u of signed bytes as AMX tiles on a CPU form it: the same bits once the sums are scaled.
template <int kRank>
void check_against_tiles() {
  Problem problem = problem_of(kRank);
  const auto [matrices, bias, p] = form<kRank, 1024, Int8>(problem, false);
  const ByteFactors layout{kRank};
  constexpr int kTiles = tiles_of_rank(kRank);
  TileTask task;
  task.offsets = p.ratings.offsets;
  task.indices = p.ratings.indices;
  task.values = p.ratings.values;
  task.nnz = p.ratings.nnz;
  task.rating_scale = p.ratings.half_scale;
  task.rows = reinterpret_cast<const int8_t*>(problem.stored_factors.data()) + layout.rows_at();
  task.rank = kRank;
  const TileKernels& kernels = emulated_tiles(TileElement::int8);
  std::vector<float4> memory(static_cast<size_t>(kernels.memory_bytes(kRank) / 16 + 4));
  void* begin = memory.data();
  size_t room = memory.size() * 16;
  std::align(64, room - 64, begin, room);
  std::vector<int32_t> sums(sum_tiles(kTiles) * kTileSide * kTileSide);
  const auto* const scales = reinterpret_cast<const float*>(problem.stored_factors.data());
  for (int row = 0; row < problem.rows; ++row) {
    if (problem.length(row) == 0) continue;
    kernels.form(task, row, begin, sums.data());
    const auto feature = [&](int column) {
      return layout.feature(tile_place(TileElement::int8, kTiles, column));
    };
    for (int i = 0; i < kTiles * kTileSide; ++i)
      for (int j = 0; j < i; ++j) {  // the diagonal has lambda n_u
        if (feature(i) >= kRank || feature(j) >= kRank) continue;
        const int tile = tile_index(i / kTileSide, j / kTileSide);
        const auto sum = static_cast<float>(
            sums[(tile * kTileSide + i % kTileSide) * kTileSide + j % kTileSide]);
        ASSERT_EQ(matrices[(row * kRank + feature(i)) * kRank + feature(j)],
                  sum * (scales[feature(i)] * scales[feature(j)]))
            << "rank " << kRank << ", row " << row << ", element " << feature(i) << ", "
            << feature(j);
      }
  }
}

TEST(NormalEquations, SumsOfSignedBytesAreThoseOfTiles) {
  check_against_tiles<8>();
  check_against_tiles<38>();
  check_against_tiles<100>();
}

TEST(NormalEquations, FactorsAsBytesInE4m3) {
  for (const bool reversed : {false, true}) {
    check<1, 64, Fp8>(reversed);
    check<8, 32, Fp8>(reversed);
    check<33, 48, Fp8>(reversed);
    check<100, 64, Fp8>(reversed);
    check<117, 32, Fp8>(reversed);
  }
  check<128, 64, Fp8>(false);
  check<150, 32, Fp8>(true);
}

// Whole numbers of which neither a product nor a sum is rounded, with scales of 1.
template <int kRank>
void check_exact() {
  Problem problem = problem_of(kRank);
  problem.spread_ratings();
  for (int row = 0; row < problem.cols; ++row)
    for (int i = 0; i < kRank; ++i)
      problem.factors[row * problem.pitch + i] =
          row == 0 ? float{Fp8::kLargest} : static_cast<float>((3 * row + 5 * i) % 17 - 8);
  const auto [matrices, bias, p] = form<kRank, 48, Fp8>(problem, false);
  for (int row = 0; row < problem.rows; ++row) {
    const reference::Vector a = problem.matrix(p, row), b = problem.bias(p, row);
    for (int i = 0; i < kRank; ++i) {
      EXPECT_EQ(bias[row * problem.pitch + i], b[i]) << "row " << row << ", b(" << i << ")";
      for (int j = 0; j < kRank; ++j)  // the diagonal is rounded with lambda n_u in it
        EXPECT_EQ(matrices[(row * kRank + i) * kRank + j],
                  i == j ? static_cast<float>(a[i * kRank + j]) : a[i * kRank + j])
            << "row " << row << ", A(" << i << ", " << j << ")";
    }
  }
}

TEST(NormalEquations, WholeNumbersInE4m3AreSummedExactly) {
  check_exact<33>();
  check_exact<103>();
}

TEST(NormalEquations, ATeamOfWarpsWhereOneDoesNotHoldTheTriangle) {
  for (const bool reversed : {false, true}) {
    check<103, 64>(reversed);  // 7 rows of tiles, two warps
    check<117, 32>(reversed);  // and a corner
  }
  check<136, 1024>(false);
  check<150, 32>(true);   // four warps, three of which have no row in the last round
  check<228, 64>(false);  // eight
}

}  // namespace
}  // namespace alsbench
