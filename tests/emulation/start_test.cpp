// SPDX-License-Identifier: Apache-2.0
// subsample and blend on emulated threads against the CPU's.
#include <gtest/gtest.h>

#include "tests/emulation/block.h"
// after block.h
#include "kernels/cpu/start.h"
#include "kernels/cuda/start/blend.cuh"
#include "kernels/cuda/start/subsample.cuh"
#include "tests/emulation/problem.h"

namespace alsbench {
namespace {

using emulated::Problem;

const CpuResources kOneThread{1, {}};

struct Subsample {
  std::vector<int32_t> indices;
  std::vector<float> values;
};

// Half of each row, rounded up.
struct SubsampleProblem {
  Problem problem{4, {0, 1, 2, 3, 40, 77, 0}, 90};
  std::vector<int64_t> offsets{0};

  SubsampleProblem() {
    for (int row = 0; row < problem.rows; ++row)
      offsets.push_back(offsets.back() + (problem.length(row) + 1) / 2);
  }
  template <class Run>
  Subsample run(bool averaged, const Run& launch) {
    Subsample subsample{std::vector<int32_t>(offsets.back(), -1),
                        std::vector<float>(offsets.back(), std::nanf(""))};
    SubsampleParams p;
    p.ratings = problem.params(0, 0).ratings;
    p.offsets = offsets.data();
    p.indices = subsample.indices.data();
    p.values = subsample.values.data();
    p.mean = averaged ? 2.5f : 0.0f;
    p.averaged = averaged ? 1 : 0;
    p.seed = 11;
    launch(p);
    return subsample;
  }
};

TEST(SubsampleStage, TakesTheCellsThatTheCpuTakes) {
  SubsampleProblem subsampled;
  constexpr int kThreads = 32;
  for (const bool averaged : {false, true}) {
    const Subsample expected =
        subsampled.run(averaged, [&](const SubsampleParams& p) { subsample_rows(p, kOneThread); });
    for (const bool reversed : {false, true}) {
      const Subsample found = subsampled.run(averaged, [&](const SubsampleParams& p) {
        emulation::launch(subsampled.problem.rows, kThreads, reversed,
                          [&] { subsample_rows<kThreads>(p); });
      });
      EXPECT_EQ(found.indices, expected.indices);
      for (size_t i = 0; i < expected.values.size(); ++i)
        ASSERT_NEAR(found.values[i], expected.values[i], 1e-6) << i;
    }
  }
}

TEST(BlendStage, AddsTheWeightedElements) {
  constexpr int kThreads = 64;
  Problem problem(10, {1, 2, 3, 4, 5}, 20);
  std::vector<float> target = problem.solution;
  const FactorsView source = problem.params(0, 0).solution;
  std::vector<float> other(target.size());
  for (size_t i = 0; i < other.size(); ++i)
    other[i] = i % problem.pitch < 10 ? static_cast<float>(i % 7) : 0.0f;
  BlendParams p{source, source, 1.5f, -0.5f};
  p.target.data = target.data();
  p.other.data = other.data();
  emulation::launch(2, kThreads, false, [&] { blend_elements<kThreads>(p); });
  for (size_t i = 0; i < target.size(); ++i)
    ASSERT_NEAR(target[i], 1.5f * problem.solution[i] - 0.5f * other[i], 1e-6) << i;
}

}  // namespace
}  // namespace alsbench
