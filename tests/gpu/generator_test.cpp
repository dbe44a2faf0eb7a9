// SPDX-License-Identifier: Apache-2.0
// Synthetic sets drawn on the GPU are the CPU's, bit for bit.
#include "harness/data/generator.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/error.h"
#include "harness/data/draw_rows.h"
#include "harness/device/device.h"

namespace alsbench {
namespace {

struct SetCase {
  std::string dataset;
  double scale = 1;
  double empty_share = 0;
};

std::string name_of(const SetCase& set) {
  std::string name = set.dataset;
  if (set.scale < 1) name += fmt::format("_at_{}", set.scale);
  if (set.empty_share > 0) name += fmt::format("_with_{}_empty", set.empty_share);
  for (char& c : name)
    if (c == '-' || c == '.') c = '_';
  return name;
}

void PrintTo(const SetCase& set, std::ostream* stream) { *stream << name_of(set); }

class DrawnOnGpu : public testing::TestWithParam<SetCase> {};

TEST_P(DrawnOnGpu, HasTheBitsOfTheCpu) {
  std::string reason;
  if (cuda_device_count(&reason) == 0) GTEST_SKIP() << reason;
  DatasetSpec spec = scaled(dataset_spec(GetParam().dataset), GetParam().scale);
  spec.empty_rows = spec.empty_cols = GetParam().empty_share;
  const GeneratorPlan plan = plan_generator(spec, 7);
  const size_t count = static_cast<size_t>(plan.row_offsets.back());
  std::vector<int32_t> indices(count), gpu_indices(count, -1);
  std::vector<float> values(count), gpu_values(count, -1);
  draw_rows_on_cpu(plan, indices.data(), values.data());
  const auto gpu = open_device("0");
  draw_rows_on_cuda(*gpu, plan, gpu_indices.data(), gpu_values.data());
  EXPECT_TRUE(indices == gpu_indices);
  EXPECT_EQ(std::memcmp(values.data(), gpu_values.data(), count * sizeof(float)), 0);
}

INSTANTIATE_TEST_SUITE_P(Sets, DrawnOnGpu,
                         testing::Values(SetCase{"ml-100k"}, SetCase{"ml-100k", 1, 0.2},
                                         SetCase{"netflix", 0.05}, SetCase{"yahoomusic", 0.01}),
                         [](const auto& test) { return name_of(test.param); });

TEST(DrawOnGpu, RowsTooWideForItsSharedMemoryAreRefused) {
  std::string reason;
  if (cuda_device_count(&reason) == 0) GTEST_SKIP() << reason;
  GeneratorPlan plan;
  plan.spec.cols = int64_t{1} << 28;
  const auto gpu = open_device("0");
  EXPECT_THROW(draw_rows_on_cuda(*gpu, plan, nullptr, nullptr), LaunchRefusedError);
}

}  // namespace
}  // namespace alsbench
