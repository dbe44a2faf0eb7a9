// SPDX-License-Identifier: Apache-2.0
#include "harness/record/journal.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "base/error.h"
#include "harness/files/atomic_file.h"
#include "tests/unit/scratch_folder.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

const std::vector<Json> kRecords{{{"kind", "run"}, {"seed", 1}},
                                 {{"kind", "case"}, {"name", "a\nb"}},
                                 {{"kind", "case"}, {"values", {1.5, nullptr}}}};

std::string journal_text() {
  std::string text;
  for (const Json& record : kRecords) text += journal_line(record);
  return text;
}

TEST(Crc32c, KnownValue) {  // RFC 3720, appendix B.4
  EXPECT_EQ(crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAu);
}

TEST(Journal, TruncatedAnywhereKeepsEveryCompleteRecord) {
  const std::string text = journal_text();
  for (size_t length = 0; length <= text.size(); ++length) {
    const std::string part = text.substr(0, length);
    const auto complete = static_cast<size_t>(std::count(part.begin(), part.end(), '\n'));
    const JournalContent content = parse_journal(part);
    ASSERT_EQ(content.records.size(), complete) << length;
    for (size_t i = 0; i < complete; ++i) EXPECT_EQ(content.records[i], kRecords[i]);
    EXPECT_TRUE(content.problems.empty()) << length;
    EXPECT_EQ(content.torn_tail, length > 0 && part.back() != '\n') << length;
  }
}

// A flip costs the record it is in; that of a newline makes one line of two.
TEST(Journal, FlippedBitCostsItsOwnRecordAndInventsNone) {
  const std::string text = journal_text();
  for (size_t byte = 0; byte < text.size(); ++byte) {
    const auto line = static_cast<size_t>(
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), '\n'));
    std::vector<Json> others = kRecords;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(line));
    if (text[byte] == '\n' && line < others.size())
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(line));
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = text;
      damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << bit));
      const JournalContent content = parse_journal(damaged);
      EXPECT_EQ(content.records, others) << "byte " << byte << " bit " << bit;
      EXPECT_TRUE(content.torn_tail || !content.problems.empty());
    }
  }
}

TEST(Journal, ResumeCutsTheTornTail) {
  const ScratchFolder folder;
  const auto path = folder.path() / "resume.journal";
  Journal::create(path, kRecords[0]);
  write_file_atomically(path, read_whole_file(path) + "99 torn");
  Journal::resume(path).journal.append(kRecords[1]);
  const JournalContent content = read_journal(path);
  EXPECT_EQ(content.records, (std::vector<Json>{kRecords[0], kRecords[1]}));
  EXPECT_FALSE(content.torn_tail);
  EXPECT_TRUE(content.problems.empty());
}

TEST(Journal, RecordThatDoesNotFitLeavesNothingOfItself) {
  const ScratchFolder folder;
  const auto path = folder.path() / "full.journal";
  Journal journal = Journal::create(path, kRecords[0]);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const rlimit full{journal_line(kRecords[0]).size() + 10, old.rlim_max};
  signal(SIGXFSZ, SIG_IGN);  // so that the write fails, as on a full disk
  setrlimit(RLIMIT_FSIZE, &full);
  EXPECT_THROW(journal.append(kRecords[1]), EnvironmentError);
  setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_EQ(read_whole_file(path), journal_line(kRecords[0]));
  journal.append(kRecords[2]);
  EXPECT_EQ(read_journal(path).records, (std::vector<Json>{kRecords[0], kRecords[2]}));
}

class JournalFile : public testing::Test {
 protected:
  const ScratchFolder folder_;
  const std::filesystem::path path_ = folder_.path() / "run.journal";
};

TEST_F(JournalFile, HoldsRecordsUntilTheRunHasEnded) {
  EXPECT_EQ(unfinished_run(path_).records, 0);
  Journal::create(path_, kRecords[0]);
  EXPECT_EQ(unfinished_run(path_).records, 0) << "nothing but how it began";
  Journal::resume(path_).journal.append(kRecords[1]);
  EXPECT_EQ(unfinished_run(path_).records, 1);
  Journal::resume(path_).journal.finish();
  EXPECT_EQ(unfinished_run(path_).records, 0);
  const std::string finished = read_whole_file(path_);
  Journal::resume(path_).journal.finish();
  EXPECT_EQ(read_whole_file(path_), finished) << "it says so once";
  Journal::resume(path_).journal.append(kRecords[2]);
  EXPECT_EQ(unfinished_run(path_).records, 3);
}

TEST_F(JournalFile, TellsTheBudgetThatEndedAPart) {
  Journal::create(path_, kRecords[0]).append(kRecords[1]);
  EXPECT_EQ(unfinished_run(path_).budget, "");
  Journal::resume(path_).journal.end_part("its time budget");
  Journal::resume(path_).journal.end_part("its time budget");
  EXPECT_EQ(unfinished_run(path_).records, 1);
  EXPECT_EQ(unfinished_run(path_).budget, "its time budget");
  Journal::resume(path_).journal.append(kRecords[2]);
  EXPECT_EQ(unfinished_run(path_).budget, "") << "it was continued, and did not end";
}

TEST_F(JournalFile, ATornEndLosesTheLastWordAlone) {
  {
    Journal journal = Journal::create(path_, kRecords[0]);
    journal.append(kRecords[1]);
    journal.finish();
  }
  const std::string text = read_whole_file(path_);
  write_file_atomically(path_, text.substr(0, text.size() - 1));
  EXPECT_EQ(unfinished_run(path_).records, 1);
}

TEST_F(JournalFile, WhatIsNoJournalHoldsNone) {
  for (const char* text : {"", "hello\n", "1\t1\t5"}) {
    write_file_atomically(path_, text);
    EXPECT_EQ(unfinished_run(path_).records, 0);
  }
  EXPECT_EQ(unfinished_run(folder_.path()).records, 0);
}

TEST_F(JournalFile, TwoDoNotWriteOneFile) {
  Journal journal = Journal::create(path_, kRecords[0]);
  const std::string expected = path_.string() + ": another process writes this journal";
  EXPECT_EQ(thrown_by([&] { Journal::create(path_, kRecords[0]); }).find(expected), 0);
  EXPECT_EQ(thrown_by([&] { Journal::resume(path_); }).find(expected), 0);
  EXPECT_EQ(thrown_by([&] { unfinished_run(path_); }).find(expected), 0);
  journal.append(kRecords[1]);
  EXPECT_EQ(read_journal(path_).records, (std::vector<Json>{kRecords[0], kRecords[1]}));
}

TEST_F(JournalFile, WhatIsNotGoneOnWithStaysAsItIs) {
  write_file_atomically(path_, journal_text() + "99 torn");
  const std::string before = read_whole_file(path_);
  EXPECT_TRUE(Journal::resume(path_).content.torn_tail);
  EXPECT_EQ(read_whole_file(path_), before);
}

}  // namespace
}  // namespace alsbench
