// SPDX-License-Identifier: Apache-2.0
// Tables and sentences on a terminal of any width.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "harness/cli/text_table.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

size_t widest_line(const std::string& text) {
  size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  return widest;
}

TextTable table_of_a_case() {
  TextTable table({"case", "verdict", "ms", "note"});
  table.add({"solve/cg/cuda/netflix/rank:100/part:x", "undecided", "12.5",
             "a plain difference: eight launches are needed"});
  return table;
}

TEST(TextTable, IsWholeWhereNoWidthIsKnown) {
  EXPECT_EQ(table_of_a_case().text(std::nullopt),
            "case                                   verdict      ms  note\n"
            "solve/cg/cuda/netflix/rank:100/part:x  undecided  12.5  a plain difference: eight "
            "launches are needed\n");
}

TEST(TextTable, LongCellsGoOnBelow) {
  EXPECT_EQ(table_of_a_case().text(66),
            "case                     verdict      ms  note\n"
            "solve/cg/cuda/netflix/   undecided  12.5  a plain difference:\n"
            "rank:100/part:x                           eight launches are\n"
            "                                          needed\n");
}

TEST(TextTable, WhereThatDoesNotSufficeLongCellsHaveLinesOfTheirOwn) {
  EXPECT_EQ(table_of_a_case().text(50),
            "verdict      ms\n"
            "undecided  12.5\n"
            "    case: solve/cg/cuda/netflix/rank:100/part:x\n"
            "    note: a plain difference: eight launches are\n"
            "        needed\n");
}

TEST(TextTable, NumbersStandBelowEachOtherWhateverMarkFollows) {
  TextTable table({"case", "ms", "factor", "registers"});
  table.add({"a", "12!", "1.05x", ""});
  table.add({"b", "1.375", "12.00x", ""});
  table.add({"c", "crashed", "", ""});
  table.drop_empty_columns();
  EXPECT_EQ(table.text(std::nullopt),
            "case  ms       factor\n"
            "a         12!   1.05x\n"
            "b      1.375   12.00x\n"
            "c     crashed\n");
}

TEST(TextTable, NothingIsWiderThanTheTerminal) {
  TextTable table({"a", "b", "c", "d", ""});
  table.add({"0123456789", "0123456789", "0123456789", "0123456789", "last"});
  for (size_t width = 32; width < 70; ++width)
    EXPECT_LE(widest_line(table.text(width)), width) << table.text(width);
  EXPECT_TRUE(contains(table.text(40), "; last\n"));
}

TEST(Fitting, LinesGoOnBelowTheirOwnIndent) {
  unsetenv("COLUMNS");
  const std::string line = "  one two three four five six seven eight nine\n";
  EXPECT_EQ(wrapped_to_terminal(line), line);
  setenv("COLUMNS", "30", 1);
  EXPECT_EQ(wrapped_to_terminal(line), "  one two three four five six\n      seven eight nine\n");
  EXPECT_EQ(wrapped_to_terminal("short\n"), "short\n");
  unsetenv("COLUMNS");
}

TEST(Fitting, NoCharacterIsCut) {
  setenv("COLUMNS", "31", 1);
  const std::string text = wrapped_to_terminal(
      "\u0398\u0398\u0398\u0398\u0398\u0398\u0398\u0398\u0398\u0398"
      "\u0398\u0398\u0398\u0398\u0398\u0398\u0398\u0398\u0398\n");
  unsetenv("COLUMNS");
  EXPECT_EQ(text.find('\n'), 30u) << text;
}

}  // namespace
}  // namespace alsbench
