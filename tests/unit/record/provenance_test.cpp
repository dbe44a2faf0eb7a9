// SPDX-License-Identifier: Apache-2.0
#include "harness/record/provenance.h"

#include <gtest/gtest.h>

namespace alsbench {
namespace {

TEST(WithoutFolder, KeepsTheLastNameOfAnAbsolutePath) {
  EXPECT_EQ(without_folder("/home/anna/alsbench/build/alsbench"), "alsbench");
  EXPECT_EQ(without_folder("/home/anna/model/"), "model");
  EXPECT_EQ(without_folder("--json=/home/anna/run.json"), "--json=run.json");
}

TEST(WithoutFolder, LeavesOtherWordsAsTheyAre) {
  for (const char* word : {"", "-", "/", "run", "--json", "--scale=0.5", "results/local/run.json",
                           "hermitian:tiled/bias:spmm/solve:cg:steps=6", "--filter=a/b"})
    EXPECT_EQ(without_folder(word), word);
}

}  // namespace
}  // namespace alsbench
