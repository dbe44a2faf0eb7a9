// SPDX-License-Identifier: Apache-2.0
// The program's own binary file: what it holds, and what is refused.
#include "harness/data/set_file.h"

#include <array>
#include <cmath>
#include <cstring>

#include "harness/data/raw_ratings.h"
#include "harness/files/atomic_file.h"
#include "harness/files/hash.h"
#include "support.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

class SetFileTest : public DataTest {
 protected:
  SetFileTest() {
    source_.path = write("source.csv", "a,7,3.5\na,8,1\nb,7,2\nb,9,4\nc,8,5\nc,9,0.5\n");
    source_.test_fraction = 0;
    set_ = load_rating_set(source_);
    write_set_file(file_, set_);
    request_.path = file_;
  }
  void overwrite(int64_t at, char byte) const {
    std::fstream stream(file_, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(at);
    stream.put(byte);
  }

  // Writes the set, then an element of a section or of the header, and makes all hashes fit again.
  template <class T>
  std::string error_of_forged(int section, int64_t at, T value) const {
    write_set_file(file_, set_);
    std::string bytes = read_whole_file(file_);
    const auto field = [&](int64_t offset) {
      int64_t number = 0;
      std::memcpy(&number, bytes.data() + offset, sizeof number);
      return number;
    };
    const auto put_hash = [&](int64_t offset, int64_t begin, int64_t size) {
      hash_bytes(bytes.data() + begin, size).copy(bytes.data() + offset, 32);
    };
    const int64_t begin = section < 0 ? 0 : field(kBegins + 8 * section);
    std::memcpy(bytes.data() + begin + at, &value, sizeof value);
    if (section >= 0) put_hash(kHashes + 32 * section, begin, field(kBytes + 8 * section));
    put_hash(kChecksum, 0, kChecksum);
    std::ofstream(file_, std::ios::binary) << bytes;
    return error_of(request_);
  }
  // Places in the header.
  static constexpr int64_t kRows = 48, kBegins = 80, kBytes = 192, kHashes = 304, kChecksum = 768;

  const fs::path file_ = folder_ / "copy.alsset";
  DataRequest source_, request_;
  RatingSet set_;
};

TEST_F(SetFileTest, HoldsRatingsIdsAndTheirSplit) {
  DataRequest generated;
  generated.dataset = "ml-100k";
  generated.scale = 0.05;
  RatingSet set = load_rating_set(generated);
  set.users.assign(static_cast<size_t>(set.by_user.rows), "user");
  set.left_out = 7;
  write_set_file(file_, set);
  EXPECT_EQ(detect_format(file_), Format::alsset);
  const RatingSet copy = load_rating_set(request_);  // the request's share is for sets without test
  expect_equal(copy, set);
  EXPECT_GT(copy.test.nnz(), 0);
  EXPECT_EQ(copy.rmse_floor, set.rmse_floor);
  EXPECT_EQ(copy.left_out, 7);
  EXPECT_EQ(copy.id, file_.string());
}

TEST_F(SetFileTest, WithoutTestRatingsIsSplitLikeItsSource) {
  for (const double share : {0.0, 0.34}) {
    source_.test_fraction = request_.test_fraction = share;
    const RatingSet set = load_rating_set(request_);
    EXPECT_EQ(set.test.nnz(), share > 0 ? 2 : 0);
    expect_equal(set, load_rating_set(source_));
  }
}

TEST_F(SetFileTest, HoldsTimesThatSplitItLikeItsSource) {
  source_.path = write("timed.csv", "1,1,3,70.5\n1,2,4,-3\n2,1,5,80\n2,3,1,2\n3,2,2,90\n");
  source_.keep_times = true;
  set_ = load_rating_set(source_);
  write_set_file(file_, set_);
  for (DataRequest* request : {&source_, &request_}) {
    request->split_by = SplitBy::time;
    request->test_fraction = 0.4;
  }
  EXPECT_EQ(load_rating_set(request_).times.size(), 0);
  request_.keep_times = true;
  const RatingSet set = load_rating_set(request_);
  expect_equal(set, load_rating_set(source_));
  EXPECT_EQ(set.test.nnz(), 2);
  EXPECT_EQ(set.times[0], (RatingTime{70, 500'000'000}));
  EXPECT_EQ(set.test_times[1], RatingTime{90});
}

TEST_F(SetFileTest, WithoutTimesIsNotSplitByThem) {
  request_.split_by = SplitBy::time;
  EXPECT_EQ(error_of(request_), file_.string() +
                                    ": holds no times; write it again with `alsbench data convert` "
                                    "from ratings with times, or split by random or leave-one-out");
}

TEST_F(SetFileTest, IsMappedWhereItLies) {
  request_.test_fraction = 0;
  expect_equal(cached_rating_set(request_), set_);
  EXPECT_FALSE(fs::exists(folder_ / "cache" / "data"));
}

TEST_F(SetFileTest, DamageIsNamed) {
  const auto size = static_cast<int64_t>(fs::file_size(file_));
  overwrite(100, '\x7f');
  EXPECT_EQ(error_of(request_), file_.string() +
                                    ": its header is damaged; write it again with "
                                    "`alsbench data convert`");
  write_set_file(file_, set_);
  overwrite(static_cast<int64_t>(read_whole_file(file_).rfind('9')), 'x');  // the last item
  EXPECT_TRUE(contains(error_of(request_), "is damaged in its item ids"));
  write_set_file(file_, set_);
  overwrite(8, '\x03');
  EXPECT_TRUE(contains(error_of(request_), "is of version 3, not "));
  write_set_file(file_, set_);
  fs::resize_file(file_, static_cast<uintmax_t>(size - 1));
  EXPECT_TRUE(contains(error_of(request_), "bytes in place of"));
  fs::resize_file(file_, 50);
  EXPECT_TRUE(contains(error_of(request_), "its header is damaged"));
}

TEST_F(SetFileTest, IsRefusedWhereItsHashesFitAndItsStructureDoesNot) {
  constexpr int kHeader = -1, kUserOffsets = 0, kUserIndices = 1, kUserValues = 2, kTestOffsets = 6;
  const auto expect = [](const std::string& error, const std::string& part) {
    EXPECT_TRUE(contains(error, part));
    EXPECT_TRUE(contains(error, "write it again"));
  };
  expect(error_of_forged<int64_t>(kHeader, kRows, 2), "for 2 rows in its offsets by user");
  expect(error_of_forged<int64_t>(kHeader, kRows, -1), "a shape of -1 x 3");
  expect(error_of_forged<int64_t>(kHeader, kRows, int64_t{1} << 62), "a shape of");
  expect(error_of_forged<int64_t>(kHeader, kBegins, int64_t{1} << 62), "that it cannot have");
  expect(error_of_forged<int64_t>(kHeader, kBegins, -4096), "that it cannot have");
  expect(error_of_forged<int64_t>(kHeader, kBegins + 8, 4100), "that it cannot have");
  expect(error_of_forged<int64_t>(kUserOffsets, 8, -1), "falls at row 0");
  expect(error_of_forged<int64_t>(kUserOffsets, 24, 100), "does not lead from 0 to 6");
  expect(error_of_forged<int64_t>(kTestOffsets, 8, 1), "falls at row 1");
  expect(error_of_forged<int32_t>(kUserIndices, 0, -5), "has a row, 0,");
  expect(error_of_forged<int32_t>(kUserIndices, 4, 3), "has a row, 0,");
  expect(error_of_forged<int32_t>(kUserIndices, 4, 0), "has a row, 0,");
  expect(error_of_forged<float>(kUserValues, 4, INFINITY), "is not finite at 1");
}

TEST_F(SetFileTest, IsRefusedWhereItsOrdersHoldDifferentRatings) {
  constexpr int kUserValues = 2, kItemIndices = 4, kItemValues = 5;
  const auto expect = [](const std::string& error) {
    EXPECT_TRUE(contains(error, "holds other ratings by item than by user"));
  };
  EXPECT_EQ(error_of_forged<int32_t>(kItemIndices, 4, 1), "") << "as it was";
  expect(error_of_forged<int32_t>(kItemIndices, 4, 2));  // item 7 of users a, c in place of a, b
  expect(error_of_forged<float>(kItemValues, 0, 2));
  expect(error_of_forged<float>(kUserValues, 20, 5));
  // The values of item 7's two ratings, exchanged.
  expect(error_of_forged<std::array<float, 2>>(kItemValues, 0, {2, 3.5}));
}

TEST_F(SetFileTest, TakesNoSeparateTestRatingsAndIsNone) {
  request_.test_path = source_.path;
  EXPECT_TRUE(contains(error_of(request_), "takes no separate test ratings"));
  source_.test_path = file_;
  EXPECT_TRUE(contains(error_of(source_), "is a whole set"));
}

}  // namespace
}  // namespace alsbench
