// SPDX-License-Identifier: Apache-2.0
// implicit_update/fused on emulated threads against CG in double on the reference's equations.
#include "kernels/cpu/reference/implicit.h"

#include <gtest/gtest.h>

#include "tests/emulation/block.h"
// after block.h
#include "kernels/cuda/implicit/fused.cuh"
#include "kernels/cuda/implicit/fused_cut_rows.cuh"
#include "kernels/cuda/rows/plan.cuh"
#include "tests/emulation/problem.h"

namespace alsbench {
namespace {

using emulated::Problem;

std::vector<float> gram_of(const Problem& problem) {
  std::vector<float> gram(static_cast<size_t>(problem.rank) * problem.rank, 0.0f);
  for (int row = 0; row < problem.cols; ++row)
    for (int i = 0; i < problem.rank; ++i)
      for (int j = 0; j < problem.rank; ++j)
        gram[i * problem.rank + j] +=
            problem.factors[row * problem.pitch + i] * problem.factors[row * problem.pitch + j];
  return gram;
}

struct Regularised {
  float alpha = 4;
  int32_t weighted = 0;
  float magnitude = 1;  // of the factors, over those of the problem
};

// Factors of both signs: with positive ones alone the first eigenvalue is so large that CG in float
// soon leaves CG in double.
void centre_factors(Problem& problem, const Regularised& how) {
  for (int row = 0; row < problem.cols; ++row)
    for (int i = 0; i < problem.rank; ++i) {
      float& factor = problem.factors[row * problem.pitch + i];
      factor = how.magnitude * (factor - 0.1f);
    }
}

// The launches of the variant, one warp a block.
template <int kRank, int kStages, int kChunk, int kSteps, bool kWarm, typename Element,
          typename Factor, bool kJacobi>
ImplicitParams run_fused(Problem& problem, std::vector<float4>& gram_tiles,
                         const std::vector<float>& gram, Regularised how, bool reversed) {
  const PieceWorkspace workspace{problem.offsets.back(), kChunk, mma_slot_bytes(kRank)};
  ImplicitParams p{problem.params(workspace.bytes(), PieceWorkspace::kItemsAt), gram.data(),
                   how.alpha, how.weighted};
  p.update.plan = {.cg_steps = kSteps, .cg_tolerance = 0, .pieces = workspace.layout(false)};
  gram_tiles.resize(MmaLayout{kRank}.tiles() * 32);
  p.gram_tiles = gram_tiles.data();
  emulation::launch(2, 32, reversed, [&] { plan_rows<32>(p.update); });
  emulation::launch(MmaLayout{kRank}.tiles(), 32, reversed, [&] { spread_gram<kRank, Factor>(p); });
  emulation::launch(1, 32, reversed, [&] {
    implicit_update<kRank, kStages, 1, 1, true, Factor, false, kWarm, Element, kJacobi>(p);
  });
  emulation::launch(2, 32, reversed, [&] { sum_pieces<kRank, Factor, 32>(p.update); });
  emulation::launch(2, 32, reversed, [&] {
    implicit_update_cut_rows<kRank, 1, 1, Factor, false, kWarm, Element, kJacobi>(p);
  });
  return p;
}

template <typename Factor>
float rounded(float value) {
  return Factor::of(value).value();
}

template <typename Factor>
void expect_solved(const Problem& problem, ImplicitParams p, int steps, bool warm, bool jacobi) {
  p.update.factors.data = const_cast<float*>(problem.factors.data());
  for (int row = 0; row < problem.rows; ++row) {
    SCOPED_TRACE(testing::Message() << "rank " << problem.rank << ", row " << row << " of "
                                    << problem.length(row) << " ratings, alpha " << p.alpha);
    EXPECT_EQ(problem.status[row], 0);
    reference::Vector expected(problem.rank, 0.0);
    if (problem.length(row) > 0) {
      EXPECT_EQ(problem.steps[row], steps);
      if (warm)
        std::copy_n(problem.start.begin() + row * problem.pitch, problem.rank, expected.begin());
      const auto equations = reference::weighted_implicit_row(p, row, rounded<Factor>);
      reference::CgSettings settings{.steps = steps};
      if (jacobi) settings.diagonal = reference::diagonal_of(equations.a);
      expected = reference::conjugate_gradient(equations.a, equations.b, expected, settings).x;
    }
    EXPECT_LT(problem.solution_error(row, expected), 1e-4);
  }
}

template <int kRank, int kStages, int kChunk, int kSteps, bool kWarm, typename Factor = Half,
          bool kJacobi = false>
void check(Regularised how = {}) {
  std::vector<float> forward;
  for (const bool reversed : {false, true}) {
    Problem problem(kRank, {0, 5, 16, 17, 0, 33, 1, 100, 64, 150, 3, 0}, 160);
    centre_factors(problem, how);
    if (kJacobi) problem.spread_features();
    problem.values[3] = 0;  // counts like no rating, but for n_u
    problem.store_factors_as<Factor>();
    const std::vector<float> gram = gram_of(problem);
    std::vector<float4> tiles;
    const ImplicitParams p =
        run_fused<kRank, kStages, kChunk, kSteps, kWarm, float, Factor, kJacobi>(
            problem, tiles, gram, how, reversed);
    expect_solved<Factor>(problem, p, kSteps, kWarm, kJacobi);
    for (size_t i = 0; i < problem.solution.size(); ++i) {
      const auto [expected, kept] = problem.rounded_pair<Factor>(i);
      ASSERT_EQ(kept, expected) << "element " << i;
    }
    if (forward.empty()) forward = problem.solution;
    EXPECT_EQ(forward, problem.solution) << "the order of the lanes shows: a barrier is missing";
  }
}

TEST(ImplicitUpdate, SolvesWhatItSums) {
  check<1, 4, 64, 3, true>();
  check<7, 3, 64, 3, true>();
  check<10, 4, 1024, 4, false>();
  check<14, 4, 32, 4, true>();
  check<33, 6, 48, 4, true>();
  check<100, 4, 64, 3, true>();
}

// Factors as bytes, a row for each distinct rating, against CG in double on the rows as stored.
template <int kRank, int kChunk, int kSteps, bool kWarm, typename Element, bool kJacobi = false>
void check_bytes(Regularised how = {}, double tolerance = 1e-4) {
  std::vector<float> forward;
  for (const bool reversed : {false, true}) {
    Problem problem(kRank, {0, 5, 16, 17, 0, 33, 1, 100, 64, 150, 3, 0}, 160);
    centre_factors(problem, how);
    if (kJacobi) problem.spread_features();
    const std::vector<float> gram = gram_of(problem), exact = problem.factors;
    Int8Weights weights{10, {}};  // of the ratings 0, 0.5, ... 4.5
    for (int i = 0; i < 10; ++i) weights.values[i] = std::sqrt(how.alpha * 0.5f * i);
    problem.values[3] = 0;
    for (size_t k = 0; k < problem.values.size(); ++k) {
      const int number = static_cast<int>(2 * problem.values[k]);
      const float root = weights.values[number];
      problem.indices[k] = 10 * problem.indices[k] + number;
      problem.values[k] = root > 0 ? (1 + root * root) / root : 0;
    }
    problem.store_factors_as_bytes<true>(weights);
    for (int row = 0; row < problem.cols; ++row)
      for (int i = 0; i < kRank; ++i)
        EXPECT_NEAR(problem.factors[row * problem.pitch + i],
                    exact[row / 10 * problem.pitch + i] * weights.values[row % 10],
                    0.5001 * problem.scales[i]);
    std::vector<float4> tiles;
    ImplicitParams p = run_fused<kRank, 4, kChunk, kSteps, kWarm, Element, Int8, kJacobi>(
        problem, tiles, gram, how, reversed);
    p.update.factors.data = problem.factors.data();
    for (int row = 0; row < problem.rows; ++row) {
      SCOPED_TRACE(testing::Message() << "rank " << kRank << ", row " << row << " of "
                                      << problem.length(row) << " ratings");
      reference::Vector expected(kRank, 0.0);
      if (problem.length(row) > 0) {
        if (kWarm)
          std::copy_n(problem.start.begin() + row * problem.pitch, kRank, expected.begin());
        const auto equations = reference::summed_implicit_row(p, row);
        reference::CgSettings settings{.steps = kSteps};
        if (kJacobi) settings.diagonal = reference::diagonal_of(equations.a);
        expected = reference::conjugate_gradient(equations.a, equations.b, expected, settings).x;
      }
      EXPECT_LT(problem.solution_error(row, expected), tolerance);
    }
    for (int feature = 0; feature < kRank; ++feature) {
      const auto [expected, kept] = problem.largest_pair(feature);
      EXPECT_EQ(kept, expected) << "feature " << feature;
    }
    if (forward.empty()) forward = problem.solution;
    EXPECT_EQ(forward, problem.solution) << "the order of the lanes shows: a barrier is missing";
  }
}

TEST(ImplicitUpdate, FactorsAsBytes) {
  check_bytes<7, 64, 3, true, float>();
  check_bytes<33, 48, 3, true, float>({.weighted = 1});
  check_bytes<38, 64, 3, false, float>({.alpha = 40});
  check_bytes<38, 64, 2, true, float, true>();
  check_bytes<100, 64, 3, true, float>();
}

TEST(ImplicitUpdate, MatrixAsHalves) {
  check_bytes<33, 48, 3, true, Half>({}, 2e-3);
  check_bytes<100, 64, 3, true, Half>({}, 2e-3);
}

TEST(ImplicitUpdate, RegularisedByRatings) { check<33, 4, 48, 3, true>({.weighted = 1}); }

TEST(ImplicitUpdate, FactorsOfEveryType) {
  check<33, 4, 48, 3, true, Bfloat>();
  check<38, 3, 64, 3, false, Bfloat>();
  check<33, 4, 48, 3, true, Tf32>();
  check<38, 3, 64, 3, true, Tf32>();
}

TEST(ImplicitUpdate, PreconditionedByTheDiagonal) { check<38, 4, 64, 2, true, Half, true>(); }

TEST(ImplicitUpdate, SmallAndLargeConfidence) {
  for (const float alpha : {1e-6f, 1e-2f, 40.0f}) check<14, 4, 64, 3, true>({.alpha = alpha});
}

// Squares of the products A_u p are infinite in float.
TEST(ImplicitUpdate, LargeGramMatrix) {
  check<33, 4, 48, 3, true>({.alpha = 2e-5f, .magnitude = 300});
  check<33, 4, 48, 3, false, Bfloat>({.magnitude = 1e7f});
  check_bytes<33, 48, 3, false, float>({.magnitude = 1e7f});
}

// A rounded operand is a factor times a root of a weight: the equations stay near those that they
// stand for.
TEST(ImplicitUpdate, TheWeightedRowsAreNearTheTrueOnes) {
  Problem problem(14, {0, 5, 100}, 160);
  problem.store_factors_as<Half>();
  const std::vector<float> gram = gram_of(problem);
  ImplicitParams p{problem.params(0, 0), gram.data(), 40, 0};
  p.update.factors.data = problem.factors.data();
  for (int row = 1; row < problem.rows; ++row) {
    const auto rounded_row = reference::weighted_implicit_row(p, row, rounded<Half>);
    const auto exact = reference::implicit_row(p, row);
    for (size_t i = 0; i < exact.a.size(); ++i)
      EXPECT_NEAR(rounded_row.a[i], exact.a[i], 2e-3 * exact.a[i]);
    for (size_t i = 0; i < exact.b.size(); ++i)
      EXPECT_NEAR(rounded_row.b[i], exact.b[i], 1e-3 * exact.magnitude[i]);
  }
}

}  // namespace
}  // namespace alsbench
