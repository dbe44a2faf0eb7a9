// SPDX-License-Identifier: Apache-2.0
// The one-line commands that go on from a run.
#include "harness/cli/run/repeat_command.h"

#include <gtest/gtest.h>

#include <regex>

#include "harness/files/command_line.h"

namespace alsbench {
namespace {

const char* const kName = "solve/cg/cpu/steps=6,tolerance=1e-06/ml-100k@0.1/rank:8/side:x";

TEST(ShellWord, IsWhatAShellReadsBack) {
  EXPECT_EQ(shell_word("configs/suites/quick.json"), "configs/suites/quick.json");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("two words"), "'two words'");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
}

TEST(RepeatCommand, SelectsOneCaseWithTheOptionsThatDecideWhatItIs) {
  RunOptions options;
  options.filter = "solve";
  options.axes = {"steps=[2,6]"};
  options.device = "cpu,1";
  options.scale = 0.1;
  options.seed = 7;
  options.min_samples = 3;
  EXPECT_EQ(repeat_command("alsbench", "my suite.json", options, kName, "out/quick.json"),
            "alsbench run 'my suite.json' --filter "
            "'^solve/cg/cpu/steps=6,tolerance=1e-06/ml-100k@0\\.1/rank:8/side:x$' "
            "--device cpu,1 --axis 'steps=[2,6]' --scale 0.1 --seed 7 --min-samples 3 "
            "--out out/again");
}

TEST(RepeatCommand, FailedRecordsHaveOneAndOthersNone) {
  const auto record = [](const char* name, Role role, Outcome outcome, const char* group) {
    CaseRecord one;
    one.name = name;
    one.role = role;
    one.outcome = outcome;
    one.group = group;
    return one;
  };
  std::vector<CaseRecord> records{
      record("copy/memcpy/cpu/side:x/beside:b", Role::roof, Outcome::hung, "b"),
      record("other/side:x", Role::measured, Outcome::skipped, "a"),
      record("first/side:x", Role::measured, Outcome::ok, "b"),
      record("second/side:x", Role::measured, Outcome::crashed, "b")};
  add_repeat_commands(records, "quick", {}, "results/local/quick.json");
  EXPECT_EQ(records[1].repeat, "");
  EXPECT_EQ(records[2].repeat, "");
  const std::string& command = records[3].repeat;
  EXPECT_NE(command.find(" run quick --filter '^second/side:x$' --out results/local/again"),
            std::string::npos)
      << command;
  // a roof is measured beside cases only
  EXPECT_NE(records[0].repeat.find("^first/side:x$"), std::string::npos);
}

}  // namespace
}  // namespace alsbench
