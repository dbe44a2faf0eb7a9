// SPDX-License-Identifier: Apache-2.0
// Each way to split, held against a plain oracle that sorts ratings.
#include "harness/data/split.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/data/rating_times.h"
#include "support.h"

namespace alsbench {
namespace {

using RatedCell = std::pair<int64_t, int32_t>;

struct TimedRating {
  Rating rating;
  int64_t time = 0;
};

// Rows of 0 to 12 ratings, in an order that is neither that of rows nor that of times. Few times,
// so most are there several times.
std::vector<TimedRating> some_ratings() {
  std::vector<TimedRating> ratings;
  for (int32_t row = 0; row < 40; ++row)
    for (int32_t k = 0; k < row % 13; ++k) {
      const uint32_t hash = static_cast<uint32_t>(row * 7919 + k * 104729) * 2654435761u;
      ratings.push_back({{row, (k * 7 + row) % 97, static_cast<float>(hash % 5)},
                         static_cast<int64_t>(hash >> 16) % 9 - 4});
    }
  std::sort(ratings.begin(), ratings.end(), [](const TimedRating& a, const TimedRating& b) {
    return std::pair(a.rating.col, a.rating.row) < std::pair(b.rating.col, b.rating.row);
  });
  return ratings;
}

std::set<RatedCell> cells_in(const Csr& matrix) {
  std::set<RatedCell> cells;
  for (int64_t row = 0; row < matrix.rows; ++row)
    for (int64_t i = matrix.offsets[row]; i < matrix.offsets[row + 1]; ++i)
      cells.insert({row, matrix.indices[i]});
  return cells;
}

class SplitByTest : public testing::Test {
 protected:
  SplitByTest() {
    std::vector<Rating> plain;
    std::vector<int32_t> rows, cols;
    std::vector<RatingTime> times;
    for (const TimedRating& timed : ratings_) {
      plain.push_back(timed.rating);
      rows.push_back(timed.rating.row);
      cols.push_back(timed.rating.col);
      times.push_back({timed.time});
    }
    all_ = build_csr(plain, 40, 97);
    ages_ = ages_of_cells(all_, rows, cols, ages_of(times), OfSeveral::latest);
  }

  RatingSet split(SplitBy by, double share = 0, uint64_t seed = 1) const {
    RatingSet set;
    set.by_user = all_;
    split_set(set, {by, share, seed}, ages_);
    std::set<RatedCell> joined = cells_in(set.by_user);
    for (const RatedCell& cell : cells_in(set.test)) EXPECT_TRUE(joined.insert(cell).second);
    EXPECT_EQ(joined, cells_in(all_));
    return set;
  }

  // The `count` latest of some ratings, later lines first where times are equal.
  static std::set<RatedCell> latest(std::vector<TimedRating> ratings, int64_t count) {
    std::reverse(ratings.begin(), ratings.end());
    std::stable_sort(ratings.begin(), ratings.end(),
                     [](const TimedRating& a, const TimedRating& b) { return a.time > b.time; });
    std::set<RatedCell> cells;
    for (int64_t i = 0; i < count; ++i)
      cells.insert(
          {ratings[static_cast<size_t>(i)].rating.row, ratings[static_cast<size_t>(i)].rating.col});
    return cells;
  }
  std::set<RatedCell> latest_of_each(double share, int64_t fixed) const {
    std::set<RatedCell> cells;
    for (int32_t row = 0; row < 40; ++row) {
      std::vector<TimedRating> own;
      for (const TimedRating& timed : ratings_)
        if (timed.rating.row == row) own.push_back(timed);
      const auto size = static_cast<int64_t>(own.size());
      const int64_t wanted =
          fixed > 0 ? fixed : std::llround(share * static_cast<double>(own.size()));
      cells.merge(latest(own, std::min(wanted, std::max<int64_t>(size - 1, 0))));
    }
    return cells;
  }

  const std::vector<TimedRating> ratings_ = some_ratings();
  Csr all_;
  std::vector<int64_t> ages_;
};

TEST_F(SplitByTest, TimeHoldsOutTheLatestOfAll) {
  for (const double share : {0.0, 0.1, 0.37, 1.0}) {
    const auto count = std::llround(share * static_cast<double>(ratings_.size()));
    EXPECT_EQ(cells_in(split(SplitBy::time, share).test), latest(ratings_, count)) << share;
  }
}

TEST_F(SplitByTest, UserTimeHoldsOutTheLatestOfEachUser) {
  for (const double share : {0.0, 0.1, 0.37, 0.99})
    EXPECT_EQ(cells_in(split(SplitBy::user_time, share).test), latest_of_each(share, 0)) << share;
}

TEST_F(SplitByTest, LeaveLastOutTakesTheLastOfEachUserWithTwo) {
  EXPECT_EQ(cells_in(split(SplitBy::leave_last_out).test), latest_of_each(0, 1));
}

TEST_F(SplitByTest, LeaveOneOutTakesOneOfEachUserWithTwoByTheSeed) {
  const RatingSet set = split(SplitBy::leave_one_out);
  for (int64_t row = 0; row < 40; ++row)
    EXPECT_EQ(set.test.offsets[row + 1] - set.test.offsets[row], row % 13 >= 2) << row;
  EXPECT_EQ(cells_in(set.test), cells_in(split(SplitBy::leave_one_out).test));
  EXPECT_NE(cells_in(set.test), cells_in(split(SplitBy::leave_one_out, 0, 2).test));
}

TEST_F(SplitByTest, LeaveOneOutTakesEachPlaceAboutEquallyOften) {
  std::vector<int> taken(12);
  for (uint64_t seed = 0; seed < 600; ++seed) {
    const RatingSet set = split(SplitBy::leave_one_out, 0, seed);
    const int32_t item = set.test.indices[set.test.offsets[12]];
    const int32_t* const first = all_.indices.data() + all_.offsets[12];
    ++taken[static_cast<size_t>(std::find(first, first + 12, item) - first)];
  }
  for (const int count : taken) EXPECT_NEAR(count, 50, 30);
}

TEST(RatingTimes, OfACellHeldTwiceTheYoungestCountsOrTheLast) {
  const std::vector<int32_t> rows{0, 0, 0}, cols{3, 1, 3};
  const std::vector<RatingTime> times{{7}, {6}, {5}};
  const std::vector<int64_t> ages = ages_of(times);
  EXPECT_EQ(ages, (std::vector<int64_t>{0, 1, 2}));
  const Csr cells = build_csr(std::vector<Rating>{{0, 1, 1}, {0, 3, 1}}, 1, 4);
  EXPECT_EQ(ages_of_cells(cells, rows, cols, ages, OfSeveral::latest),
            (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(ages_of_cells(cells, rows, cols, ages, OfSeveral::last), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(times_of_cells(cells, rows, cols, times, OfSeveral::latest)[1].seconds, 7);
  EXPECT_EQ(times_of_cells(cells, rows, cols, times, OfSeveral::last)[1].seconds, 5);
}

TEST(RatingTimes, AreNumbersOrDates) {
  const auto time_of = [](std::string_view text) {
    RatingTime time;
    EXPECT_TRUE(parse_time(text, time)) << text;
    return static_cast<double>(time.seconds) + 1e-9 * time.nanoseconds;
  };
  EXPECT_EQ(time_of("881250949"), 881250949);
  EXPECT_EQ(time_of("-1"), -1);
  EXPECT_EQ(time_of("1700000000.0"), 1700000000);
  EXPECT_EQ(time_of("1700000000.5"), 1700000000.5);
  EXPECT_EQ(time_of("-1.25"), -1.25);
  EXPECT_EQ(time_of("1.7e9"), 1700000000);
  EXPECT_EQ(time_of("1970-01-02"), 86400);
  EXPECT_EQ(time_of("2005-09-06"), 1125964800);
  EXPECT_EQ(time_of("2005-09-06 01:02:03"), 1125964800 + 3723);
  EXPECT_EQ(time_of("2005-09-06T01:02Z"), 1125964800 + 3720);
  EXPECT_EQ(time_of("2005-09-06 01:02:03.5 UTC"), 1125964800 + 3723.5);
  EXPECT_EQ(time_of("2005-09-06T01:02:03+01:00"), 1125964800 + 123);
  EXPECT_EQ(time_of("2005-09-06T01:02:03-0130"), 1125964800 + 3723 + 5400);
  RatingTime time;
  for (const char* text :
       {"", "x", "1.5.2", "nan", "inf", "2005-9-6", "2005-02-30", "2005-09-06 25:00", "2005-09-0",
        "2005-09-06 1:00", "2005-09-06Z5", "+1-01-01", "99999999999999999999", "2005-09-06 01:00+1",
        "2005-09-06 01:00 CET"})
    EXPECT_FALSE(parse_time(text, time)) << text;
  EXPECT_LT(time_of("2005-09-06 01:02:03.25"), time_of("2005-09-06 01:02:03.5"));
}

TEST(RatingTimes, AreWrittenAsTheyAreRead) {
  for (const char* text : {"0", "-1", "1700000000", "1700000000.25", "0.000000001", "-0.5",
                           "-7.000000001", "9223372036854775807", "-9223372036854775808"}) {
    RatingTime time;
    ASSERT_TRUE(parse_time(text, time)) << text;
    TextBlock block;
    add_time(block, time);
    EXPECT_EQ(block.text(), text);
  }
}

TEST(RatingTimes, WithAnExponentAreToTheNanosecond) {
  const std::vector<std::pair<const char*, const char*>> read{
      {"1.700000000500000000e+09", "1700000000.5"},
      {"1.7e-5", "0.000017"},
      {".5", "0.5"},
      {"-1.5e0", "-1.5"},
      {"1.9999999999e0", "2"}};
  for (const auto& [text, written] : read) {
    RatingTime time;
    ASSERT_TRUE(parse_time(text, time)) << text;
    TextBlock block;
    add_time(block, time);
    EXPECT_EQ(block.text(), written);
  }
}

class TimedFileTest : public DataTest {
 protected:
  // "train | test" of a file split so.
  static std::string parts(const std::filesystem::path& path, SplitBy by, double share = 0.1) {
    DataRequest request;
    request.path = path;
    request.split_by = by;
    request.test_fraction = share;
    const RatingSet set = load_rating_set(request);
    return cells_of(set.by_user) + " | " + cells_of(set.test);
  }
  std::string error_by_time(const std::filesystem::path& path) const {
    DataRequest request;
    request.path = path;
    request.split_by = SplitBy::leave_last_out;
    return error_of(request);
  }
};

TEST_F(TimedFileTest, TimesComeFromEachFormatThatHasThem) {
  // User 1 rates item 2 last, user 2 item 1; user 3 has one rating.
  const std::string expected = "0:0=1 1:1=2 2:0=5 | 0:1=3 1:0=4";
  const auto last = [&](const char* name, const std::string& text) {
    return parts(write(name, text), SplitBy::leave_last_out);
  };
  EXPECT_EQ(last("u.data", "1\t2\t3\t20\n1\t1\t1\t10\n2\t2\t2\t5\n2\t1\t4\t6\n3\t1\t5\t1\n"),
            expected);
  EXPECT_EQ(last("r.dat", "1::2::3::20\n1::1::1::10\n2::2::2::5\n2::1::4::6\n3::1::5::1\n"),
            expected);
  EXPECT_EQ(last("r.csv",
                 "timestamp,movieId,userId,rating\n"
                 "20,2,1,3\n10,1,1,1\n5,2,2,2\n6,1,2,4\n1,1,3,5\n"),
            expected);
  EXPECT_EQ(last("plain.csv",
                 "1,2,3,2001-01-02\n1,1,1,2001-01-01\n2,2,2,2000-01-01\n"
                 "2,1,4,2000-01-01 00:00:01\n3,1,5,1999-01-01\n"),
            expected);
  EXPECT_EQ(last("mv_1.txt",
                 "1:\n1,1,2005-01-01\n2,4,2005-01-03\n3,5,2005-01-01\n"
                 "2:\n1,3,2005-01-02\n2,2,2005-01-02\n"),
            expected);
}

TEST_F(TimedFileTest, EqualTimesFollowTheOrderOfTheFile) {
  EXPECT_EQ(parts(write("r.csv", "1,1,1,7\n1,2,2,7\n1,3,3,7\n"), SplitBy::leave_last_out),
            "0:0=1 0:1=2 | 0:2=3");
  EXPECT_EQ(parts(write("s.csv", "1,3,3,7\n1,2,2,7\n1,1,1,7\n"), SplitBy::time, 0.34),
            "0:1=2 0:2=3 | 0:0=1");
}

TEST_F(TimedFileTest, WithoutTimesThereIsNoSplitByThem) {
  const auto expect_error = [&](const std::filesystem::path& path, const std::string& text) {
    EXPECT_EQ(error_by_time(path), path.string() + text);
  };
  expect_error(write("r.txt", "1 1 5\n1 2 4\n"),
               ": the format libmf holds no times; give ratings with times as tsv, dat, csv, "
               "netflix or alsset, or split by random or leave-one-out");
  expect_error(
      write("r.csv", "user,item,rating\n1,1,5\n"),
      ":1: the header 'user,item,rating' names no time; its columns are 1 'user', 2 "
      "'item', 3 'rating': say which they are with --columns "
      "user=..,item=..,rating=..,time=.., or split by random or leave-one-out. Known are "
      "timestamp, time, date, unixreviewtime, rated_at, created_at, accessed for the time");
  expect_error(write("s.csv", "1,1,5,9\n1,2,4\n"),
               ":2: 3 field(s) in '1,2,4', but the first line has 4 separated by ','; correct the "
               "line");
  expect_error(write("s.csv", "1,1,5\n1,2,4\n"),
               ":1: 3 field(s) in '1,1,5', expected user, item, rating and time separated by ','; "
               "correct the line, or give --format or --columns "
               "user=..,item=..,rating=..,time=..");
  expect_error(write("t.csv", "1,1,5,soon\n"),
               ":1: time 'soon' is neither a number nor a date such as 2005-09-06 or 2005-09-06 "
               "23:59:59; correct the line, or split by random or leave-one-out");
}

TEST_F(TimedFileTest, SetsWithTestRatingsAreNotSplitAnotherWay) {
  DataRequest request;
  request.path = write("r.csv", "1,1,5\n1,2,4\n");
  request.test_path = write("t.csv", "1,2,3\n");
  request.split_by = SplitBy::leave_one_out;
  EXPECT_EQ(error_of(request),
            request.path.string() +
                ": has 1 test ratings of its own, so there is nothing to split by "
                "leave-one-out; leave the split out");
}

}  // namespace
}  // namespace alsbench
