// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/database/tuning_database.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

#include "base/error.h"
#include "harness/files/atomic_file.h"
#include "harness/tune/database/database_file.h"
#include "tests/unit/scratch_folder.h"
#include "tests/unit/texts.h"
#include "tests/unit/tune/tuned_entries.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

const std::string kPick = "solve:cg:steps=4";

Shape ranked(int32_t rank) { return netflix(rank); }

class Database : public testing::Test {
 protected:
  const ScratchFolder folder_;
  const ScopedVariable home_{"XDG_DATA_HOME", folder_.path().string()};
  const fs::path path_ = folder_.path() / "own" / "database.json";
};

TunedEntry entry_from(const Json& json) { return read_as<TunedEntry>(JsonField(json)); }

TEST(TunedEntryJson, ComesBackAsItWas) {
  TunedEntry entry = entry_of(gpu(), netflix(), kPick, "solve");
  entry.part = "theta";
  entry.goal = Goal::time_to_target;
  entry.accuracy = TunedAccuracy{"rmse", 10, 0.91, 0.909, 0.002};
  entry.ties = {picked(kPick), picked("solve:lu")};
  const TunedEntry back = entry_from(Json::parse(to_json(entry).dump()));
  EXPECT_EQ(to_json(back), to_json(entry));
  EXPECT_EQ(key_of(back), key_of(entry));
  EXPECT_EQ(back.accuracy->iterations, 10);
}

TEST(TunedEntryJson, ATeamHasOneMemberAtLeast) {
  Json json = to_json(entry_of(gpu(), netflix(), kPick, "solve"));
  EXPECT_EQ(json["members"], 1);
  json["members"] = 2;
  EXPECT_EQ(entry_from(json).members, 2);
  json["members"] = 0;
  EXPECT_THROW(entry_from(json), UsageError);
}

TEST(ShapeBuckets, AreExactInRankAndWholeInPowersOfTwo) {
  EXPECT_EQ(bucket_of(netflix()).text(), "rank:100/rows:2^18/cols:2^14/nnz:2^26/row:2^7");
  EXPECT_EQ(bucket_of(shape_of_size(1, 1, 0, 1)).text(),
            "rank:1/rows:2^0/cols:2^0/nnz:2^-1/row:2^-1");
  EXPECT_FALSE(bucket_of(netflix(100)) == bucket_of(netflix(101)));
}

TEST(ShapeBuckets, AreTheSizesOfAProblemThatHasThem) {
  Shape small = shape_of_size(1, 1, 1, 1), large = small;
  small.sizes.set("N", "512");
  large.sizes.set("N", "513");
  EXPECT_EQ(bucket_of(small).text(), "N=512");
  EXPECT_FALSE(bucket_of(small) == bucket_of(large));
}

TEST_F(Database, LaterLayersReplaceEqualKeysAlone) {
  add_to_database(user_database_path(gpu()), {entry_of(gpu(), ranked(100), "solve:lu", "solve"),
                                              entry_of(gpu(), ranked(64), "solve:lu", "solve")});
  add_to_database(path_, {entry_of(gpu(), ranked(100), kPick, "solve")});
  const TuningDatabase both = TuningDatabase::load(path_);
  const auto pick = [&](int32_t rank) {
    const Served served = both.look_up(query_for(gpu(), ranked(rank), "solve"));
    return served.entry ? text_of(served.entry->pick) : "";
  };
  EXPECT_EQ(pick(100), canonical(kPick));
  EXPECT_EQ(pick(64), "solve:lu:pivot=off");
  EXPECT_TRUE(fs::exists(folder_.path() / "alsbench" / "tuned" / "nvidia-h200.json"));
}

TEST_F(Database, KeepsWhatItDoesNotKnow) {
  add_to_database(path_, {entry_of(gpu(), ranked(100), kPick, "solve")});
  Json json = Json::parse(read_whole_file(path_));
  json["schema_version"] = "2.9.0";
  json["remark"] = "of a newer minor version";
  json["entries"][0]["novelty"] = 1;
  write_file_atomically(path_, json.dump());
  add_to_database(path_, {entry_of(gpu(), ranked(64), kPick, "solve")});
  const Json after = Json::parse(read_whole_file(path_));
  EXPECT_EQ(after["remark"], json["remark"]);
  EXPECT_EQ(after["schema_version"], "2.9.0");
  ASSERT_EQ(after["entries"].size(), 2u);
  EXPECT_EQ(after["entries"][0].value("novelty", 0) + after["entries"][1].value("novelty", 0), 1);
}

TEST_F(Database, DamageIsAnErrorWithFileAndPlaceAndIsLeftAlone) {
  add_to_database(path_, {entry_of(gpu(), ranked(100), kPick, "solve"),
                          entry_of(gpu(), ranked(64), kPick, "solve")});
  const std::string good = read_whole_file(path_);
  const auto damaged = [&](const std::function<void(Json&)>& change) {
    Json json = Json::parse(good);
    change(json);
    return json.dump();
  };
  const std::vector<std::pair<std::string, std::string>> cases{
      {good.substr(0, good.size() / 2), "line"},
      {"", "is not JSON"},
      {"[]", "is no tuning database"},
      {damaged([](Json& json) { json["schema_version"] = "3.0.0"; }), "newer alsbench"},
      {damaged([](Json& json) { json["schema_version"] = "1.4.0"; }), "convert_results.py"},
      {damaged([](Json& json) { json["entries"][1].erase("pick"); }), "/entries/1: "},
      {damaged([](Json& json) { json["entries"][1]["pick"] = Json::array(); }),
       "/entries/1/pick: is empty"},
      {damaged([](Json& json) { json["entries"][1]["part"] = "y"; }),
       "/entries/1/part: has the unknown value 'y'"},
      {damaged([](Json& json) { json["entries"][0]["median_seconds"] = -1; }),
       "/entries/0/median_seconds: is -1"},
      {damaged([](Json& json) { json["entries"][0]["shape"]["rank"] = 0; }), "/entries/0/shape: "},
      {damaged([](Json& json) { json["entries"][0]["algorithm"] = "alz"; }), "did you mean 'als'"},
      {damaged([](Json& json) { json["entries"][0]["what"] = "hermitien"; }), "'hermitien'"}};
  for (const auto& [text, expected] : cases) {
    write_file_atomically(path_, text);
    for (const std::string& message :
         {thrown_by([&] { TuningDatabase::load(path_); }), thrown_by([&] {
            add_to_database(path_, {entry_of(gpu(), ranked(32), kPick, "solve")});
          })}) {
      EXPECT_TRUE(contains(message, path_.string()));
      EXPECT_TRUE(contains(message, expected));
    }
    EXPECT_EQ(read_whole_file(path_), text);
  }
}

TEST_F(Database, ADamagedFileOfTheUserIsNotIgnored) {
  folder_.write("alsbench/tuned/nvidia-h200.json", "{");
  EXPECT_TRUE(contains(thrown_by([] { TuningDatabase::load(); }), "nvidia-h200.json"));
}

TEST_F(Database, AMissingNamedFileIsAnError) {
  EXPECT_TRUE(contains(thrown_by([&] { TuningDatabase::load(path_); }), path_.string()));
}

TEST_F(Database, AFolderThatCannotBeWrittenIsAnEnvironmentError) {
  EXPECT_THROW(add_to_database("/proc/nowhere/database.json", {}), EnvironmentError);
}

// Processes that write at the same time, half of them by a symbolic link.
TEST_F(Database, ManyWritersLoseNothing) {
  constexpr int32_t kWriters = 8, kEach = 20;
  const fs::path link = folder_.path() / "link.json";
  fs::create_symlink(path_, link);  // which is not there yet
  std::vector<pid_t> writers;
  for (int32_t writer = 0; writer < kWriters; ++writer) {
    writers.push_back(fork());
    ASSERT_GE(writers.back(), 0);
    if (writers.back() != 0) continue;
    try {
      for (int32_t i = 0; i < kEach; ++i)
        add_to_database(writer % 2 == 0 ? path_ : link,
                        {entry_of(gpu(), ranked(1 + writer * kEach + i), kPick, "solve")});
      _exit(0);
    } catch (...) {
      _exit(1);
    }
  }
  for (const pid_t writer : writers) {
    int status = -1;
    waitpid(writer, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(parse_tuned(read_whole_file(path_), path_.string()).size(), size_t{kWriters * kEach});
  EXPECT_TRUE(fs::is_symlink(link));
}

TEST_F(Database, APrivateFileStaysPrivate) {
  const fs::perms own = fs::perms::owner_read | fs::perms::owner_write;
  add_to_database(path_, {});
  fs::permissions(path_, own);
  add_to_database(path_, {entry_of(gpu(), ranked(8), kPick, "solve")});
  EXPECT_EQ(fs::status(path_).permissions(), own);
}

TEST_F(Database, AFolderThatOthersMayWriteIsNotReadAndNotWritten) {
  folder_.write("alsbench/tuned/nvidia-h200.json", "{");
  fs::permissions(folder_.path() / "alsbench", fs::perms::all);
  EXPECT_NO_THROW(TuningDatabase::load());
  EXPECT_THROW(user_database_path(gpu()), EnvironmentError);
}

TEST_F(Database, AFileOfTwoNamesIsRefusedAndBothStay) {
  add_to_database(path_, {entry_of(gpu(), ranked(8), kPick, "solve")});
  const std::string before = read_whole_file(path_);
  const fs::path other = folder_.path() / "hard.json";
  fs::create_hard_link(path_, other);
  const auto add = [&] { add_to_database(other, {entry_of(gpu(), ranked(9), kPick, "solve")}); };
  EXPECT_TRUE(contains(thrown_by(add), "hard.json' has 2 names (hard links)"));
  EXPECT_TRUE(contains(thrown_by([&] { check_database(path_); }), "symbolic"));
  EXPECT_TRUE(fs::equivalent(path_, other));
  EXPECT_EQ(read_whole_file(path_), before);
}

}  // namespace
}  // namespace alsbench
