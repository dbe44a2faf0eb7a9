// SPDX-License-Identifier: Apache-2.0
// The journal of a run, damaged in every way: what is complete comes back, nothing is invented.
#include "harness/sweep/run_journal.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "harness/files/atomic_file.h"
#include "harness/sweep/rates.h"
#include "harness/sweep/suite/expansion.h"
#include "harness/sweep/sweep.h"
#include "tests/unit/scratch_folder.h"

namespace alsbench {
namespace {

RunHead test_head() {
  RunHead head;
  head.suite = "test";
  head.provenance.build.version = "test";
  return head;
}

const RunHead kHead = test_head();

DeviceRecord test_device() {
  DeviceRecord device;
  device.id = "cpu";
  device.traits.name = "test";
  return device;
}

std::vector<Case> some_cases() {
  const Suite suite = parse_suite(R"({"name": "test", "description": "",
    "problems": [{"dataset": "ml-100k", "rank": 8, "lambda": 0.1}],
    "measure": [{"stage": "solve", "variant": "cg", "backend": "cpu", "part": "x", "cache": "cold",
                 "axes": {"steps": [2, 4, 6]}}]})",
                                  "test");
  Selection selection;
  selection.devices = {"cpu"};
  return expand(suite, selection);
}

CaseRecord record_of(const Case& c, Outcome outcome) {
  CaseRecord record = blank_record(c);
  record.outcome = outcome;
  if (outcome == Outcome::ok)
    record.cold = measurement_record({"", {{0.125}, {0.25}, {3.5e-6}}, 0, "samples"}, {});
  return record;
}

class RunJournalTest : public testing::Test {
 protected:
  RunJournalTest() {
    RunJournal journal = RunJournal::create(path_, kHead);
    journal.add_device(test_device());
    for (const Case& c : cases_) {
      const CaseRecord record = record_of(c, Outcome::ok);
      records_.push_back(to_json(record));
      journal.add_record(record);
    }
    text_ = read_whole_file(path_);
  }

  // The records that a run resumed from `text` starts with.
  std::vector<Json> resumed(const std::string& text) const {
    write_file_atomically(path_, text, Sync::no);
    std::vector<Json> records;
    for (const CaseRecord& record : RunJournal::resume(path_, kHead).kept().records())
      records.push_back(to_json(record));
    return records;
  }

  const ScratchFolder folder_;
  const std::filesystem::path path_ = folder_.path() / "run.journal";
  const std::vector<Case> cases_ = some_cases();
  std::vector<Json> records_;
  std::string text_;
};

TEST_F(RunJournalTest, TruncatedAtEveryByteKeepsEveryCompleteRecord) {
  const size_t head = text_.find('\n') + 1;
  const size_t device = text_.find('\n', head) + 1;
  for (size_t length = head; length < text_.size(); ++length) {
    const std::string part = text_.substr(0, length);
    const auto lines = std::count(
        part.begin() + static_cast<std::ptrdiff_t>(std::min(device, length)), part.end(), '\n');
    const std::vector<Json> expected(records_.begin(), records_.begin() + lines);
    ASSERT_EQ(resumed(part), expected) << length;
  }
}

TEST_F(RunJournalTest, AHeadThatIsNotWholeIsRefused) {
  for (const size_t length : {size_t{1}, text_.find('\n')}) {
    write_file_atomically(path_, text_.substr(0, length), Sync::no);
    EXPECT_THROW(RunJournal::resume(path_, kHead), UsageError) << length;
  }
}

// Every bit of the last record's samples.
TEST_F(RunJournalTest, AFlippedBitCostsItsRecordAndInventsNone) {
  const size_t begin = text_.rfind("\"samples\"");
  const std::vector<Json> others(records_.begin(), records_.end() - 1);
  for (size_t byte = begin; byte < text_.find(']', begin); ++byte)
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = text_;
      damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << bit));
      ASSERT_EQ(resumed(damaged), others) << "byte " << byte - begin << " bit " << bit;
    }
}

TEST_F(RunJournalTest, WhatIsThereNeedNotRunAgain) {
  RunJournal journal = RunJournal::create(path_, kHead);
  journal.add_record(record_of(cases_[0], Outcome::ok));
  journal.add_record(record_of(cases_[1], Outcome::hung));
  EXPECT_EQ(journal.known(cases_[0]), Outcome::ok);
  EXPECT_EQ(journal.known(cases_[1]), Outcome::hung);
  EXPECT_EQ(journal.known(cases_[2]), std::nullopt);
  EXPECT_EQ(journal.known(cases_[0], Retry::failed), Outcome::ok);
  EXPECT_EQ(journal.known(cases_[1], Retry::failed), std::nullopt);
  journal.add_record(record_of(cases_[1], Outcome::skipped));
  EXPECT_EQ(journal.known(cases_[1], Retry::failed), Outcome::skipped);
  Case wider = cases_[0];
  wider.modes = {CacheMode::cold, CacheMode::hot};
  EXPECT_EQ(journal.known(wider), std::nullopt);
}

TEST_F(RunJournalTest, ResumingFromAnEmptyFileStarts) {
  write_file_atomically(path_, "", Sync::no);
  EXPECT_TRUE(RunJournal::resume(path_, kHead).kept().records().empty());
  EXPECT_EQ(to_json(RunJournal::resume(path_, kHead).kept().last_shard().provenance),
            to_json(kHead.provenance));
}

TEST_F(RunJournalTest, ResumingFromNothingStarts) {
  std::filesystem::remove(path_);
  EXPECT_TRUE(RunJournal::resume(path_, kHead).kept().records().empty());
  EXPECT_EQ(to_json(RunJournal::resume(path_, kHead).kept().last_shard().provenance),
            to_json(kHead.provenance));
}

TEST_F(RunJournalTest, EachRecordSaysWhereItWasMeasured) {
  RunHead elsewhere = kHead;
  elsewhere.provenance.host.name = "another";
  write_file_atomically(path_, text_.substr(0, text_.rfind('\n', text_.size() - 2) + 1), Sync::no);
  {
    RunJournal journal = RunJournal::resume(path_, elsewhere);
    journal.add_device(test_device());
    journal.add_record(record_of(cases_[2], Outcome::ok));
  }
  const ResultDocument document = RunRecords(read_journal(path_), path_).document();
  ASSERT_EQ(document.shards.size(), 2u);
  EXPECT_EQ(document.shards[1].provenance.host.name, "another");
  EXPECT_EQ(document.shards[1].devices.size(), 1u);
  std::vector<int64_t> shards;
  for (const CaseRecord& record : document.cases) shards.push_back(record.shard);
  EXPECT_EQ(shards, (std::vector<int64_t>{0, 0, 1}));
  const size_t bytes = read_whole_file(path_).size();
  RunJournal::resume(path_, elsewhere);
  EXPECT_EQ(read_whole_file(path_).size(), bytes) << "where it was resumed last";
}

TEST_F(RunJournalTest, ACaseWithoutAllLaunchesIsNoRow) {
  RunHead head = kHead;
  head.selection.launches = 2;
  RunJournal journal = RunJournal::create(path_, head);
  journal.add_record(record_of(cases_[0], Outcome::ok), 0);
  journal.add_record(record_of(cases_[1], Outcome::crashed), 0);
  journal.add_record(record_of(cases_[2], Outcome::ok), 0);
  journal.add_record(record_of(cases_[2], Outcome::ok), 1);
  std::vector<std::string> names;
  for (const CaseRecord& record : journal.kept().document().cases) names.push_back(record.name);
  EXPECT_EQ(names, (std::vector<std::string>{cases_[1].name(), cases_[2].name()}));
}

}  // namespace
}  // namespace alsbench
