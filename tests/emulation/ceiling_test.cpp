// SPDX-License-Identifier: Apache-2.0
// The ceilings' kernels on emulated threads against what they are to compute.
#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <vector>

#include "tests/emulation/block.h"
// after block.h
#include "kernels/cuda/ceiling/fma.cuh"
#include "kernels/cuda/ceiling/gather.cuh"
#include "kernels/cuda/ceiling/mma.cuh"
#include "kernels/cuda/ceiling/read.cuh"

namespace alsbench {
namespace {

constexpr int kThreads = 64;
constexpr unsigned kBlocks = 3;

TEST(FmaCeiling, StepsEveryChainToItsEnd) {
  std::vector<float> sums(kBlocks * kThreads, std::nanf(""));
  const FmaParams p{sums.data(), kBlocks, kThreads * kFmaSummed, 1000};
  emulation::launch(kBlocks, kThreads, false, [&] { fma_chains<kThreads>(p); });
  for (uint32_t at = 0; at < sums.size(); ++at) {
    float expected = 0;
    for (int i = 0; i < kFmaSummed; ++i) {
      float x = fma_start(at * kFmaSummed + i);
      for (int step = 0; step < p.steps; ++step) x = std::fmaf(x, kFmaFactor, kFmaTerm);
      expected += x;
    }
    ASSERT_EQ(sums[at], expected) << at;
  }
}

template <typename Element>
void check_mma() {
  constexpr int kDepth = mma_depth(sizeof(Element));
  std::vector<float> sums(kThreads, std::nanf(""));
  const MmaParams p{sums.data(), kThreads / 32, 18};
  emulation::launch(1, kThreads, false, [&] { mma_chains<Element, kThreads>(p); });
  for (int warp = 0; warp < p.warps; ++warp) {
    // the whole product, element by element, to the lane that holds it
    std::vector<double> expected(32, 0.0);
    for (int row = 0; row < kMmaRows; ++row)
      for (int column = 0; column < kMmaColumns; ++column)
        for (int tile = 0; tile < kMmaTiles; ++tile)
          for (int k = 0; k < kDepth; ++k)
            expected[row % 8 * 4 + column / 2] +=
                p.steps * mma_a(warp, row, k) * mma_b(tile, k, column);
    for (int lane = 0; lane < 32; ++lane)
      ASSERT_EQ(sums[warp * 32 + lane], expected[lane]) << warp << ", " << lane;
  }
}

TEST(MmaCeiling, SumsProductsOfEveryType) {
  check_mma<Half>();
  check_mma<Bfloat>();
  check_mma<Tf32>();
  check_mma<SignedByte>();
  check_mma<E4m3Byte>();
}

struct Gather {
  static constexpr int kRows = 8;
  std::vector<uint32_t> source, sums;
  GatherParams params;

  Gather() : source(kRows * kGatherWords), sums(kBlocks * kThreads / 32) {
    for (size_t i = 0; i < source.size(); ++i) source[i] = static_cast<uint32_t>(i * i + 1);
    params = {source.data(), sums.data(), static_cast<int64_t>(sums.size()),
              std::bit_width(static_cast<unsigned>(kRows)) - 1, 2 * kGatherInFlight};
  }
  void check() const {
    for (uint32_t stream = 0; stream < sums.size(); ++stream) {
      uint32_t state = gather_start(stream), expected = 0;
      for (int i = 0; i < params.rows; ++i) {
        state = gather_next(state);
        const uint32_t* row = &source[gather_row(state, params.row_bits) * kGatherWords];
        for (int k = 0; k < kGatherWords; ++k) expected += row[k];
      }
      EXPECT_EQ(sums[stream], expected) << stream;
    }
  }
};

TEST(GatherCeilings, AddUpTheRowsOfEachStream) {
  Gather past_l1, shared;
  emulation::launch(kBlocks, kThreads, false,
                    [&] { gather_rows<kThreads, false>(past_l1.params); });
  past_l1.check();
  for (const bool reversed : {false, true}) {
    emulation::launch(kBlocks, kThreads, reversed,
                      [&] { gather_shared_rows<kThreads, Gather::kRows>(shared.params); });
    shared.check();
  }
}

TEST(ReadCeiling, ReadsEveryWordInEachPass) {
  for (const size_t vectors : {1, 700, 4096}) {
    std::vector<uint32_t> source(4 * vectors), sums(kBlocks * kThreads / 32, 5);
    uint32_t expected = 0;
    for (size_t i = 0; i < source.size(); ++i)
      expected += source[i] = static_cast<uint32_t>(i * 2654435761u + 1);
    const ReadParams p{source.data(), static_cast<int64_t>(4 * source.size()), sums.data(),
                       static_cast<int64_t>(sums.size()), 3};
    emulation::launch(kBlocks, kThreads, false, [&] { read_words<kThreads>(p); });
    EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0u), 3 * expected) << vectors;
  }
}

}  // namespace
}  // namespace alsbench
