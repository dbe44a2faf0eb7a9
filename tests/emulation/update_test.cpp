// SPDX-License-Identifier: Apache-2.0
// update/fused and update/matrix_free on emulated threads against CG in double on the reference's
// equations.
#include <gtest/gtest.h>

#include <bit>
#include <type_traits>

#include "tests/emulation/block.h"
// after block.h
#include "kernels/cuda/rows/list.cuh"
#include "kernels/cuda/rows/order.cuh"
#include "kernels/cuda/rows/plan.cuh"
#include "kernels/cuda/update/fused.cuh"
#include "kernels/cuda/update/fused_cut_rows.cuh"
#include "kernels/cuda/update/matrix_free.cuh"
#include "kernels/cuda/update/short_rows.cuh"
#include "tests/emulation/problem.h"

namespace alsbench {
namespace {

using emulated::kLambda;
using emulated::Problem;

// The launches of the variant, one warp a block.
template <int kRank, int kStages, int kChunk, bool kOrdered, int kSteps, bool kWarm,
          typename Element, typename Factor, bool kJacobi, float kTolerance = 0.0f,
          bool kWarpgroups = false>
void run_fused(Problem& problem, bool reversed) {
  constexpr MmaLayout kLayout = team_layout(kRank, kWarpgroups);
  constexpr int kTeam = mma_team(kLayout).warps;
  const PieceWorkspace workspace{
      problem.offsets.back(),       kChunk, mma_slot_bytes(kRank, kWarpgroups),
      kTeam > 1 ? problem.rows : 0, 0,      kTeam > 1};
  UpdateParams p = problem.params(workspace.bytes(), PieceWorkspace::kItemsAt);
  p.plan = {.cg_steps = kSteps, .cg_tolerance = kTolerance, .pieces = workspace.layout(kOrdered)};
  const auto launch = [&](unsigned blocks, auto kernel, int warps = 1) {
    emulation::launch(blocks, 32 * warps, reversed, [&] { kernel(p); });
  };
  if (kTeam > 1) {
    launch(2, count_items<32>);
    launch(2, place_items<32>);
  } else {
    launch(2, plan_rows<32>);
    if (kOrdered) launch(2, order_pieces<32>);
  }
  launch(1,
         fused_update<kRank, kStages, kTeam, 1, true, Factor, (kTolerance > 0), kWarm, Element,
                      kJacobi, kWarpgroups>,
         kTeam);
  launch(2, sum_pieces<kRank, Factor, 32, kWarpgroups>);
  launch(2,
         fused_update_cut_rows<kRank, kTeam, 1, Factor, (kTolerance > 0), kWarm, Element, kJacobi,
                               kWarpgroups>,
         kTeam);
}

// A_u as CG has it whose sums are halves: those of bytes before they are scaled.
void round_sums(const Problem& problem, double diagonal, reference::Vector& matrix) {
  matrix = problem.scales.empty() ? reference::with_rounded_sums(std::move(matrix), diagonal)
                                  : reference::with_rounded_multiples(std::move(matrix), diagonal,
                                                                      problem.scales, problem.unit);
}

struct Solver {
  bool warm = true;
  int max_steps = 0;
  bool rounded = false;  // CG has A_u's sums in half
  bool jacobi = false;
};
void expect_solved(Problem& problem, const Solver& solver) {
  const UpdateParams p = problem.params(0, 0);
  for (int row = 0; row < problem.rows; ++row) {
    SCOPED_TRACE(testing::Message() << "rank " << problem.rank << ", row " << row << " of "
                                    << problem.length(row) << " ratings");
    EXPECT_EQ(problem.status[row], 0);
    ASSERT_GE(problem.steps[row], 0);
    ASSERT_LE(problem.steps[row], solver.max_steps);
    reference::Vector expected(problem.rank, 0.0);
    if (problem.length(row) > 0) {
      if (solver.warm)
        std::copy_n(problem.start.begin() + row * problem.pitch, problem.rank, expected.begin());
      reference::Vector matrix = problem.matrix(p, row);
      reference::CgSettings settings{.steps = problem.steps[row]};
      if (solver.jacobi) settings.diagonal = reference::diagonal_of(matrix);
      if (solver.rounded) round_sums(problem, kLambda * problem.length(row), matrix);
      expected = reference::conjugate_gradient(matrix, problem.bias(p, row), expected, settings).x;
    }
    EXPECT_LT(problem.solution_error(row, expected), solver.rounded ? 3e-4 : 1e-3);
  }
}

// The copy of the solutions in the type of the factors, padding included.
template <typename Factor>
void expect_rounded(const Problem& problem) {
  for (size_t i = 0; i < problem.solution.size(); ++i) {
    const auto [expected, kept] = problem.rounded_pair<Factor>(i);
    ASSERT_EQ(kept, expected) << "element " << i;
  }
}

// Of a copy in bytes: what its scales are made of.
void expect_measured(const Problem& problem) {
  for (int feature = 0; feature < problem.rank; ++feature) {
    const auto [expected, kept] = problem.largest_pair(feature);
    EXPECT_EQ(kept, expected) << "feature " << feature;
  }
}

template <int kRank, int kStages, int kChunk, bool kOrdered, int kSteps, bool kWarm,
          typename Element = float, typename Factor = Half, bool kJacobi = false,
          bool kWarpgroups = false>
void check() {
  const std::vector<int> lengths{0, 5, 16, 17, 0, 33, 1, 100, 64, 150, 3, 0};
  std::vector<float> forward;
  for (const bool reversed : {false, true}) {
    Problem problem(kRank, lengths, 160);
    if (kJacobi) problem.spread_features();
    if (std::is_same_v<Factor, Fp8>) problem.spread_ratings();
    if constexpr (sizeof(Factor) == 1)
      problem.store_factors_as_bytes<false, Factor>();
    else
      problem.store_factors_as<Factor>();
    run_fused<kRank, kStages, kChunk, kOrdered, kSteps, kWarm, Element, Factor, kJacobi, 0.0f,
              kWarpgroups>(problem, reversed);
    expect_solved(problem, {kWarm, kSteps, sizeof(Element) == 2, kJacobi});
    if constexpr (sizeof(Factor) > 1)
      expect_rounded<Factor>(problem);
    else
      expect_measured(problem);
    EXPECT_EQ(problem.overflows, 0u);
    if (forward.empty()) forward = problem.solution;
    EXPECT_EQ(forward, problem.solution) << "the order of the lanes shows: a barrier is missing";
  }
}

TEST(FusedUpdate, SolvesWhatItSums) {
  check<1, 4, 64, false, 3, true>();
  check<7, 3, 64, true, 3, true>();
  check<10, 4, 1024, false, 4, false>();
  check<14, 4, 32, true, 4, true>();
}

TEST(FusedUpdate, OrderedPieces) {
  check<33, 6, 48, true, 4, true>();
  check<100, 4, 64, true, 3, true>();
}

TEST(FusedUpdate, AsItIsByDefault) { check<100, 4, 4096, false, 3, true>(); }

TEST(FusedUpdate, OnlyTheMatrixIsRoundedToHalves) {
  check<1, 4, 64, false, 3, true, Half>();
  check<10, 4, 64, true, 4, true, Half>();
  check<14, 4, 1024, false, 4, false, Half>();
  check<31, 4, 64, false, 4, true, Half>();
  check<33, 3, 48, false, 4, true, Half>();
  check<100, 4, 64, true, 4, true, Half>();
}

TEST(FusedUpdate, FactorsOfEveryType) {
  check<33, 4, 48, true, 4, true, float, Bfloat>();
  check<38, 3, 64, false, 4, true, Half, Bfloat>();
  check<33, 4, 48, true, 4, true, float, Tf32>();
  check<38, 3, 64, false, 4, true, Half, Tf32>();
  check<103, 4, 64, false, 3, true, float, Tf32>();
}

TEST(FusedUpdate, FactorsAsSignedBytes) {
  check<1, 4, 64, false, 3, true, Half, Int8>();
  check<8, 3, 64, true, 4, true, Half, Int8>();
  check<33, 6, 48, true, 4, false, Half, Int8>();
  check<38, 4, 1024, false, 4, true, Half, Int8>();
  check<100, 4, 64, true, 3, true, Half, Int8>();
  check<100, 4, 64, true, 2, true, Half, Int8, true>();
  check<38, 4, 64, false, 2, true, float, Int8, true>();
  check<103, 4, 64, false, 3, true, float, Int8>();
  check<117, 3, 48, true, 2, true, float, Int8, true>();
  check<188, 4, 64, false, 2, true, float, Int8>();
  check<100, 4, 64, false, 3, true, float, Int8>();
}

TEST(FusedUpdate, FactorsAsBytesInE4m3) {
  check<1, 4, 64, false, 3, true, Half, Fp8>();
  check<8, 3, 64, true, 4, true, float, Fp8>();
  check<33, 6, 48, true, 4, false, Half, Fp8>();
  check<100, 4, 64, true, 2, true, Half, Fp8, true>();
  check<100, 4, 64, false, 3, true, float, Fp8>();
  check<117, 3, 48, true, 2, true, float, Fp8, true>();
  check<128, 4, 64, false, 3, true, Half, Fp8>();
  check<150, 4, 64, true, 2, true, Half, Fp8, true>();
}

template <int kRank, int kStages, int kChunk, bool kOrdered, typename Element, bool kJacobi = false>
void check_warpgroups() {
  check<kRank, kStages, kChunk, kOrdered, 2, true, Element, Int8, kJacobi, true>();
}

TEST(FusedUpdate, WarpgroupsMultiplyBytes) {
  check_warpgroups<103, 4, 64, false, Half>();
  check_warpgroups<128, 6, 64, true, Half>();  // a pair of tiles has the ratings alone
  check_warpgroups<128, 4, 48, false, float>();
  check_warpgroups<150, 8, 64, false, Half, true>();  // the last round has two rows
  check_warpgroups<200, 4, 1024, false, Half>();      // two warpgroups
  check_warpgroups<200, 4, 64, true, float, true>();
}

TEST(FusedUpdate, SumsOfBytesBeyondWhatTheBiasedFloatHolds) {
  const std::vector<int> lengths{300, 700};  // 127^2 * 300 > 2^22
  Problem problem(14, lengths, 800);
  for (float& factor : problem.factors) factor = factor > 0 ? 0.15f + factor / 4 : 0;
  problem.store_factors_as_bytes();
  run_fused<14, 4, 1024, false, 4, true, Half, Int8, false>(problem, false);
  expect_solved(problem, {.max_steps = 4, .rounded = true});
}

TEST(FusedUpdate, ATeamOfWarpsWhereOneDoesNotHoldTheTriangle) {
  check<103, 4, 64, false, 3, true>();
  check<117, 3, 48, true, 2, false>();
  check<150, 4, 64, true, 2, true>();  // four warps, three of which have no row in the last round
  check<188, 4, 64, false, 2, true>();
  check<228, 4, 64, false, 2, true>();  // eight
}

TEST(FusedUpdate, PreconditionedByTheDiagonal) {
  check<1, 4, 64, false, 1, true, float, Half, true>();
  check<10, 4, 64, true, 3, false, float, Half, true>();
  check<14, 4, 32, true, 3, true, Half, Half, true>();
  check<33, 3, 48, false, 2, true, float, Bfloat, true>();
  check<38, 3, 64, false, 3, false, Half, Half, true>();
  check<100, 4, 64, true, 2, true, float, Half, true>();
  check<100, 4, 64, true, 2, true, Half, Half, true>();
}

TEST(FusedUpdate, OnlyTheMatrixOfATeamIsRoundedToHalves) {
  check<103, 4, 64, false, 3, true, Half>();
  check<117, 3, 48, true, 3, false, Half>();
  check<128, 4, 64, false, 3, true, Half, Int8>();
  check<150, 4, 64, true, 2, true, Half, Int8, true>();
  check<188, 4, 64, false, 2, true, Half, Bfloat>();
  check<228, 4, 64, false, 2, true, Half, Half, true>();
}

TEST(FusedUpdate, PreconditionedByATeam) {
  check<103, 4, 64, false, 2, true, float, Half, true>();
  check<117, 3, 48, true, 2, false, float, Half, true>();
  check<150, 4, 64, true, 2, true, float, Half, true>();
  check<228, 4, 64, false, 2, true, float, Half, true>();
}

template <int kRank, bool kWarm, bool kJacobi>
void check_tolerance() {
  constexpr int kSteps = 8;
  constexpr float kTolerance = 0.1f;
  Problem problem(kRank, {0, 5, 16, 33, 1, 100, 150}, 160);
  problem.spread_features();
  problem.store_factors_as<Half>();
  const UpdateParams p = problem.params(0, 0);
  run_fused<kRank, 4, 64, false, kSteps, kWarm, float, Half, kJacobi, kTolerance>(problem, false);
  for (int row = 1; row < problem.rows; ++row) {
    const reference::Vector a = problem.matrix(p, row), b = problem.bias(p, row);
    reference::Vector start(kRank, 0.0);
    if (kWarm) std::copy_n(problem.start.begin() + row * problem.pitch, kRank, start.begin());
    reference::CgSettings settings{.steps = kSteps, .tolerance = kTolerance};
    if (kJacobi) settings.diagonal = reference::diagonal_of(a);
    EXPECT_EQ(problem.steps[row], reference::conjugate_gradient(a, b, start, settings).steps)
        << "rank " << kRank << ", row " << row;
  }
}

TEST(FusedUpdate, StopsWhereThePlainNormIsSmallEnough) {
  check_tolerance<33, true, false>();
  check_tolerance<33, true, true>();
  check_tolerance<33, false, true>();
  check_tolerance<103, true, false>();
  check_tolerance<103, true, true>();
}

template <int kRank, int kThreads, int kLanes, bool kWarm, float kTolerance, typename Element,
          bool kJacobi = false>
void check_matrix_free() {
  constexpr int kSteps = 4;
  std::vector<float> forward;
  for (const bool reversed : {false, true}) {
    Problem problem(kRank, {0, 5, 16, 0, 33, 1, 100, 150}, 160);
    if (kJacobi) problem.spread_features();
    if constexpr (sizeof(Element) == 2) problem.store_factors_as<Element>();
    UpdateParams p = problem.params(0, 0);
    p.plan.cg_steps = kSteps;
    p.plan.cg_tolerance = kTolerance;
    emulation::launch(static_cast<unsigned>(problem.rows), kThreads, reversed, [&] {
      matrix_free_update<kRank, kThreads, kLanes, (kTolerance > 0), true, kWarm, Element, kJacobi>(
          p);
    });
    expect_solved(problem, {.warm = kWarm, .max_steps = kSteps, .jacobi = kJacobi});
    if constexpr (sizeof(Element) == 2) expect_rounded<Element>(problem);
    if (forward.empty()) forward = problem.solution;
    EXPECT_EQ(forward, problem.solution) << "the order of the threads shows: a barrier is missing";
    if (kTolerance > 0) {
      EXPECT_LT(problem.steps[1], kSteps) << "CG goes on past its tolerance";
    }
  }
}

TEST(MatrixFreeUpdate, SolvesWithoutTheMatrix) {
  check_matrix_free<1, 32, 4, true, 0.0f, float>();
  check_matrix_free<10, 32, 4, false, 0.0f, float>();
  check_matrix_free<33, 64, 8, true, 0.0f, Half>();
  check_matrix_free<100, 128, 8, true, 0.0f, Half>();
  check_matrix_free<100, 64, 32, false, 0.0f, float>();
}

TEST(MatrixFreeUpdate, StopsAtItsTolerance) {
  check_matrix_free<10, 64, 4, true, 0.5f, float>();
  check_matrix_free<10, 64, 4, true, 0.5f, float, true>();
}

TEST(MatrixFreeUpdate, PreconditionedByTheDiagonal) {
  check_matrix_free<1, 32, 4, true, 0.0f, float, true>();
  check_matrix_free<33, 64, 8, false, 0.0f, Half, true>();
  check_matrix_free<100, 64, 32, true, 0.0f, float, true>();
}

// The launches of update/fused where rows of up to kShort ratings are short, kClass being the last
// class of them. `warps`: of a team that solves the others.
template <int kRank, int kSteps, bool kWarm, int kShort, bool kTolerance = false, int kClass = 0>
void run_short_rows(const UpdateParams& p, bool reversed) {
  constexpr int kRatings = short_class_ratings(kClass), kWarps = short_class_warps(kClass);
  emulation::launch(2, 32 * kWarps, reversed, [&] {
    update_short_rows<kRank, kWarps, kRatings, 1, true, kTolerance, kWarm>(p);
  });
  if constexpr (kRatings < kShort)
    run_short_rows<kRank, kSteps, kWarm, kShort, kTolerance, kClass + 1>(p, reversed);
}
template <int kRank, int kSteps, bool kWarm, int kShort, int kChunk, bool kTolerance = false>
void run_with_short_rows(Problem& problem, bool reversed, float tolerance = 0) {
  constexpr int kTeam = mma_team(MmaLayout{kRank}).warps;
  const PieceWorkspace workspace{problem.offsets.back(), kChunk, mma_slot_bytes(kRank),
                                 problem.rows,           kShort, kTeam > 1};
  UpdateParams p = problem.params(workspace.bytes(), PieceWorkspace::kItemsAt);
  p.plan = {.cg_steps = kSteps, .cg_tolerance = tolerance, .pieces = workspace.layout(false)};
  const auto launch = [&](unsigned blocks, auto kernel, int warps = 1) {
    emulation::launch(blocks, 32 * warps, reversed, [&] { kernel(p); });
  };
  launch(2, count_items<32>);
  launch(2, place_items<32>);
  run_short_rows<kRank, kSteps, kWarm, kShort, kTolerance>(p, reversed);
  launch(1, fused_update<kRank, 4, kTeam, 1, true, Int8, kTolerance, kWarm, float>, kTeam);
  launch(2, sum_pieces<kRank, Int8, 32>);
  launch(2, fused_update_cut_rows<kRank, kTeam, 1, Int8, kTolerance, kWarm, float>, kTeam);
}

template <int kRank, int kSteps, bool kWarm, int kShort, int kChunk>
void check_short_rows() {
  std::vector<float> forward;
  for (const bool reversed : {false, true}) {
    Problem problem(kRank, {0, 5, 64, 65, 0, 33, 1, 100, 128, 129, 200, 256, 257, 290, 3, 0}, 300);
    problem.store_factors_as_bytes();
    run_with_short_rows<kRank, kSteps, kWarm, kShort, kChunk>(problem, reversed);
    expect_solved(problem, {.warm = kWarm, .max_steps = kSteps});
    expect_measured(problem);
    if (forward.empty()) forward = problem.solution;
    EXPECT_EQ(forward, problem.solution) << "the order of the lanes shows: a barrier is missing";
  }
}

TEST(ShortRows, AreSolvedInSharedMemory) {
  check_short_rows<1, 3, true, 64, 64>();
  check_short_rows<8, 4, true, 256, 1024>();
  check_short_rows<33, 4, false, 128, 128>();
  check_short_rows<38, 3, true, 512, 512>();
  check_short_rows<100, 3, true, 256, 280>();
}

TEST(ShortRows, BesideATeam) {
  check_short_rows<103, 3, true, 128, 1024>();
  check_short_rows<200, 3, true, 512, 512>();
}

TEST(ShortRows, StopAtTheirTolerance) {
  constexpr float kTolerance = 0.1f;
  constexpr int kSteps = 8;
  Problem problem(33, {0, 5, 16, 33, 1, 100, 150}, 160);
  problem.spread_features();
  problem.store_factors_as_bytes();
  const UpdateParams p = problem.params(0, 0);
  run_with_short_rows<33, kSteps, true, 256, 256, true>(problem, false, kTolerance);
  for (int row = 1; row < problem.rows; ++row) {
    reference::Vector start(33, 0.0);
    std::copy_n(problem.start.begin() + row * problem.pitch, 33, start.begin());
    EXPECT_EQ(problem.steps[row],
              reference::conjugate_gradient(problem.matrix(p, row), problem.bias(p, row), start,
                                            {.steps = kSteps, .tolerance = kTolerance})
                  .steps)
        << "row " << row;
  }
}

TEST(FusedUpdate, NoStepsLeaveTheStart) { check<10, 4, 64, true, 0, true>(); }

TEST(FusedUpdate, CountsSolutionsThatAHalfCannotHold) {
  Problem problem(10, {0, 5, 7}, 160);
  problem.store_factors_as<Half>();
  for (const int element : {2, 18, 33}) problem.solution[element] = 1e5f;  // row 0 becomes zero
  run_fused<10, 4, 64, true, 0, true, float, Half, false>(problem, false);
  EXPECT_EQ(problem.overflows, 2u);
}

}  // namespace
}  // namespace alsbench
