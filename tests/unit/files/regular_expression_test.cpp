// SPDX-License-Identifier: Apache-2.0
#include "harness/files/regular_expression.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace alsbench {
namespace {

TEST(RegularExpression, FindsWhatItsOrdinaryBeginningDoesNotDecide) {
  const std::string text = "solve/cg/cpu steps=6,matrix=fp32";
  for (const char* found :
       {"",           "cg",         "solve/cg", "cpu steps=6", "cg.*fp32", "fp32$",
        "cgx*/",      "cgx?/",      "cgx{0}/",  "cg+/",        "none|cg",  "nothing(a|b)|cg",
        "no\\(ne|cg", "no[(]ne|cg", "cg(/|x)",  "steps=(4|6)", "^solve",   "cg\\/cpu",
        "c[ag]",      "cg(?!x)",    "x*",       "x?solve"})
    EXPECT_TRUE(RegularExpression(found).found_in(text)) << found;
  for (const char* missing : {"CG", "cgx", "cg.cg", "cg$", "^cg", "cgx+/", "cgx{1}/", "steps=(4|8)",
                              "none|nothing", "cg(x|y)", "none(/|cg)", "cg(?!/)", "fp32 "})
    EXPECT_FALSE(RegularExpression(missing).found_in(text)) << missing;
}

}  // namespace
}  // namespace alsbench
