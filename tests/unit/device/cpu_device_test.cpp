// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "base/error.h"
#include "harness/device/device.h"
#include "kernels/cpu/element.h"
#include "kernels/shared/params/ceiling.h"
#include "tests/unit/texts.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

Variant copy_variant() {
  Variant variant;
  variant.stage = *stage_named("copy");
  variant.name = "test";
  variant.backend = Backend::cpu;
  variant.space = {{"way", {"plain", "forbidden"}, ""}};
  variant.objection = [](const Config& config, const Shape&,
                         const DeviceTraits&) -> std::optional<std::string> {
    if (config.is("way", "forbidden")) return "not this way";
    return std::nullopt;
  };
  variant.run = [](const Config&, const Shape&, const StageParams& params,
                   const RunContext& context) {
    const auto& copy = params.as<CopyParams>();
    auto* scratch = static_cast<char*>(context.scratch(0, copy.bytes));
    std::copy_n(static_cast<const char*>(copy.source), copy.bytes, scratch);
    std::copy_n(scratch, copy.bytes, static_cast<char*>(copy.target));
  };
  return variant;
}

const Shape kShape{.rows = 1, .cols = 1, .nnz = 1, .rank = 1};

TEST(CpuDevice, TraitsDescribeTheMachine) {
  const auto device = open_cpu_device(3);
  EXPECT_EQ(device->traits().backend, Backend::cpu);
  // Of x86-64, the bits of the kernels' vectors, which processors of 2013 and later tell apart.
  const int bits = device->traits().architecture;
  EXPECT_TRUE(bits == 0 || bits == 256 || bits == 512) << bits;
  EXPECT_EQ(device->traits().multiprocessors, 3);
  EXPECT_FALSE(device->traits().name.empty());
  EXPECT_GT(device->traits().l2_bytes, 0);
  EXPECT_GE(device->traits().memory_bytes, device->free_bytes());
  EXPECT_GT(device->free_bytes(), 0);
}

// As the definition has it, word by word.
Digest digest_by_words(const Region& region) {
  Digest digest;
  for (int64_t i = 0; i < region.words(); ++i) {
    const uint32_t word = word_of(region, i);
    digest.hash += hash_of_word(word, i);
    digest.not_finite += not_finite_in(word, i, region.numbers);
  }
  return digest;
}

TEST(CpuDevice, DigestIsOfAllWordsOfAllRuns) {
  const auto device = open_cpu_device(3);
  std::vector<uint32_t> words(200'000);
  for (size_t i = 0; i < words.size(); ++i) words[i] = static_cast<uint32_t>(mix64(i));
  for (const int64_t bytes : {0, 1, 4, 7, 65'536, 65'537, 65'540, 799'999}) {
    const Region region{"", words.data(), bytes, 1, 0, Numbers::fp16};
    EXPECT_EQ(device->digest(region), digest_by_words(region)) << bytes;
  }
  for (const int64_t width : {4, 100, 70'000}) {
    const Region region{"", words.data() + 1, width, 7, width + 12, Numbers::fp64};
    EXPECT_EQ(device->digest(region), digest_by_words(region)) << width;
  }
}

TEST(CpuDevice, MemoryIsAlignedOwnedAndMoves) {
  const auto device = open_cpu_device();
  Buffer buffer = device->allocate(1000);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % 256, 0u);
  EXPECT_EQ(buffer.bytes(), 1000);
  void* const data = buffer.data();
  Buffer other = std::move(buffer);
  EXPECT_EQ(other.data(), data);
  EXPECT_FALSE(buffer);  // NOLINT: the moved-from state is the contract
  other = device->allocate(0);
  EXPECT_FALSE(other);
  EXPECT_EQ(other.bytes(), 0);
}

TEST(CpuDevice, CountsItsMemoryAndTheMostOfIt) {
  const auto device = open_cpu_device();
  const Buffer kept = device->allocate(1000);
  EXPECT_EQ(device->allocated_bytes(), 1000);
  const PeakMemory memory(*device);
  EXPECT_EQ(memory.bytes(), 0);
  Buffer buffer = device->allocate(300);
  buffer = device->allocate(500);  // both lived for a moment
  EXPECT_EQ(device->allocated_bytes(), 1500);
  EXPECT_EQ(memory.bytes(), 800);
  buffer.reset();
  EXPECT_EQ(device->allocated_bytes(), 1000);
  EXPECT_EQ(memory.bytes(), 800);
  EXPECT_EQ(PeakMemory(*device).bytes(), 0);
}

TEST(CpuDevice, TooMuchMemoryIsAnErrorNotAKill) {
  const auto device = open_cpu_device();
  EXPECT_THROW(device->allocate(device->traits().memory_bytes * 4), OutOfMemoryError);
}

TEST(CpuDevice, CopiesAndFills) {
  const auto device = open_cpu_device();
  std::vector<int32_t> source(1000), target(1000, -1);
  std::iota(source.begin(), source.end(), 0);
  const int64_t bytes = 4000;
  const Buffer a = device->allocate(bytes), b = device->allocate(bytes);
  device->upload(a.data(), source.data(), bytes);
  device->fill(b.data(), 0xff, bytes);
  device->copy(b.data(), a.data(), bytes / 2);
  device->download(target.data(), b.data(), bytes);
  EXPECT_EQ(target[499], 499);
  EXPECT_EQ(target[500], -1);
}

TEST(CpuDevice, ConvertsToHalf) {
  const auto device = open_cpu_device(2);
  std::vector<float> source(200'000);
  for (size_t i = 0; i < source.size(); ++i) source[i] = std::sin(static_cast<float>(i));
  source[7] = 65520;
  source[199'999] = -1e9f;
  source[3] = INFINITY;  // no overflow
  std::vector<uint16_t> target(source.size() + 1, 0xaaaa);
  uint32_t overflows = 5;
  device->convert(target.data(), Scalar::fp16, source.data(), static_cast<int64_t>(source.size()),
                  &overflows);
  EXPECT_EQ(overflows, 5 + 2);
  for (size_t i = 0; i < source.size(); ++i) ASSERT_EQ(target[i], float_to_half(source[i])) << i;
  EXPECT_EQ(target.back(), 0xaaaa);
  std::vector<float> wide(source.size() + 1, -1);
  device->widen(wide.data(), target.data(), static_cast<int64_t>(source.size()));
  for (size_t i = 0; i < source.size(); ++i) ASSERT_EQ(wide[i], half_to_float(target[i])) << i;
  EXPECT_EQ(wide.back(), -1);
}

TEST(CpuDevice, ConvertsToBfloat) {
  const auto device = open_cpu_device(2);
  std::vector<float> source(200'000);
  for (size_t i = 0; i < source.size(); ++i) source[i] = std::sin(static_cast<float>(i));
  source[199'999] = -3.4e38f;
  source[3] = INFINITY;  // no overflow
  std::vector<uint16_t> target(source.size() + 1, 0xaaaa);
  uint32_t overflows = 5;
  device->convert(target.data(), Scalar::bf16, source.data(), static_cast<int64_t>(source.size()),
                  &overflows);
  EXPECT_EQ(overflows, 5 + 1);
  for (size_t i = 0; i < source.size(); ++i) ASSERT_EQ(target[i], float_to_bfloat(source[i])) << i;
  EXPECT_EQ(target.back(), 0xaaaa);
}

TEST(CpuDevice, TimesTheWork) {
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](Clock::duration time) {
    return std::chrono::duration<double>(time).count();
  };
  const auto device = open_cpu_device();
  double inside = 0;
  const auto begin = Clock::now();
  const Timing timing = device->time([&] {
    const auto start = Clock::now();
    while (Clock::now() == start) {  // the work takes time
    }
    inside = seconds(Clock::now() - start);
  });
  EXPECT_GE(timing.seconds, inside);
  EXPECT_LE(timing.seconds, seconds(Clock::now() - begin));
  EXPECT_EQ(timing.host_seconds, timing.seconds);
  EXPECT_EQ(timing.sm_clock_hz, 0);
}

TEST(CpuDevice, StateItCannotReadIsUnknown) {
  const DeviceState state = open_cpu_device()->state();
  EXPECT_FALSE(state.available);
  EXPECT_TRUE(std::isnan(state.power_watts));
}

TEST(CpuDevice, RunsAVariantWithScratchMemory) {
  const auto device = open_cpu_device(1);
  const Variant variant = copy_variant();
  const auto executable = device->prepare(variant, variant.space.default_config(), kShape);
  std::vector<int> source(100), target(100);
  std::iota(source.begin(), source.end(), 7);
  executable->launch(CopyParams{.source = source.data(), .target = target.data(), .bytes = 400});
  EXPECT_EQ(target, source);
  EXPECT_TRUE(executable->kernels().empty());
}

TEST(CpuDevice, ScratchIsKeptBetweenRunsAndGrows) {
  Variant variant = copy_variant();
  std::vector<void*> seen;
  int threads = 0;
  variant.run = [&](const Config&, const Shape&, const StageParams& params,
                    const RunContext& context) {
    threads = context.threads;
    seen.push_back(context.scratch(3, params.as<CopyParams>().bytes));
    EXPECT_NE(context.scratch(4, 64), seen.back());
  };
  const auto device = open_cpu_device(5);
  const auto executable = device->prepare(variant, variant.space.default_config(), kShape);
  for (const int64_t bytes : {1000, 1000, 500}) executable->launch(CopyParams{.bytes = bytes});
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[0], seen[2]);
  EXPECT_EQ(threads, 5);
}

TEST(CpuDevice, ObjectionsAndOtherBackendsAreRefused) {
  const auto device = open_cpu_device();
  Variant variant = copy_variant();
  EXPECT_EQ(thrown_by<ObjectionError>(
                [&] { device->prepare(variant, variant.space.parse("way=forbidden"), kShape); }),
            "copy/test/cpu way=forbidden: not this way");
  variant.backend = Backend::cuda;
  EXPECT_THROW(device->prepare(variant, variant.space.default_config(), kShape), ObjectionError);
}

TEST(OpenDevice, NamesAreChecked) {
  EXPECT_EQ(open_device("cpu")->traits().backend, Backend::cpu);
  for (const char* wrong : {"", "gpu", "-1", "0x", "1.5"})
    EXPECT_THROW(open_device(wrong), UsageError) << wrong;
}

TEST(OpenDevice, AMissingGpuIsTheMachinesFaultWithARemedy) {
  const std::string absent = std::to_string(cuda_device_count() + 100);
  EXPECT_GT(thrown_by<EnvironmentError>([&] { open_device(absent); }).size(), 20u);
}

TEST(OpenDevice, NoGpuComesWithAReason) {
  std::string reason;
  if (cuda_device_count(&reason) > 0) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_FALSE(reason.empty());
}

}  // namespace
}  // namespace alsbench
