// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/cli/inspect/default_kernels.h"
#include "harness/device/device.h"
#include "harness/tune/database/tuning_database.h"
#include "tests/unit/cli/run_cli.h"
#include "tests/unit/scratch_folder.h"
#include "tests/unit/texts.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

using nlohmann::json;

TEST(CompileOnCpuBuilds, WithoutCudaExitsWithThreeAndTheRemedy) {
  if (cuda_built()) GTEST_SKIP() << "this build has CUDA";
  const CliRun result = run({"compile"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(contains(result.err, "ALSBENCH_CUDA=ON"));
}

class Compile : public testing::Test {
 protected:
  void SetUp() override {
    if (!cuda_built()) GTEST_SKIP() << "built without CUDA";
  }
};

// So a tuned training compiles nothing at its start.
TEST_F(Compile, PacksWhatTheDatabaseServes) {
  const TuningDatabase database = TuningDatabase::shipped();
  std::set<std::string> packed;
  for (const CompileRequest& request : packed_kernels(traits_of_architecture(90), {100}))
    packed.insert(request.instance);
  int served_entries = 0;
  for (const TunedEntry& entry : database.entries()) {
    if (entry.device.name != "NVIDIA H200" || entry.shape.rank != 100) continue;
    TunedQuery query;
    query.device = entry.device, query.shape = entry.shape, query.part = entry.part;
    query.algorithm = entry.algorithm, query.minimised = entry.minimised;
    const Served served = database.look_up(query);
    served_entries += served.level == ServedLevel::shape;
    std::vector<CompileRequest> requests;
    for (const PipelineStep& step : served.steps)
      add_requests(requests, *step.variant, step.config, entry.shape, entry.device);
    for (const CompileRequest& request : requests)
      EXPECT_TRUE(packed.contains(request.instance)) << request.instance;
  }
  EXPECT_GE(served_entries, 2);
}

TEST_F(Compile, ReportsTheKernelsOfAFilterOnTwoArchitectures) {
  const CliRun result = run({"compile", "--arch", "sm_80,sm_90", "--filter", "^rmse/", "--rank",
                             "33", "--json", "stdout"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json document = json::parse(result.out);
  EXPECT_EQ(document["rank"], 33);
  std::set<std::string> architectures;
  for (const auto& kernel : document["kernels"]) {
    SCOPED_TRACE(kernel.dump());
    architectures.insert(kernel["arch"]);
    EXPECT_EQ(kernel["outcome"], "ok");
    EXPECT_EQ(kernel["variant"].get<std::string>().find("rmse/"), 0u);
    EXPECT_GT(kernel["report"]["registers"], 0);
    EXPECT_GE(kernel["report"]["spill_store_bytes"], 0);
    EXPECT_GT(kernel["report"]["blocks_per_multiprocessor"], 0);
    EXPECT_GT(kernel["report"]["occupancy"], 0);
    EXPECT_LE(kernel["report"]["occupancy"], 1);
    EXPECT_EQ(kernel["report"]["code_hash"].get<std::string>().size(), 32u);
  }
  EXPECT_EQ(architectures, (std::set<std::string>{"sm_80", "sm_90"}));
}

TEST_F(Compile, PrintsATableAndACount) {
  const CliRun result = run({"compile", "--arch", "sm_90", "--filter", "^rmse/"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.find("arch"), 0u);
  EXPECT_TRUE(contains(result.out, "sm_90  rmse/"));
  EXPECT_TRUE(contains(result.err, "0 failed"));
  EXPECT_EQ(run({"compile", "--arch", "sm_90", "--filter", "^rmse/", "-q"}).err, "");
}

TEST_F(Compile, ABrokenKernelIsARowAndExitCodeFive) {
  // every source of the repository, and a syntax error in one that the rmse kernels include
  namespace fs = std::filesystem;
  const ScratchFolder folder;
  const fs::path& root = folder.path();
  fs::copy(fs::path(ALSBENCH_SOURCE_DIR) / "kernels", root / "kernels",
           fs::copy_options::recursive);
  std::ofstream(root / "kernels/shared/views.h", std::ios::app) << "\nbroken here;\n";
  setenv("ALSBENCH_KERNEL_DIR", root.c_str(), 1);
  const CliRun result =
      run({"compile", "--arch", "sm_90", "--filter", "^rmse/", "--json", "stdout"});
  unsetenv("ALSBENCH_KERNEL_DIR");
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_TRUE(contains(result.err, "kernels/shared/views.h"));
  const json document = json::parse(result.out);
  ASSERT_FALSE(document["kernels"].empty());
  for (const auto& kernel : document["kernels"]) {
    EXPECT_EQ(kernel["outcome"], "compile_error");
    EXPECT_TRUE(contains(kernel["detail"].get<std::string>(), "broken"));
  }
}

// The catalog has thousands of kernels: hours that nobody asks for by leaving a filter out.
TEST_F(Compile, ManyKernelsNeedAConfirmation) {
  const CliRun result = run({"compile", "--arch", "sm_90"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  for (const char* said :
       {"the whole catalog has ", " kernels, more than 1000", "--filter", "--all"})
    EXPECT_TRUE(contains(result.err, said));
}

TEST_F(Compile, SaysHowManyKernelsThereAreBeforeTheyAreCompiled) {
  const CliRun result = run({"compile", "--arch", "sm_90", "--filter", "^rmse/", "--all"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err.find("compiling "), 0u) << result.err;
}

TEST_F(Compile, WrongArgumentsExitWithTwo) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--arch", "sm_61"},
                                                    {"--arch", "hopper"},
                                                    {"--filter", "no-such-variant"},
                                                    {"--filter", "("},
                                                    {"--rank", "0"},
                                                    {"--jobs", "x"}}) {
    std::vector<std::string> all{"compile"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const CliRun result = run(all);
    EXPECT_EQ(result.exit_code, 2) << arguments[0] << " " << arguments[1];
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err.find("alsbench: error: "), 0u) << result.err;
  }
}

}  // namespace
}  // namespace alsbench
