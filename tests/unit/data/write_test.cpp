// SPDX-License-Identifier: Apache-2.0
// Written ratings are read back the same.
#include "harness/data/split.h"
#include "harness/data/write_ratings.h"
#include "support.h"

namespace alsbench {
namespace {

class WriteTest : public DataTest, public testing::WithParamInterface<const char*> {};

TEST_P(WriteTest, RoundTrip) {
  const RatingSet set =
      load(write("source.csv", "5,70,3.5\n5,80,0.1\n9,70,-2\n12,90,1e-7\n9,90,4\n"));
  const Format format = format_named(GetParam());
  const auto path = folder_ / "copy";
  write_ratings(set, set.by_user, format, path);
  EXPECT_EQ(detect_format(path), format);
  const RatingSet copy = load(path);
  expect_equal(copy.by_user, set.by_user);
  if (format == Format::csv || format == Format::tsv || format == Format::dat) {
    EXPECT_EQ(copy.users, set.users);
    EXPECT_EQ(copy.items, set.items);
  }
  // Nothing but the source and the copy: temporary files are gone.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 2);
}

INSTANTIATE_TEST_SUITE_P(Formats, WriteTest,
                         testing::Values("csv", "tsv", "dat", "libmf", "matrix-market", "npz"),
                         [](const auto& test) {
                           std::string name = test.param;
                           return name == "matrix-market" ? "matrix_market" : name;
                         });

using WriteOnceTest = DataTest;

TEST_F(WriteOnceTest, CumfFolderHoldsTrainAndTest) {
  DataRequest request;
  request.dataset = "ml-100k";
  request.scale = 0.05;
  const RatingSet set = load_rating_set(request);
  write_cumf(set, folder_ / "cumf");
  const RatingSet copy = load(folder_ / "cumf");
  expect_equal(copy.by_user, set.by_user);
  expect_equal(copy.by_item, set.by_item);
  expect_equal(copy.test, set.test);
  EXPECT_EQ(copy.content_hash, set.content_hash);
}

TEST_F(WriteOnceTest, EmptyRowsSurviveFormatsWithAShape) {
  RatingSet set;
  set.by_user = build_csr(std::vector<Rating>{{1, 2, 3.0f}}, 4, 5);
  set.test = empty_csr(4, 5);
  for (const Format format : {Format::matrix_market, Format::npz}) {
    write_ratings(set, set.by_user, format, folder_ / "copy");
    expect_equal(load(folder_ / "copy").by_user, set.by_user);
  }
}

TEST_F(WriteOnceTest, FormatsWithoutTimesKeepNone) {
  for (const char* text : {"2|2\n5\t3\n6\t4\n", "0 5\n1 4 8\n"}) {
    DataRequest request;
    request.path = write("r.txt", text);
    request.test_fraction = 0;
    request.keep_times = true;
    EXPECT_EQ(load_rating_set(request).times.size(), 0) << text;
  }
}

TEST_F(WriteOnceTest, TextIdsWithSeparatorsSurvive) {
  const RatingSet set = load(write("source.csv", "\"a,b\",x,1\nc,\"y,z\",2\n"));
  write_ratings(set, set.by_user, Format::csv, folder_ / "copy.csv");
  EXPECT_EQ(load(folder_ / "copy.csv").users, set.users);
  EXPECT_EQ(load(folder_ / "copy.csv").items, set.items);
}

TEST_F(WriteOnceTest, IdsThatLookLikeSomethingElseSurviveInCsv) {
  const RatingSet set = load(write("source.csv",
                                   "\"#a\",1,1\n\"%b\",\"c::d\",2\n\" lead \",\"\"\"\",3\n"
                                   "\"Smith \"\"J\"\", 7\",x,4\na::b,x,5\n"));
  ASSERT_EQ(set.users, (Names{" lead ", "#a", "%b", "Smith \"J\", 7", "a::b"}));
  write_ratings(set, set.by_user, Format::csv, folder_ / "copy.csv");
  expect_equal(load(folder_ / "copy.csv"), set);
}

TEST_F(WriteOnceTest, FormatsThatCannotHoldAnIdRefuseIt) {
  const auto error = [&](const std::string& source, Format format) -> std::string {
    const RatingSet set = load(write("source.csv", source), "csv");
    const auto path = folder_ / "copy";
    std::filesystem::remove(path);
    try {
      write_ratings(set, set.by_user, format, path);
    } catch (const UsageError& refused) {
      EXPECT_FALSE(std::filesystem::exists(path));
      return refused.what();
    }
    expect_equal(load(path), set);
    return "";
  };
  const std::string path = (folder_ / "copy").string();
  for (const char* id : {"#a", "%b", " lead", "trail ", "a::b"}) {
    const std::string source = std::string("x,1,2\n\"") + id + "\",1,2\n";
    EXPECT_EQ(error(source, Format::tsv),
              path + ": tsv cannot hold the id '" + id + "'; write csv");
  }
  EXPECT_NE(error("\"\"\"a\"\"\",1,2\n", Format::tsv), "");
  EXPECT_EQ(error("\"a, \"\"b\"\"\",\"#1 hit\",2\n", Format::tsv), "");
  EXPECT_EQ(error("1,x,2\n", Format::dat), path + ": dat cannot hold the id 'x'; write csv");
  EXPECT_EQ(error("007,1,2\nx,1,2\n", Format::dat),
            path + ": dat cannot hold the id 'x'; write csv");
  EXPECT_EQ(error("007,1,2\n7,1,2\n", Format::dat), "");
  EXPECT_EQ(error("7,18446744073709551615,2\n", Format::dat), "");
}

TEST_F(WriteOnceTest, UnwritablePlacesAreErrorsOfTheMachine) {
  const RatingSet set = load(write("source.csv", "1,1,1\n"));
  EXPECT_THROW(write_ratings(set, set.by_user, Format::csv, folder_ / "no" / "x.csv"),
               EnvironmentError);
  EXPECT_THROW(write_ratings(set, set.by_user, Format::npz, folder_ / "no" / "x.npz"),
               EnvironmentError);
  EXPECT_THROW(write_ratings(set, set.by_user, Format::netflix, folder_ / "x"), UsageError);
}

}  // namespace
}  // namespace alsbench
