// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "tests/unit/texts.h"
#include "variants/core/device_traits.h"

#if ALSBENCH_WITH_CUDA
#include <cuda_occupancy.h>
#endif

namespace alsbench {
namespace {

TEST(Architectures, EachRowIsConsistent) {
  ASSERT_FALSE(known_architectures().empty());
  EXPECT_TRUE(std::is_sorted(known_architectures().begin(), known_architectures().end()));
  for (const int architecture : known_architectures()) {
    const DeviceTraits traits = traits_of_architecture(architecture);
    SCOPED_TRACE(traits.name);
    EXPECT_EQ(traits.backend, Backend::cuda);
    EXPECT_EQ(traits.architecture, architecture);
    const int64_t reserved = traits.shared_bytes_per_multiprocessor - traits.shared_bytes_per_block;
    EXPECT_EQ(reserved, architecture >= 80 ? 1024 : 0);
    EXPECT_EQ(traits.threads_per_multiprocessor % 512, 0);
    EXPECT_GE(traits.threads_per_multiprocessor, 32 * traits.blocks_per_multiprocessor);
    EXPECT_EQ(traits.registers_per_multiprocessor, 65536);
    EXPECT_GT(traits.multiprocessors, 0);
    EXPECT_GT(traits.memory_bytes, traits.l2_bytes);
    EXPECT_GT(traits.l2_bytes, 0);
  }
}

// The toolkit's calculator has tables of its own.
TEST(Architectures, LimitsAreThoseOfTheToolkit) {
#if ALSBENCH_WITH_CUDA
  for (const int architecture : known_architectures()) {
    const DeviceTraits traits = traits_of_architecture(architecture);
    SCOPED_TRACE(architecture);
    cudaOccDeviceProp properties;
    properties.computeMajor = architecture / 10;
    properties.computeMinor = architecture % 10;
    int blocks = 0;
    ASSERT_EQ(cudaOccMaxBlocksPerMultiprocessor(&blocks, &properties), CUDA_OCC_SUCCESS);
    EXPECT_EQ(traits.blocks_per_multiprocessor, blocks);
    // the largest carve-out for shared memory: it exists, and nothing lies beyond it
    size_t shared = static_cast<size_t>(traits.shared_bytes_per_multiprocessor);
    ASSERT_EQ(cudaOccAlignUpShmemSizeVoltaPlus(&shared, &properties), CUDA_OCC_SUCCESS);
    EXPECT_EQ(shared, traits.shared_bytes_per_multiprocessor);
    EXPECT_NE(cudaOccAlignUpShmemSizeVoltaPlus(&++shared, &properties), CUDA_OCC_SUCCESS);
  }
#else
  GTEST_SKIP() << "built without CUDA";
#endif
}

TEST(Architectures, NamesAreParsed) {
  EXPECT_EQ(parse_architecture("sm_75"), 75);
  EXPECT_EQ(parse_architecture("sm_120"), 120);
  for (const char* wrong : {"", "90", "sm_", "sm_90x", "sm_-9", "sm90", "compute_90"})
    EXPECT_THROW(parse_architecture(wrong), UsageError) << wrong;
}

TEST(Architectures, UnknownOnesAreRefusedWithTheKnownOnes) {
  EXPECT_TRUE(contains(thrown_by([&] { traits_of_architecture(61); }), "sm_90"));
}

}  // namespace
}  // namespace alsbench
