// SPDX-License-Identifier: Apache-2.0
#include "harness/process/run_program.h"

#include <gtest/gtest.h>

#include "base/clock.h"

namespace alsbench {
namespace {

std::vector<std::string> shell_script(const std::string& body) { return {"/bin/sh", "-c", body}; }

TEST(RunProgram, EndsWithItsCodeAndLastLines) {
  const FinishedProgram ended = run_program(shell_script("echo a; echo b >&2; exit 3"), nullptr);
  EXPECT_FALSE(ended.succeeded());
  EXPECT_EQ(ended.text(), "ended with exit code 3");
  EXPECT_EQ(ended.output_tail(), "a\nb");
  EXPECT_TRUE(run_program(shell_script("true"), nullptr).succeeded());
}

TEST(RunProgram, WhatTakesTooLongIsKilledWithAllThatItStarted) {
  const double begin = steady_seconds();
  const FinishedProgram ended = run_program(
      shell_script("setsid sleep 300 & echo begun; sleep 300"), nullptr, {.seconds = 0.5});
  EXPECT_EQ(ended.text(), "was not done within 0.5 s and was killed");
  EXPECT_EQ(ended.output_tail(), "begun");
  EXPECT_LT(steady_seconds() - begin, 60);
}

TEST(RunProgram, WhatTakesTooMuchMemoryIsKilled) {
  const FinishedProgram ended =
      run_program(shell_script("head -c 64M /dev/zero | tail -c 64M | sleep 300"), nullptr,
                  {.seconds = 60, .bytes = 32 << 20});
  EXPECT_EQ(ended.text(), "took more than 0.03 GiB of memory and was killed");
}

}  // namespace
}  // namespace alsbench
