// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "harness/device/cuda_backend.h"
#include "harness/files/embedded.h"
#include "tests/unit/scratch_folder.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

constexpr const char* kSource = "kernels/cuda/scale.cuh";

// A kernel source of the test's own, in a folder that ALSBENCH_KERNEL_DIR names.
class Compiler : public testing::Test {
 protected:
  void SetUp() override {
    if (!cuda_built()) GTEST_SKIP() << kBuiltWithoutCuda;
    write_factor("2.0f");
    folder_.write(kSource, R"(#pragma once
#include "kernels/cuda/factor.cuh"
namespace alsbench {
struct ScaleParams { float* data; int count; };
template <int kShared>
__global__ void scale(ScaleParams params) {
  __shared__ float values[kShared];
  values[threadIdx.x] = params.data[threadIdx.x];
  __syncthreads();
  params.data[threadIdx.x] = kFactor * values[(threadIdx.x + 1) % kShared];
}
}
)");
  }
  void write_factor(const std::string& value) {
    folder_.write(
        "kernels/cuda/factor.cuh",
        "#pragma once\nnamespace alsbench { constexpr float kFactor = " + value + "; }\n");
  }
  CompiledKernel compile(int architecture, const std::string& instance = "alsbench::scale<1024>") {
    return compile_kernel({kSource, instance, architecture});
  }

  ScratchFolder folder_;
  ScopedVariable sources_{"ALSBENCH_KERNEL_DIR", folder_.path().string()};
  ScopedVariable cache_{"ALSBENCH_CACHE_DIR", (folder_.path() / "cache").string()};
};

TEST_F(Compiler, ReportsWhatTheCompilerSaysOnTwoArchitectures) {
  const CompiledKernel turing = compile(75), hopper = compile(90);
  for (const auto& kernel : {turing, hopper}) {
    EXPECT_EQ(kernel.cubin.substr(1, 3), "ELF");
    EXPECT_TRUE(contains(kernel.lowered_name, "scale"));
    EXPECT_GT(kernel.registers, 0);
    EXPECT_LE(kernel.registers, 255);
    // from sm_90 on, 1 KiB of static shared memory may be the system's
    EXPECT_GE(kernel.static_shared_bytes, 4096);
    EXPECT_LE(kernel.static_shared_bytes, 5120);
    EXPECT_EQ(kernel.spill_store_bytes, 0);
    EXPECT_FALSE(kernel.from_cache);
    EXPECT_GT(kernel.compile_seconds, 0);
  }
  EXPECT_NE(turing.code_hash, hopper.code_hash);
}

TEST_F(Compiler, SpillsAreReported) {
  folder_.write(kSource, R"(
namespace alsbench {
__global__ void __launch_bounds__(1024, 2) crowded(const float* in, float* out) {
  float values[96];
  for (int i = 0; i < 96; ++i) values[i] = in[i * 1024 + threadIdx.x];
  __syncthreads();
  #pragma unroll
  for (int round = 0; round < 2; ++round)
    #pragma unroll
    for (int i = 0; i < 96; ++i) values[i] += values[(i * 37 + 11) % 96] * values[95 - i];
  for (int i = 0; i < 96; ++i) out[i * 1024 + threadIdx.x] = values[i];
}
}
)");
  const CompiledKernel kernel = compile(80, "alsbench::crowded");
  EXPECT_LE(kernel.registers, 32);
  EXPECT_GT(kernel.spill_store_bytes, 0);
  EXPECT_GT(kernel.spill_load_bytes, 0);
  EXPECT_GE(kernel.stack_bytes, kernel.spill_store_bytes / 2);
}

TEST_F(Compiler, SecondTimeComesFromTheCache) {
  const CompiledKernel built = compile(80), found = compile(80);
  EXPECT_TRUE(found.from_cache);
  EXPECT_EQ(found.compile_seconds, 0);
  EXPECT_EQ(found.cubin, built.cubin);
  EXPECT_EQ(found.code_hash, built.code_hash);
  EXPECT_EQ(found.registers, built.registers);
  EXPECT_EQ(found.static_shared_bytes, built.static_shared_bytes);
  EXPECT_EQ(found.lowered_name, built.lowered_name);
}

TEST_F(Compiler, DamagedCacheFilesAreIgnoredAndRewritten) {
  const CompiledKernel built = compile(80);
  std::filesystem::path file;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path() / "cache" / "cubin"))
    file = entry.path();
  const auto size = std::filesystem::file_size(file);
  std::filesystem::resize_file(file, size - 7);
  EXPECT_FALSE(compile(80).from_cache) << "truncated";
  EXPECT_TRUE(compile(80).from_cache) << "rewritten";

  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(size / 2) << "junk";
  EXPECT_FALSE(compile(80).from_cache) << "four bytes changed";
  std::ofstream(file) << "no JSON at all";
  const CompiledKernel again = compile(80);
  EXPECT_FALSE(again.from_cache);
  EXPECT_EQ(again.code_hash, built.code_hash);
}

TEST_F(Compiler, AChangeOfAnIncludedFileIsCompiledAnew) {
  const CompiledKernel before = compile(80);
  write_factor("3.0f");
  const CompiledKernel after = compile(80);
  EXPECT_FALSE(after.from_cache);
  EXPECT_NE(after.code_hash, before.code_hash);
}

TEST_F(Compiler, CodeHashSpeaksOfInstructionsNotOfText) {
  const CompiledKernel before = compile(80);
  write_factor("2.0f; /* moved */\n\n\nconstexpr int kUnused = 1");
  const CompiledKernel after = compile(80);
  EXPECT_FALSE(after.from_cache);
  EXPECT_EQ(after.code_hash, before.code_hash);
}

TEST_F(Compiler, ErrorsNameFileLineAndCause) {
  write_factor("unheard_of");
  const std::string text = thrown_by<CompileError>([&] { compile(80); });
  EXPECT_TRUE(contains(text, "kernels/cuda/factor.cuh(2)"));
  EXPECT_TRUE(contains(text, "unheard_of"));
  EXPECT_TRUE(contains(text, "alsbench::scale<1024>"));
  EXPECT_TRUE(contains(text, "sm_80"));
}

TEST_F(Compiler, AnArchitectureThatNvrtcLacksIsTheUsersErrorWithThoseItHas) {
  EXPECT_NO_THROW(check_compilable(90));
  EXPECT_TRUE(contains(thrown_by([&] { check_compilable(35); }), "sm_35 (it does for: sm_"));
}

TEST_F(Compiler, UnknownSourceIsACompileError) {
  EXPECT_THROW(compile_kernel({"kernels/cuda/missing.cuh", "f", 80}), CompileError);
}

TEST_F(Compiler, ManyAtOnceKeepOrderAndOneFailureStaysAlone) {
  std::vector<CompileRequest> requests;
  for (const char* instance : {"alsbench::scale<512>", "alsbench::scale<256>", "alsbench::wrong",
                               "alsbench::scale<512>", "alsbench::scale<128>"})
    requests.push_back({kSource, instance, 90});
  size_t last = 0;
  const auto results = compile_all(requests, 3, [&](size_t done) { last = done; });
  ASSERT_EQ(results.size(), 5u);
  EXPECT_EQ(last, 5u);
  EXPECT_TRUE(contains(results[2].error, "wrong"));
  for (const size_t good : {0u, 1u, 3u, 4u}) EXPECT_EQ(results[good].error, "");
  EXPECT_EQ(results[0].kernel.cubin, results[3].kernel.cubin);
  EXPECT_GT(results[0].kernel.static_shared_bytes, results[1].kernel.static_shared_bytes);
  EXPECT_GT(results[1].kernel.static_shared_bytes, results[4].kernel.static_shared_bytes);
}

TEST_F(Compiler, KernelsFolderItselfMayBeNamed) {
  const ScopedVariable inner("ALSBENCH_KERNEL_DIR", (folder_.path() / "kernels").string());
  EXPECT_GT(compile(80).registers, 0);
}

TEST_F(Compiler, AWrongKernelFolderIsAUsageError) {
  const ScopedVariable wrong("ALSBENCH_KERNEL_DIR", (folder_.path() / "cache").string());
  EXPECT_THROW(compile(80), UsageError);
}

TEST_F(Compiler, WorksWithoutAWritableCache) {
  folder_.write("file", "");
  const ScopedVariable blocked("ALSBENCH_CACHE_DIR", (folder_.path() / "file").string());
  EXPECT_FALSE(compile(80).from_cache);
  EXPECT_FALSE(compile(80).from_cache);
}

// The harness's own kernels, embedded, on every architecture of the table.
TEST(ToolKernels, CompileEverywhere) {
  if (!cuda_built()) GTEST_SKIP() << kBuiltWithoutCuda;
  const ScratchFolder folder;
  const ScopedVariable cache("ALSBENCH_CACHE_DIR", folder.path().string());
  std::vector<CompileRequest> requests;
  for (const int architecture : known_architectures()) {
    requests.push_back(
        {"kernels/cuda/device/clock_probe.cuh", "alsbench::clock_probe", architecture});
    requests.push_back({"kernels/cuda/device/convert.cuh",
                        "alsbench::convert_floats<alsbench::Half>", architecture});
    requests.push_back(
        {"kernels/cuda/generate/draw_rows.cuh", "alsbench::draw_rows<128>", architecture});
  }
  const auto results = compile_all(requests);
  for (size_t i = 0; i < results.size(); ++i)
    EXPECT_EQ(results[i].error, "") << requests[i].instance << " " << requests[i].architecture;
}

// Section III of the paper: 168 registers, 64 threads, 6 blocks a multiprocessor.
TEST(Occupancy, AgreesWithThePaper) {
  if (!cuda_built()) GTEST_SKIP() << kBuiltWithoutCuda;
  CompiledKernel kernel;
  kernel.registers = 168;
  KernelLaunch launch;
  launch.block = 64;
  const KernelReport report = report_of(kernel, launch, traits_of_architecture(90));
  EXPECT_EQ(report.blocks_per_multiprocessor, 6);
  EXPECT_DOUBLE_EQ(report.occupancy, 6 * 64 / 2048.0);
}

TEST(Occupancy, SharedMemoryAndTheArchitectureLimitBlocks) {
  if (!cuda_built()) GTEST_SKIP() << kBuiltWithoutCuda;
  CompiledKernel kernel;
  kernel.registers = 32;
  const auto blocks = [&](int64_t shared, int block, int architecture) {
    KernelLaunch launch;
    launch.block = block;
    launch.shared_bytes = shared;
    return report_of(kernel, launch, traits_of_architecture(architecture))
        .blocks_per_multiprocessor;
  };
  EXPECT_EQ(blocks(100 * 1024, 128, 90), 2);  // 228 KiB, 1 KiB a block reserved
  EXPECT_EQ(blocks(227 * 1024, 128, 90), 1);
  EXPECT_EQ(blocks(228 * 1024, 128, 90), 0);  // beyond the opt-in limit
  EXPECT_EQ(blocks(64 * 1024, 128, 75), 1);
  EXPECT_EQ(blocks(0, 32, 75), 16);  // blocks a multiprocessor
  EXPECT_EQ(blocks(0, 32, 89), 24);
  EXPECT_EQ(blocks(0, 32, 90), 32);
}

}  // namespace
}  // namespace alsbench
