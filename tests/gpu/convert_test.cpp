// SPDX-License-Identifier: Apache-2.0
// Rounding factors to other storage types on the GPU gives the host's bits.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "harness/device/device.h"
#include "kernels/cpu/element.h"

namespace alsbench {
namespace {

// Every exponent from below the least half to beyond the largest, with ties and both signs.
std::vector<float> awkward_floats() {
  std::vector<float> values{0.0f, -0.0f, 65504.0f, 65519.0f, 65520.0f, 3.4e38f};
  for (int exponent = -30; exponent < 20; ++exponent)
    for (int i = 0; i < 4096; ++i) {
      const float value = std::ldexp(1.0f + std::ldexp(static_cast<float>(i), -12), exponent);
      values.push_back(i % 2 == 0 ? value : -value);
    }
  return values;
}

struct Converted {
  std::vector<char> bytes;
  uint32_t overflows = 0;
};

Converted convert_on_gpu(Scalar type, const std::vector<float>& values) {
  const auto gpu = open_device("0");
  const auto count = static_cast<int64_t>(values.size());
  const Buffer source = gpu->allocate(count * 4), target = gpu->allocate(count * size_of(type));
  const Buffer overflows = gpu->allocate(4);
  gpu->fill(overflows.data(), 0, 4);
  gpu->upload(source.data(), values.data(), count * 4);
  gpu->convert(target.data(), type, source.data(), count, overflows.as<uint32_t>());
  Converted result;
  result.bytes.resize(static_cast<size_t>(target.bytes()));
  gpu->download(result.bytes.data(), target.data(), target.bytes());
  gpu->download(&result.overflows, overflows.data(), 4);
  return result;
}

std::vector<float> widen_on_gpu(const uint16_t* halves, size_t size) {
  const auto gpu = open_device("0");
  const auto count = static_cast<int64_t>(size);
  const Buffer source = gpu->allocate(count * 2), target = gpu->allocate(count * 4);
  gpu->upload(source.data(), halves, count * 2);
  gpu->widen(target.data(), source.data(), count);
  std::vector<float> wide(size);
  gpu->download(wide.data(), target.data(), count * 4);
  return wide;
}

#define SKIP_WITHOUT_GPU() \
  std::string reason;      \
  if (cuda_device_count(&reason) == 0) GTEST_SKIP() << reason

TEST(ConvertOnGpu, Halves) {
  SKIP_WITHOUT_GPU();
  const std::vector<float> values = awkward_floats();
  const Converted converted = convert_on_gpu(Scalar::fp16, values);
  const auto* halves = reinterpret_cast<const uint16_t*>(converted.bytes.data());
  uint32_t overflows = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(halves[i], float_to_half(values[i])) << values[i];
    overflows += std::isinf(half_to_float(halves[i])) ? 1 : 0;
  }
  const std::vector<float> wide = widen_on_gpu(halves, values.size());
  for (size_t i = 0; i < values.size(); ++i) ASSERT_EQ(wide[i], half_to_float(halves[i])) << i;
  EXPECT_GT(overflows, 0u);
  EXPECT_EQ(converted.overflows, overflows);
}

TEST(ConvertOnGpu, Bfloats) {
  SKIP_WITHOUT_GPU();
  const std::vector<float> values = awkward_floats();
  const Converted converted = convert_on_gpu(Scalar::bf16, values);
  const auto* bfloats = reinterpret_cast<const uint16_t*>(converted.bytes.data());
  for (size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(bfloats[i], float_to_bfloat(values[i])) << values[i];
  EXPECT_EQ(converted.overflows, 1u);  // 3.4e38
}

TEST(ConvertOnGpu, Tf32) {
  SKIP_WITHOUT_GPU();
  const std::vector<float> values = awkward_floats();
  const Converted converted = convert_on_gpu(Scalar::tf32, values);
  const auto* floats = reinterpret_cast<const float*>(converted.bytes.data());
  for (size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(floats[i], round_to_tf32(values[i])) << values[i];
}

}  // namespace
}  // namespace alsbench
