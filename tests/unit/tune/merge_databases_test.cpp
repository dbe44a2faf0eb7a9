// SPDX-License-Identifier: Apache-2.0
// Databases of many machines as one: who stays, and what is left out.
#include "harness/tune/database/merge_databases.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "harness/files/atomic_file.h"
#include "harness/tune/database/database_file.h"
#include "tests/unit/scratch_folder.h"
#include "tests/unit/texts.h"
#include "tests/unit/tune/tuned_entries.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

TunedEntry solver(int32_t rank, const std::string& pick = "solve:lu") {
  return entry_of(gpu(), netflix(rank), pick, "solve");
}

class MergedDatabases : public testing::Test {
 protected:
  fs::path file(const std::string& name, const std::vector<TunedEntry>& entries) const {
    const fs::path path = folder_.path() / name;
    add_to_database(path, entries);
    return path;
  }
  std::string pick(int32_t rank) const {
    for (const auto& [key, filed] : read_database(target_))
      if (filed.entry.shape.rank == rank) return text_of(filed.entry.pick);
    return "";
  }

  const ScratchFolder folder_;
  const fs::path target_ = folder_.path() / "all.json";
};

TEST(Rigour, ToleranceThenIterationsThenPointsThenDate) {
  const TunedEntry base = entry_of(gpu(), netflix(), "update:fused", "pipeline");
  TunedEntry judged = base, stricter = base, longer = base, wider = base, later = base;
  judged.accuracy = TunedAccuracy{"rmse", 10, 0.9, 0.9, 0.01};
  stricter.accuracy = TunedAccuracy{"rmse", 10, 0.9, 0.9, 0.001};
  longer.accuracy = TunedAccuracy{"rmse", 20, 0.9, 0.9, 0.001};
  wider = longer;
  wider.search.evaluations += 1;
  later = wider;
  later.provenance.time_utc = "2026-02-01T00:00:00Z";
  const std::vector<TunedEntry> ladder{base, judged, stricter, longer, wider, later};
  for (size_t i = 0; i < ladder.size(); ++i)
    for (size_t k = 0; k < ladder.size(); ++k)
      EXPECT_EQ(more_rigorous(ladder[i], ladder[k]), i > k) << i << ' ' << k;
}

TEST_F(MergedDatabases, GatherAndDecideWhateverTheOrder) {
  TunedEntry thorough = solver(100, "solve:cg:steps=4");
  thorough.search.evaluations = 500;
  const fs::path a = file("a.json", {solver(100), solver(32)});
  const fs::path b = file("b.json", {thorough, solver(64), solver(32)});
  for (const auto& files : {std::vector{a, b}, std::vector{b, a}}) {
    fs::remove(target_);
    const DatabaseMerge merge = merge_databases(files, target_, same_code);
    EXPECT_EQ(merge.added, 3);
    EXPECT_EQ(merge.left_out, 0);
    ASSERT_EQ(merge.notes.size(), 1u) << "equal entries are no conflict";
    EXPECT_TRUE(contains(merge.notes[0], "that of " + b.string()));
    EXPECT_EQ(pick(100), text_of(thorough.pick));
    EXPECT_EQ(pick(32) + pick(64), "solve:lu:pivot=offsolve:lu:pivot=off");
  }
  const std::string before = read_whole_file(target_);
  EXPECT_EQ(merge_databases({a, b}, target_, same_code).unchanged, 3);
  EXPECT_EQ(read_whole_file(target_), before) << "merging again changes nothing";
}

TEST_F(MergedDatabases, LeaveOutStaleEntriesButNoneOfTheTarget) {
  TunedEntry stale = solver(100, "solve:cg:steps=4");
  stale.code_hash = "older code";
  stale.search.evaluations = 500;
  TunedEntry old = solver(48, "solve:cg:steps=3"), renewed = solver(48);
  old.code_hash = "older code";
  old.search.evaluations = 500;
  add_to_database(target_, {old, solver(16)});
  TunedEntry lost = stale;
  lost.shape = netflix(8);
  lost.pick = {{"solve", "removed", {}}};
  const fs::path a = file("a.json", {stale, lost, renewed});
  const fs::path b = file("b.json", {solver(100)});
  const DatabaseMerge merge = merge_databases({a, b}, target_, same_code);
  EXPECT_EQ(merge.left_out, 2);
  EXPECT_EQ(pick(100), "solve:lu:pivot=off");
  EXPECT_EQ(pick(8), "");
  EXPECT_EQ(pick(48), text_of(renewed.pick)) << "a fresh entry replaces a stale one";
  EXPECT_EQ(pick(16), "solve:lu:pivot=off");
}

TEST_F(MergedDatabases, TakeWhatCannotBeHashedHere) {
  const fs::path a = file("a.json", {solver(100)});
  const DatabaseMerge merge = merge_databases(
      {a}, target_,
      [](const auto&, const Shape&, const DeviceTraits&) { return std::optional<std::string>(); });
  EXPECT_EQ(merge.unknown, 1);
  EXPECT_EQ(pick(100), "solve:lu:pivot=off");
}

TEST_F(MergedDatabases, KeepFieldsOfNewerVersionsAndRefuseDamage) {
  const fs::path a = file("a.json", {solver(100)});
  Json json = Json::parse(read_whole_file(a));
  json["entries"][0]["novelty"] = 1;
  write_file_atomically(a, json.dump());
  merge_databases({a}, target_, same_code);
  EXPECT_EQ(Json::parse(read_whole_file(target_))["entries"][0].value("novelty", 0), 1);
  const std::string before = read_whole_file(target_);
  const fs::path damaged = folder_.path() / "damaged.json";
  write_file_atomically(damaged, "{");
  EXPECT_THROW(merge_databases({a, damaged}, target_, same_code), UsageError);
  EXPECT_EQ(read_whole_file(target_), before);
}

}  // namespace
}  // namespace alsbench
