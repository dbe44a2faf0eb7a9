// SPDX-License-Identifier: Apache-2.0
// The one-line commands that go on from a run.
#include "harness/cli/run/repeat_command.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/files/command_line.h"
#include "harness/sweep/suite/expansion.h"
#include "harness/sweep/sweep.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

const char* const kName = "solve/cg/cpu/steps=6,tolerance=1e-06/ml-100k@0.1/rank:8/part:x";

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
            "'^solve/cg/cpu/steps=6,tolerance=1e-06/ml-100k@0\\.1/rank:8/part:x$' "
            "--device cpu,1 --axis 'steps=[2,6]' --scale 0.1 --seed 7 --min-samples 3 "
            "--out out/again");
}

TEST(RepeatCommand, OfAProfileProfiles) {
  RunOptions options;
  options.profile = true;
  options.device = "cpu";
  const std::string command = repeat_command("alsbench", "quick", options, kName, "out/quick.json");
  EXPECT_EQ(command.find("alsbench profile quick --filter "), 0u) << command;
}

TEST(RepeatCommand, FailedRecordsHaveOneAndOthersNone) {
  Selection selection;
  selection.devices = {"cpu"};
  const std::vector<Case> cases = expand(load_suite("quick"), selection);
  const auto repeat_of = [&](const Case& c, Outcome outcome) {
    CaseRecord record = blank_record(c);
    record.outcome = outcome;
    record.group = c.is_ceiling() ? cases.back().group() : c.group();
    add_repeat_command(record, cases, "quick", {}, "results/local/quick.json");
    return record.repeat;
  };
  EXPECT_EQ(repeat_of(cases[0], Outcome::skipped), "");
  EXPECT_EQ(repeat_of(cases[0], Outcome::ok), "");
  const std::string command = repeat_of(cases[0], Outcome::crashed);
  EXPECT_TRUE(contains(command, " run quick --filter"));
  EXPECT_TRUE(contains(command, cases[0].variant->name));
  EXPECT_TRUE(contains(command, " --out results/local/again"));
  Case ceiling = cases.front();  // is measured with cases only
  ceiling.measured_with = "the last group";
  const std::string measured_with = repeat_of(ceiling, Outcome::hung);
  const auto mate = std::find_if(cases.begin(), cases.end(),
                                 [&](const Case& c) { return c.group() == cases.back().group(); });
  EXPECT_EQ(measured_with, repeat_of(*mate, Outcome::hung));
}

}  // namespace
}  // namespace alsbench
