// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "harness/data/summary.h"
#include "harness/device/device.h"
#include "support.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

class CacheTest : public DataTest {
 protected:
  CacheTest() {
    request_.dataset = "ml-100k";
    request_.scale = 0.2;
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_ / "cache" / "data"))
      files.push_back(entry.path());
    return files;
  }
  static void expect_same(const RatingSet& a, const RatingSet& b) {
    expect_equal(a, b);
    EXPECT_EQ(a.id, b.id);
  }

  DataRequest request_;
};

TEST_F(CacheTest, HoldsTheSameSetAndIsUsedTheSecondTime) {
  const RatingSet fresh = load_rating_set(request_);
  expect_same(cached_rating_set(request_), fresh);
  ASSERT_EQ(files().size(), 1u);
  const auto written = fs::last_write_time(files()[0]);
  const RatingSet again = cached_rating_set(request_);
  expect_same(again, fresh);
  EXPECT_EQ(again.rmse_floor, fresh.rmse_floor);
  EXPECT_EQ(fs::last_write_time(files()[0]), written);
}

TEST_F(CacheTest, IsWrittenWhileTheSetIsUsed) {
  const RatingSet fresh = load_rating_set(request_);
  {
    const CachedSet built(request_);
    expect_same(*built, fresh);
  }
  ASSERT_EQ(files().size(), 1u) << "the end waits for the whole file";
  const auto written = fs::last_write_time(files()[0]);
  expect_same(cached_rating_set(request_), fresh);
  const CachedSet mapped(request_);
  expect_same(*mapped, fresh);
  EXPECT_EQ(fs::last_write_time(files()[0]), written);
}

TEST_F(CacheTest, ASetIsUsedWhereItCannotBeKept) {
  write("cache", "a file in the place of the folder");
  ::testing::internal::CaptureStderr();
  {
    const CachedSet built(request_);
    expect_same(*built, load_rating_set(request_));
  }
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_TRUE(said.starts_with("not cached: ")) << said;
  EXPECT_TRUE(said.ends_with("; or set ALSBENCH_CACHE_DIR\n")) << said;
}

TEST_F(CacheTest, ASetThatWasBuiltDoesNotNeedItsFile) {
  const RatingSet built = cached_rating_set(request_);
  fs::resize_file(files().at(0), 0);
  expect_same(built, load_rating_set(request_));
}

TEST_F(CacheTest, AFileOfTheSameSizeAndTimeIsReadAgain) {
  const fs::path path = write("r.tsv", "1\t1\t5\n2\t2\t4\n");
  const auto written = fs::last_write_time(path);
  request_ = {};
  request_.path = path;
  request_.test_fraction = 0;
  cached_rating_set(request_);
  fs::rename(write("other.tsv", "1\t1\t3\n2\t2\t4\n"), path);
  fs::last_write_time(path, written);
  expect_same(cached_rating_set(request_), load_rating_set(request_));
}

// Only the time of the status tells: the file is the same, its size and its time of writing too.
TEST_F(CacheTest, AFileThatIsWrittenInPlaceWithItsOldTimeIsReadAgain) {
  const fs::path path = write("r.tsv", "1\t1\t5\n2\t2\t4\n");
  const auto written = fs::last_write_time(path);
  request_ = {};
  request_.path = path;
  request_.test_fraction = 0;
  cached_rating_set(request_);
  std::ofstream(path, std::ios::in | std::ios::binary) << "1\t1\t3\n";
  fs::last_write_time(path, written);
  const RatingSet again = cached_rating_set(request_);
  expect_same(again, load_rating_set(request_));
  EXPECT_EQ(again.by_user.values[0], 3.0f);
}

TEST_F(CacheTest, EveryPartOfTheRequestHasItsOwnEntry) {
  cached_rating_set(request_);
  request_.seed = 2;
  cached_rating_set(request_);
  request_.empty_rows = 0.1;
  cached_rating_set(request_);
  EXPECT_EQ(files().size(), 3u);
}

TEST_F(CacheTest, WhoDrawsMakesNoDifferenceToTheSetNorToItsEntry) {
  const RatingSet drawn = cached_rating_set(request_);
  const auto cpu = open_cpu_device();
  for (const bool always : {false, true}) {
    expect_same(load_rating_set(request_, {cpu.get(), always}), drawn);
    expect_same(cached_rating_set(request_, {cpu.get(), always}), drawn);
  }
  EXPECT_EQ(files().size(), 1u);
}

TEST(WorthADevice, LargeGeneratedSetsAre) {
  DataRequest request;
  request.dataset = "netflix";
  EXPECT_TRUE(worth_drawing_on_gpu(request));
  request.scale = 0.1;
  EXPECT_FALSE(worth_drawing_on_gpu(request));
  request.dataset = "";
  request.path = "netflix";
  EXPECT_FALSE(worth_drawing_on_gpu(request));
}

TEST_F(CacheTest, WithoutAPlaceNothingIsCached) {
  std::vector<std::pair<std::string, std::string>> saved;
  for (const char* name : {"ALSBENCH_CACHE_DIR", "XDG_CACHE_HOME", "HOME"}) {
    if (const char* value = std::getenv(name)) saved.emplace_back(name, value);
    ::unsetenv(name);
  }
  const RatingSet set = cached_rating_set(request_);
  for (const auto& [name, value] : saved) ::setenv(name.c_str(), value.c_str(), 1);
  expect_same(set, load_rating_set(request_));
  EXPECT_FALSE(fs::exists(folder_ / "cache" / "data"));
}

TEST_F(CacheTest, APipeInPlaceOfAnEntryIsNotWaitedFor) {
  const RatingSet fresh = cached_rating_set(request_);
  const fs::path file = files().at(0);
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  expect_same(cached_rating_set(request_), fresh);
  EXPECT_TRUE(fs::is_regular_file(file));
}

TEST_F(CacheTest, DamageIsNoticedAndMended) {
  const RatingSet fresh = cached_rating_set(request_);
  const fs::path file = files().at(0);
  const auto size = fs::file_size(file);
  fs::resize_file(file, size - 1);
  expect_same(cached_rating_set(request_), fresh);
  EXPECT_EQ(fs::file_size(file), size);
  fs::resize_file(file, 0);
  expect_same(cached_rating_set(request_), fresh);
  {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(100);
    stream.put('\x7f');
  }
  expect_same(cached_rating_set(request_), fresh);
  {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(size / 2));
    stream.put('\x7f');
  }
  expect_same(cached_rating_set(request_), fresh);
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(CacheTest, FilesAreReadAnewWhenTheyChange) {
  DataRequest request;
  request.path = write("r.csv", "1,1,5\nx,2,3\n");
  request.test_fraction = 0;
  const RatingSet set = cached_rating_set(request);
  EXPECT_EQ(set.users, (Names{"1", "x"}));
  expect_same(cached_rating_set(request), set);
  write("r.csv", "1,1,5\nx,2,3\ny,1,4\n");
  EXPECT_EQ(cached_rating_set(request).users, (Names{"1", "x", "y"}));
  request.duplicates = Duplicates::sum;
  cached_rating_set(request);
  EXPECT_EQ(files().size(), 3u);
}

TEST_F(CacheTest, AFailedLoadLeavesNothing) {
  DataRequest request;
  request.path = write("r.csv", "1,1,nan\n");
  EXPECT_THROW(cached_rating_set(request), UsageError);
  EXPECT_FALSE(fs::exists(folder_ / "cache" / "data") && !files().empty());
}

TEST_F(CacheTest, AnUnwritableFolderCostsOnlyTheCache) {
  write("blocked", "a file, not a folder");
  ::setenv("ALSBENCH_CACHE_DIR", (folder_ / "blocked").c_str(), 1);
  expect_same(cached_rating_set(request_), load_rating_set(request_));
}

TEST_F(CacheTest, SummaryDescribesTheSet) {
  const auto summary = summary_of(cached_rating_set(request_));
  EXPECT_EQ(summary.at("users"), 422);
  EXPECT_EQ(summary.at("items"), 752);
  EXPECT_EQ(summary.at("train_ratings"), 18'000);
  EXPECT_EQ(summary.at("test_ratings"), 2'000);
  EXPECT_NEAR(summary.at("density").get<double>(), 20'000.0 / 422 / 752, 1e-12);
  EXPECT_EQ(summary.at("minimum"), 1);
  EXPECT_EQ(summary.at("maximum"), 5);
  EXPECT_LT(summary.at("user_degrees").at("0.5"), summary.at("user_degrees").at("0.9"));
}

}  // namespace
}  // namespace alsbench
