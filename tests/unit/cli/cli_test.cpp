// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "harness/cli/text_table.h"
#include "tests/unit/cli/run_cli.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

TEST(Cli, VersionAndHelpGoToStdout) {
  const CliRun version = run({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out.find("alsbench " ALSBENCH_VERSION "\n"), 0u) << version.out;
  EXPECT_EQ(version.err, "");
  const CliRun help = run({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_TRUE(contains(help.out, "compile"));
  EXPECT_EQ(run({"list", "--help"}).exit_code, 0);
}

TEST(Cli, UsageErrorsExitWithTwoAndSayWhat) {
  const CliRun nothing = run({});
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_EQ(nothing.out, "");
  EXPECT_EQ(nothing.err.find("alsbench: error: "), 0u) << nothing.err;

  const CliRun misspelt = run({"lst"});
  EXPECT_EQ(misspelt.exit_code, 2);
  EXPECT_TRUE(contains(misspelt.err, "did you mean 'list'?"));

  const CliRun option = run({"list", "--colour"});
  EXPECT_EQ(option.exit_code, 2);
  EXPECT_TRUE(contains(option.err, "--colour"));
  EXPECT_TRUE(contains(option.err, "alsbench list --help"));
}

TEST(TextTable, AlignsWordsLeftAndNumbersRight) {
  TextTable table({"name", "registers"});
  table.add({"tiled", "168"});
  table.add({"a", "8"});
  table.add({"short row"});
  EXPECT_EQ(table.text(),
            "name       registers\n"
            "tiled            168\n"
            "a                  8\n"
            "short row\n");
}

}  // namespace
}  // namespace alsbench
