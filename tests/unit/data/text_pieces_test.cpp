// SPDX-License-Identifier: Apache-2.0
// Texts of several pieces, which threads read at once, and the lines that are read in one pass.
#include <omp.h>

#include <cstdlib>
#include <functional>
#include <map>

#include "harness/data/raw_ratings.h"
#include "support.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

// A rating a line, in an order that is none of users or items, and each cell once.
constexpr int kUsers = 997, kItems = 601, kLines = 420'000;

int user_of(int line) { return static_cast<int>(int64_t{line} * 389 % kUsers); }
int item_of(int line) { return line / kUsers; }

using Id = std::function<std::string(int)>;

std::string lines_of(const Id& user, const Id& item, const std::string& end) {
  std::string text = "note,user,item,rating" + end;
  for (int line = 0; line < kLines; ++line)
    text += "a note," + user(user_of(line)) + ',' + item(item_of(line)) + ',' +
            std::to_string(line % 9 + 1) + end;
  return text;
}

class TextPiecesTest : public DataTest {
 protected:
  ~TextPiecesTest() override { omp_set_num_threads(threads_); }

  // Loads the file with several numbers of threads, which must not matter.
  static RatingSet load_by_threads(const std::filesystem::path& path) {
    omp_set_num_threads(1);
    const RatingSet set = load(path);
    for (const int threads : {2, 7}) {
      omp_set_num_threads(threads);
      expect_equal(load(path), set);
    }
    return set;
  }
  // Every line is a rating of the set.
  static void expect_lines(const RatingSet& set, const Id& user, const Id& item) {
    std::map<std::string, int> row_of, col_of;
    for (size_t row = 0; row < set.users.size(); ++row)
      row_of[set.users[row]] = static_cast<int>(row);
    for (size_t col = 0; col < set.items.size(); ++col)
      col_of[set.items[col]] = static_cast<int>(col);
    ASSERT_EQ(set.by_user.nnz(), kLines);
    ASSERT_EQ(set.users.size(), kUsers);
    int wrong = 0;
    for (int line = 0; line < kLines; ++line) {
      const int row = row_of.at(user(user_of(line))), col = col_of.at(item(item_of(line)));
      const auto begin = set.by_user.indices.begin();
      const auto end = begin + set.by_user.offsets[row + 1];
      const auto found = std::lower_bound(begin + set.by_user.offsets[row], end, col);
      wrong += found == end || *found != col ||
               set.by_user.values[found - begin] != static_cast<float>(line % 9 + 1);
    }
    EXPECT_EQ(wrong, 0);
  }
  static std::string dense(int id) { return std::to_string(id + 1); }

  const int threads_ = omp_get_max_threads();
};

TEST_F(TextPiecesTest, NumbersInAndOutOfANarrowRange) {
  const auto sparse = [](int id) { return std::to_string(int64_t{id} * 4'000'037 % 4294967296); };
  const auto wide = [](int id) { return std::to_string(76561190000000000 + int64_t{id} * 997); };
  for (const Id& user : {Id(dense), Id(sparse), Id(wide)})
    expect_lines(load_by_threads(write("r.csv", lines_of(user, dense, "\n"))), user, dense);
}

TEST_F(TextPiecesTest, TextsBetweenQuotesAndCarriageReturns) {
  const auto text = [](int id) { return "id-" + std::to_string(id * 7919) + "-of-a-user"; };
  const auto quoted = [&](int id) { return '"' + text(id) + ", \"\"so\"\"\""; };
  const auto plain = [&](int id) { return text(id) + ", \"so\""; };
  expect_lines(load_by_threads(write("r.csv", lines_of(text, dense, "\r\n"))), text, dense);
  expect_lines(load_by_threads(write("q.csv", lines_of(quoted, dense, "\r\n"))), plain, dense);
}

TEST_F(TextPiecesTest, ALateIdDecidesWhatItsColumnIs) {
  const std::string numbers = lines_of(dense, dense, "\n");
  const RatingSet texts = load_by_threads(write("t.csv", numbers + "n,1,x7,3\n"));
  EXPECT_EQ(texts.items.back(), "x7");
  EXPECT_EQ(texts.items.at(1), "10");  // as texts ascend
  const RatingSet zeros = load_by_threads(write("z.csv", numbers + "n,1,007,3\n"));
  EXPECT_EQ(zeros.items.at(0), "007");
  const RatingSet wide = load_by_threads(write("w.csv", numbers + "n,1,4294967296,3\n"));
  EXPECT_EQ(wide.items.back(), "4294967296");
  EXPECT_EQ(wide.items.at(1), "2");
}

TEST_F(TextPiecesTest, CommentsAndBlankLinesLeaveNoGaps) {
  std::string text;
  for (int line = 0; line < kLines; ++line) {
    if (line % 5 == 0) text += "# of line " + std::to_string(line) + "\n\n";
    text += dense(user_of(line)) + '\t' + dense(item_of(line)) + '\t' +
            std::to_string(line % 9 + 1) + "\t881250949\n";
  }
  expect_lines(load_by_threads(write("r.tsv", text)), dense, dense);
}

TEST_F(TextPiecesTest, MessagesNameTheLineInAnyPiece) {
  const std::string text = lines_of(dense, dense, "\n");
  const std::string last = std::to_string(kLines + 2);
  const auto says = [&](const std::string& line, const std::string& said) {
    const std::string error = error_of(write("r.csv", text + line));
    EXPECT_TRUE(contains(error, "r.csv:" + last + ": " + said));
  };
  says("n,1,2\n", "3 field(s)");
  says("n,-1,2,3\n", "id '-1'");
  says("n,1,2,3x\n", "rating '3x'");
  const std::string first = dense(user_of(7)) + ',' + dense(item_of(7));
  says("n," + first + ",3\n", "the same user and item as ");
  const std::string error = error_of(write("r.csv", text + "n," + first + ",3\n"));
  EXPECT_TRUE(contains(error, "r.csv:9; remove one"));
}

TEST_F(TextPiecesTest, EntriesOfAMatrixAreCountedOverPieces) {
  std::string text;
  for (int line = 0; line < kLines; ++line)
    text += dense(user_of(line)) + ' ' + dense(item_of(line)) + ' ' + std::to_string(line % 9 + 1) +
            ".25000000\n";
  const auto with = [&](int entries) {
    return write("a.mtx", "%%MatrixMarket matrix coordinate real general\n997 601 " +
                              std::to_string(entries) + "\n" + text);
  };
  const RatingSet set = load_by_threads(with(kLines));
  EXPECT_EQ(set.by_user.nnz(), kLines);
  EXPECT_EQ(set.by_user.rows, kUsers);
  EXPECT_EQ(set.by_user.cols, kItems);
  EXPECT_TRUE(
      contains(error_of(with(kLines - 5)), "a.mtx:" + std::to_string(kLines - 2) + ": more"));
  EXPECT_TRUE(
      contains(error_of(with(kLines + 5)), "a.mtx:" + std::to_string(kLines + 2) + ": the file"));
}

// Behind the line that is looked at stand others, so it is not the last of a piece.
std::string with_others(const std::string& line) {
  std::string text = line + '\n';
  for (int i = 1; i < 40; ++i) text += "8," + std::to_string(100 + i) + ",1\n";
  return text;
}

TEST_F(TextPiecesTest, RatingsAreTheNearestFloats) {
  for (const char* rating :
       {"0",         "-0",        "5",         "4.",           "3.5",
        "-2.5",      "+4",        ".5",        "0.1",          "0.3",
        "007.50",    "999999.9",  "1234567",   "9999999",      "16777217",
        "123456789", "1234567.8", "0.0000001", "0.12345678",   "3.14159265358979",
        "1e0",       "25e-1",     "1E2",       "3.4028234e38", "1e-45",
        "1e-50",     "8388609.5"}) {
    const RatingSet set = load(write("r.csv", with_others(std::string("7,1,") + rating)));
    const float expected = std::strtof(rating, nullptr), value = set.by_user.values[0];
    EXPECT_EQ(value, expected) << rating;
    EXPECT_EQ(std::signbit(value), std::signbit(expected)) << rating;
  }
  for (const char* rating : {"", "-", "3x", "1e", "nan", "-inf", "--1", "1.2.3", "0x10"})
    EXPECT_TRUE(contains(error_of(write("r.csv", with_others(std::string("7,1,") + rating))),
                         ":1: rating '" + std::string(rating) + "' is not a finite number"))
        << rating;
}

TEST_F(TextPiecesTest, IdsAreReadAsTheyAreWritten) {
  const auto id = [&](const std::string& text) {
    const RatingSet set = load(write("r.csv", with_others("\xEF\xBB\xBF" + text + ",1,2")));
    return set.users.at(0) == "8" ? set.users.at(1) : set.users.at(0);
  };
  for (const char* same :
       {"0", "7", "12345678", "123456789", "4294967295", "4294967296", "9999999999999999999",
        "18446744073709551615", "007", "00", "7a", "a7", "b c", "x\"y", "7-8", "\xC3\xA9t\xC3\xA9",
        "1e5", "a-text-of-more-than-eight-bytes"})
    EXPECT_EQ(id(same), same);
  EXPECT_EQ(id("7.0"), "7");
  EXPECT_EQ(id(" 7 "), "7");
  EXPECT_EQ(id("\"7\""), "7");
  EXPECT_EQ(id("\"a,b\""), "a,b");
  for (const char* wrong : {"", "-7", "-7.0", "18446744073709551616", "99999999999999999999"})
    EXPECT_TRUE(
        contains(error_of(write("r.csv", with_others(std::string(wrong) + ",1,2"))), ":1: id '"))
        << wrong;
}

}  // namespace
}  // namespace alsbench
