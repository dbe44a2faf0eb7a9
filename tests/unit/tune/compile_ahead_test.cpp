// SPDX-License-Identifier: Apache-2.0
// CompileAhead with a fake worker: a shell script that compiles everything but "bad", and dies of
// "fatal".
#include "harness/tune/stage/compile_ahead.h"

#include <gtest/gtest.h>

#include <chrono>

#include "harness/device/device_selection.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

std::vector<std::string> fake_worker() {
  return {"/bin/bash", "-c",
          R"(while read -r request <&$2; do
      case $request in
        *'"instance":"bad"'*) echo '{"ok":false,"outcome":"compile_error","detail":"a typo"}' >&$2 ;;
        *'"instance":"fatal"'*) exit 9 ;;
        *'"instance":"long"'*) sleep 60 ;;
        *) echo '{"ok":true,"compile_seconds":0.25}' >&$2 ;;
      esac
    done)",
          "fake"};
}

CompileRequest kernel(const std::string& instance) {
  return {"kernels/cuda/rows/plan.cuh", instance, 90};
}

class CompileAheadTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!cuda_built()) GTEST_SKIP() << "built without CUDA";
  }
};

TEST_F(CompileAheadTest, GivesResultsAndErrorsInTheOrderAsked) {
  CompileAhead compiler(fake_worker());
  compiler.expect({kernel("later")});
  compiler.announce({kernel("good")}, {kernel("perhaps")});
  const auto results = compiler.require({kernel("bad"), kernel("good"), kernel("later")});
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].error, "a typo");
  EXPECT_EQ(results[1].error, "");
  EXPECT_EQ(results[1].kernel.compile_seconds, 0.25);
  EXPECT_EQ(results[2].error, "");
}

TEST_F(CompileAheadTest, ACompilerThatDiesCostsOneKernel) {
  CompileAhead compiler(fake_worker());
  EXPECT_TRUE(contains(compiler.require({kernel("fatal")})[0].error, "exit code 9"));
  EXPECT_EQ(compiler.require({kernel("good")})[0].error, "");
}

TEST_F(CompileAheadTest, EndsWithoutWaitingForWhatIsBeingCompiled) {
  const auto begin = std::chrono::steady_clock::now();
  {
    CompileAhead compiler(fake_worker());
    compiler.expect({kernel("long")});
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

}  // namespace
}  // namespace alsbench
