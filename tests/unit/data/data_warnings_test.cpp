// SPDX-License-Identifier: Apache-2.0
// Signs that a file was not meant as it was read.
#include "harness/data/data_warnings.h"

#include <fmt/format.h>

#include "support.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

class DoubtsTest : public DataTest {
 protected:
  std::string warnings(const std::string& text, const std::string& test = "") const {
    DataRequest request;
    request.path = write("r.csv", text);
    if (!test.empty()) request.test_path = write("test.csv", test);
    request.test_fraction = 0;
    std::string all;
    for (const std::string& doubt : data_warnings(load_rating_set(request), request))
      all += doubt + "\n";
    return all;
  }
  // Ratings of three users in turn, with these values.
  static std::string rated(const std::vector<std::string>& values) {
    std::string text;
    for (size_t i = 0; i < values.size(); ++i)
      text += fmt::format("{},{},{}\n", i % 3, i / 3, values[i]);
    return text;
  }
};

TEST_F(DoubtsTest, EveryUserOrItemHasOneRating) {
  EXPECT_TRUE(contains(warnings("7,1,5\n8,1,4\n9,2,3\n"), "each of the 3 users has one rating"));
  EXPECT_TRUE(contains(warnings("1,7,5\n1,8,4\n2,9,3\n"), "each of the 3 items has one rating"));
  EXPECT_EQ(warnings("1,7,5\n1,8,4\n2,8,3\n"), "");
  EXPECT_EQ(warnings("1,7,5\n1,8,4\n1,9,3\n"), "");  // one user's ratings
}

TEST_F(DoubtsTest, AMatrixHasNoColumnsToChoose) {
  DataRequest request;
  request.path =
      write("r.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 3\n2 2 4\n");
  request.test_fraction = 0;
  const std::vector<std::string> doubts = data_warnings(load_rating_set(request), request);
  ASSERT_EQ(doubts.size(), 2u);
  for (const std::string& doubt : doubts) {
    EXPECT_TRUE(contains(doubt, "Rows of a matrix are its users, and columns its items"));
    EXPECT_FALSE(contains(doubt, "--columns"));
  }
}

TEST_F(DoubtsTest, AValueStandsApart) {
  const auto expect_apart = [&](const std::vector<std::string>& values, const std::string& said) {
    const std::string found = warnings(rated(values));
    EXPECT_TRUE(contains(found, said));
  };
  expect_apart({"-1", "10", "8", "7", "-1", "1"},
               "2 ratings are -1, and all others lie from 1 to 10");
  expect_apart({"99", "-9.5", "8.25", "0", "99", "1"},
               "2 ratings are 99, and all others lie from -9.5 to 8.25");
  for (const std::vector<std::string>& usual :
       {std::vector<std::string>{"1", "2", "3", "4", "5", "5"},
        {"-1", "1", "1", "-1", "1", "1"},
        {"-1", "0", "1", "-1", "1", "0"},
        {"-2", "-1", "0", "1", "2", "2"},
        {"1", "2", "3", "2", "1", "5000"},
        {"1", "1", "1", "1", "1", "1"}})
    EXPECT_EQ(warnings(rated(usual)), "");
}

TEST_F(DoubtsTest, AnIdMayStandForNone) {
  for (const char* none : {"NULL", "\\N", "nan", "None", "NA", "<NA>"}) {
    const std::string found = warnings(fmt::format("a,x,1\na,y,2\n{0},x,3\n{0},y,1\n", none));
    EXPECT_EQ(found, fmt::format("one user is '{}': if that stands for no user, remove the lines "
                                 "that have it\n",
                                 none));
  }
  EXPECT_EQ(warnings("a,x,1\na,y,2\nNANA,x,3\nNatalie,y,1\n"), "");
}

TEST_F(DoubtsTest, NumbersThatWereRoundedAreNoIds) {
  const std::string pandas =
      "user,item,rating\n7.656119796026573e+16,2,3\n7.65611979602658e+16,2,4\n";
  EXPECT_TRUE(contains(warnings(pandas),
                       "one user is 7.656119796026573e+16, a number with a fraction or an "
                       "exponent"));
  EXPECT_TRUE(contains(warnings("1,2.5,3\n1,7,4\n"), "one item is 2.5"));
  for (const char* usual :
       {"1.0,2,3\n1.0,7,4\n", "v1.5,2,3\nv1.5,7,4\n", "5e8,2,3\n5e8,a3f,4\n1,a3f,4\na,2,1\n"})
    EXPECT_EQ(warnings(usual), "") << usual;
}

TEST_F(DoubtsTest, TimesAreNoItems) {
  EXPECT_TRUE(
      contains(warnings("1,2010-10-19T23:55:27Z,3\n1,2010-10-20,4\n2,2010-10-20,5\n"),
               "its items are times, such as 2010-10-19T23:55:27Z: is the item column right"));
  EXPECT_EQ(warnings("1,2010-10-19,3\n1,x,4\n2,x,5\n"), "");
}

TEST_F(DoubtsTest, HalfOfTheTestIsCold) {
  const std::string train = rated({"1", "2", "3", "4", "5", "5"});
  EXPECT_EQ(warnings(train, "0,1,3\n1,1,4\n8,0,2\n"), "");
  EXPECT_TRUE(contains(warnings(train, "0,1,3\n8,1,4\n9,0,2\n"),
                       "2 of 3 test users and 0 of 2 test items have no training rating"));
}

TEST_F(DoubtsTest, ATestThatIsColdToTheLastRatingIsRefused) {
  DataRequest request;
  request.path = write("r.csv", "1,1,5\n1,2,3\n2,1,4\n");
  request.test_path = write("test.csv", "u1,1,5\nu2,2,3\n");
  EXPECT_TRUE(
      contains(error_of(request), "test.csv: none of its 2 ratings has a user and an item"));
}

}  // namespace
}  // namespace alsbench
