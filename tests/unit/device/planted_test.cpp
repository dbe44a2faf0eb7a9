// SPDX-License-Identifier: Apache-2.0
// hermitian/planted/cuda, by which comparisons are tested on a GPU: more work in the same code, or
// other code of the same work. Compiled here; timed where there is a GPU.
#include <gtest/gtest.h>

#include "harness/device/cuda_backend.h"
#include "tests/unit/scratch_folder.h"
#include "variants/als/stages.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

KernelLaunch planned(const std::string& config) {
  const Variant& planted = variant_named(&stages::hermitian, "planted", Backend::cuda);
  Shape shape;
  shape.rows = 1000;
  shape.cols = 500;
  shape.rank = 64;
  return planted.plan(planted.space.parse(config), shape, DeviceTraits()).launches.at(0);
}

TEST(Planted, ExtraWorkIsMoreBlocksOfTheSameCode) {
  const KernelLaunch plain = planned(""), extra = planned("extra=5");
  EXPECT_EQ(plain.instance, extra.instance);
  EXPECT_EQ(extra.grid, plain.grid + plain.grid / 20);
}

TEST(Planted, OtherCodeCompilesToOtherCode) {
  if (!cuda_built()) GTEST_SKIP() << kBuiltWithoutCuda;
  const ScratchFolder folder;
  const ScopedVariable cache("ALSBENCH_CACHE_DIR", folder.path().string());
  const auto hash = [](const KernelLaunch& launch) {
    return compile_kernel({launch.source, launch.instance, 90}).code_hash;
  };
  EXPECT_NE(hash(planned("code=1")), hash(planned("code=2")));
}

}  // namespace
}  // namespace alsbench
