// SPDX-License-Identifier: Apache-2.0
#include "harness/record/escape.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "harness/record/tables.h"

namespace alsbench {
namespace {

using namespace std::string_literals;

TEST(Escape, ShowsWhatMayNotBeRaw) {
  EXPECT_EQ(visible("hermitian/naive l1=on"), "hermitian/naive l1=on");
  EXPECT_EQ(visible("\x1b[31m"), "\\x1b[31m");
  EXPECT_EQ(visible("a\\b\r\n\tc\0d"s), "a\\\\b\\r\\n\\tc\\x00d");
  EXPECT_EQ(visible("\u202e\u2028\ufffe"), "\\u{202e}\\u{2028}\\u{fffe}");
  EXPECT_EQ(visible("gr\u00fc\u00df \U0001f600"), "gr\u00fc\u00df \U0001f600");
}

TEST(Escape, BytesThatAreNoUtf8AreShownOneByOne) {
  EXPECT_EQ(visible("\xff"), "\\xff");
  EXPECT_EQ(visible("\xc3"), "\\xc3");                             // cut off
  EXPECT_EQ(visible("\xc0\x80"), "\\xc0\\x80");                    // overlong
  EXPECT_EQ(visible("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(visible("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond Unicode
}

TEST(Escape, DifferentTextsStayDifferent) {
  const std::vector<std::string> pieces{"\\", "n",  "\n",     "x1b",     "\x1b", "|", "\\|",
                                        "`",  "``", "\u2028", "u{2028}", " ",    "&", "<"};
  for (auto* const escape : {visible, xml_text, markdown_cell}) {
    std::set<std::string> seen;
    size_t count = 0;
    for (const std::string& a : pieces)
      for (const std::string& b : pieces) {
        seen.insert(escape(a + "/" + b));
        ++count;
      }
    EXPECT_EQ(seen.size(), count);
  }
}

TEST(Escape, AMessageKeepsItsLinesAndBackslashes) {
  EXPECT_EQ(printable("a\\d is\n  '\x1b[31m\r\u202e'"), "a\\d is\n  '\\x1b[31m\\r\\u{202e}'");
}

TEST(Csv, AFormulaBecomesATextAndNumbersStay) {
  const Table table{
      {"name", "effect"},
      {{"=cmd|'/C calc'!A0", "-1.5"}, {"@sum(a,b)", "+2e-3"}, {"-x", "1"}, {"\t=1", ""}}};
  EXPECT_EQ(
      to_csv(table),
      "name,effect\r\n'=cmd|'/C calc'!A0,-1.5\r\n\"'@sum(a,b)\",'+2e-3\r\n'-x,1\r\n'\t=1,\r\n");
}

TEST(Escape, XmlAndMarkdown) {
  EXPECT_EQ(xml_text("<a b='c'>\"&\""), "&lt;a b=&apos;c&apos;&gt;&quot;&amp;&quot;");
  EXPECT_EQ(markdown_cell("median 1.5 ms"), "median 1.5 ms");
  EXPECT_EQ(markdown_cell("a|b"), "`a\\|b`");
  EXPECT_EQ(markdown_cell("`a`"), "`` `a` ``");
  EXPECT_EQ(markdown_cell("@you <b>"), "`@you <b>`");
}

}  // namespace
}  // namespace alsbench
