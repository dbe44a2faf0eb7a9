// SPDX-License-Identifier: Apache-2.0
// solve/cg on emulated threads against CG in double on the reference's equations.
#include <gtest/gtest.h>

#include <bit>

#include "tests/emulation/block.h"
// after block.h
#include "kernels/cuda/solve/cg.cuh"
#include "tests/emulation/problem.h"

namespace alsbench {

alignas(16) thread_local float4 dynamic_shared[1];  // the kernel's, where A_u is not kept there

namespace {

using emulated::kLambda;
using emulated::Problem;

template <int kRank, int kThreads, bool kWarm, bool kJacobi, MatrixCache kCache, float kTolerance>
void check() {
  constexpr int kSteps = 3;
  std::vector<float> forward;
  for (const bool reversed : {false, true}) {
    Problem problem(kRank, {0, 5, 16, 0, 33, 1, 100}, 160);
    problem.spread_features();
    UpdateParams p = problem.params(0, 0);
    std::vector<float> matrices, bias(static_cast<size_t>(problem.rows) * problem.pitch);
    for (int row = 0; row < problem.rows; ++row) {
      const reference::Vector a = problem.matrix(p, row), b = problem.bias(p, row);
      matrices.insert(matrices.end(), a.begin(), a.end());
      std::copy(b.begin(), b.end(), bias.begin() + row * problem.pitch);
    }
    p.matrices = matrices.data();
    p.bias = bias.data();
    p.plan.cg_steps = kSteps;
    p.plan.cg_tolerance = kTolerance;
    emulation::launch(static_cast<unsigned>(problem.rows), kThreads, reversed, [&] {
      cg_solve<kRank, kThreads, (kTolerance > 0), true, kWarm, kCache, float, kJacobi>(p);
    });
    for (int row = 0; row < problem.rows; ++row) {
      SCOPED_TRACE(testing::Message() << "rank " << kRank << ", row " << row);
      reference::Vector expected(kRank, 0.0);
      if (problem.length(row) > 0) {
        const reference::Vector a = problem.matrix(p, row);
        if (kWarm)
          std::copy_n(problem.start.begin() + row * problem.pitch, kRank, expected.begin());
        reference::CgSettings settings{.steps = kSteps, .tolerance = kTolerance};
        if (kJacobi) settings.diagonal = reference::diagonal_of(a);
        const auto cg = reference::conjugate_gradient(a, problem.bias(p, row), expected, settings);
        EXPECT_EQ(problem.steps[row], cg.steps);
        expected = cg.x;
      }
      EXPECT_LT(problem.solution_error(row, expected), 1e-4);
    }
    if (forward.empty()) forward = problem.solution;
    EXPECT_EQ(forward, problem.solution) << "the order of the threads shows: a barrier is missing";
  }
}

TEST(CgSolve, IsTheReferenceStepByStep) {
  check<10, 64, true, false, MatrixCache::none, 0.0f>();
  check<33, 64, false, false, MatrixCache::registers, 0.0f>();
}

TEST(CgSolve, PreconditionedByTheDiagonal) {
  check<10, 64, true, true, MatrixCache::none, 0.0f>();
  check<33, 64, false, true, MatrixCache::registers, 0.0f>();
  check<100, 128, true, true, MatrixCache::none, 0.0f>();
}

TEST(CgSolve, StopsAtAToleranceOfThePlainNorm) {
  check<10, 64, true, false, MatrixCache::none, 0.3f>();
  check<10, 64, true, true, MatrixCache::none, 0.3f>();
  check<33, 64, false, true, MatrixCache::none, 0.2f>();
}

}  // namespace
}  // namespace alsbench
