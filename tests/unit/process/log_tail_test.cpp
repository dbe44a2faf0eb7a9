// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/process/process.h"

namespace alsbench {
namespace {

using Lines = std::vector<std::string>;

TEST(LogTail, JoinsWhatComesInPieces) {
  LogTail log;
  EXPECT_EQ(log.lines(), Lines{});
  for (const char* piece : {"on", "e\ntw", "o", "\n\nthr"}) log.add(piece);
  EXPECT_EQ(log.lines(), (Lines{"one", "two", "", "thr"}));
}

TEST(LogTail, KeepsTheLastLines) {
  LogTail log;
  for (int i = 0; i < 100; ++i) log.add(std::to_string(i) + "\n");
  const Lines lines = log.lines();
  EXPECT_EQ(lines.size(), LogTail::kLines);
  EXPECT_EQ(lines.front(), "80");
  EXPECT_EQ(lines.back(), "99");
}

TEST(LogTail, CutsLongLinesWhereverTheyArrive) {
  LogTail log;
  log.add(std::string(400, 'a'));
  log.add(std::string(400, 'a') + "\nnext\n" + std::string(1000, 'b'));
  EXPECT_EQ(log.lines(), (Lines{std::string(LogTail::kLineLength, 'a'), "next",
                                std::string(LogTail::kLineLength, 'b')}));
}

}  // namespace
}  // namespace alsbench
