// SPDX-License-Identifier: Apache-2.0
// The command that continues with a run.
#include "harness/cli/unfinished_run.h"

#include <gtest/gtest.h>

namespace alsbench {
namespace {

TEST(ResumeCommand, AsksToResumeOnce) {
  EXPECT_EQ(resume_command({"alsbench", "run", "quick", "--filter", "a|b"}),
            "alsbench run quick --filter 'a|b' --resume");
  EXPECT_EQ(resume_command({"alsbench", "run", "quick", "--resume", "my.journal"}),
            "alsbench run quick --resume my.journal");
  EXPECT_EQ(resume_command({"alsbench", "run", "--resume=my.journal", "quick"}),
            "alsbench run --resume=my.journal quick");
}

TEST(ResumeCommand, StartsNothingAfresh) {
  EXPECT_EQ(resume_command({"alsbench", "tune", "stage", "bias", "--fresh", "--rank", "8"}),
            "alsbench tune stage bias --rank 8 --resume");
}

}  // namespace
}  // namespace alsbench
