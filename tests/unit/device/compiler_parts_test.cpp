// SPDX-License-Identifier: Apache-2.0
// The compiler's parts that read foreign bytes: the ptxas log and ELF files.
#if ALSBENCH_WITH_CUDA

#include <gtest/gtest.h>

#include "base/error.h"
#include "harness/device/cuda/compiler_output.h"

namespace alsbench {
namespace {

constexpr const char* kLog =
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function '_Z5otherv' for 'sm_90a'\n"
    "ptxas info    : Function properties for _Z5otherv\n"
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 8 registers, used 0 barriers\n"
    "ptxas info    : Compiling entry function '_Z6wantedv' for 'sm_90a'\n"
    "ptxas info    : Function properties for _Z6helperv\n"
    "    16 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads\n"
    "ptxas info    : Function properties for _Z6wantedv\n"
    "    1024 bytes stack frame, 520 bytes spill stores, 524 bytes spill loads\n"
    "ptxas info    : Used 168 registers, used 1 barriers, 1024 bytes cumulative stack size, "
    "4096 bytes smem\n"
    "ptxas info    : Function properties for _Z5afterv\n"
    "    0 bytes stack frame, 100 bytes spill stores, 200 bytes spill loads\n";

TEST(PtxasLog, CountsTheKernelAndTheFunctionsItCalls) {
  CompiledKernel kernel;
  kernel.lowered_name = "_Z6wantedv";
  read_ptxas_log(kLog, kernel);
  EXPECT_EQ(kernel.registers, 168);
  EXPECT_EQ(kernel.stack_bytes, 1024);
  EXPECT_EQ(kernel.spill_store_bytes, 624);
  EXPECT_EQ(kernel.spill_load_bytes, 732);
  EXPECT_EQ(kernel.static_shared_bytes, 4096);
}

TEST(PtxasLog, AnUnitThatIsNotNamedIsZero) {
  CompiledKernel kernel;
  kernel.lowered_name = "_Z5otherv";
  kernel.static_shared_bytes = 7;
  read_ptxas_log(kLog, kernel);
  EXPECT_EQ(kernel.registers, 8);
  EXPECT_EQ(kernel.spill_store_bytes, 0) << "another kernel's spills";
  EXPECT_EQ(kernel.static_shared_bytes, 0);
}

TEST(PtxasLog, AMissingKernelIsAnError) {
  CompiledKernel kernel;
  kernel.lowered_name = "_Z6absentv";
  EXPECT_THROW(read_ptxas_log(kLog, kernel), CompileError);
}

TEST(CodeHash, RefusesWhatIsNoElfFile) {
  EXPECT_THROW(code_hash_of(""), CompileError);
  EXPECT_THROW(code_hash_of(std::string(4096, 'x')), CompileError);
}

}  // namespace
}  // namespace alsbench

#endif
