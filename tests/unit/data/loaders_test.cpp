// SPDX-License-Identifier: Apache-2.0
// Every format that users hold, well formed.
#include <cstring>

#include "harness/data/raw_ratings.h"
#include "support.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

class LoadersTest : public DataTest {
 protected:
  template <class T>
  static std::string bytes(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
  }
};

TEST_F(LoadersTest, MovieLens100K) {
  const auto path =
      write("u.data", "196\t242\t3\t881250949\n22\t377\t1\t878887116\n22\t242\t5\t8\n");
  EXPECT_EQ(detect_format(path), Format::tsv);
  const RatingSet set = load(path);
  EXPECT_EQ(set.users, (Names{"22", "196"}));  // numbers ascend as numbers
  EXPECT_EQ(set.items, (Names{"242", "377"}));
  EXPECT_EQ(cells_of(set.by_user), "0:0=5 0:1=1 1:0=3");
  EXPECT_EQ(cells_of(set.by_item), "0:0=5 0:1=3 1:0=1");
  EXPECT_DOUBLE_EQ(set.mean, 3);
}

TEST_F(LoadersTest, MovieLensDatHasHalfStars) {
  const auto path = write("ratings.dat", "1::122::4.5::838985046\n2::122::0.5::838983525\n");
  EXPECT_EQ(detect_format(path), Format::dat);
  EXPECT_EQ(cells_of(load(path).by_user), "0:0=4.5 1:0=0.5");
}

TEST_F(LoadersTest, CsvWithHeaderBomCrlfCommentsAndBlankLines) {
  const auto path = write("ratings.csv",
                          "\xEF\xBB\xBF# exported\r\nuserId,movieId,rating,timestamp\r\n\r\n"
                          "7,10,3.5,1\r\n% note\r\n9,10,4.0,2\r\n");
  EXPECT_EQ(detect_format(path), Format::csv);
  const RatingSet set = load(path);
  EXPECT_EQ(set.users, (Names{"7", "9"}));
  EXPECT_EQ(cells_of(set.by_user), "0:0=3.5 1:0=4");
}

TEST_F(LoadersTest, CsvHeaderNamesTheColumns) {
  const auto path = write("r.csv", "timestamp,rating,user_id,item_id\n99,2.5,4,6\n");
  const RatingSet set = load(path);
  EXPECT_EQ(set.users, (Names{"4"}));
  EXPECT_EQ(set.items, (Names{"6"}));
  EXPECT_EQ(cells_of(set.by_user), "0:0=2.5");
}

TEST_F(LoadersTest, CsvHeadersOfOtherKinds) {
  const auto cells = [&](const std::string& text) {
    const RatingSet set = load(write("r.csv", text));
    return set.users.at(0) + " " + set.items.at(0) + " " + cells_of(set.by_user);
  };
  EXPECT_EQ(cells("product_id,customer_id,rating\n6,4,2.5\n"), "4 6 0:0=2.5");
  EXPECT_EQ(cells("Stars,\"Book_ID\",User-ID\n2.5,6,4\n"), "4 6 0:0=2.5");
  // Exact names go before those that begin alike.
  EXPECT_EQ(cells("user_id,item_id,rating_count,rating\n4,6,99,2.5\n"), "4 6 0:0=2.5");
  EXPECT_EQ(cells("username,item_title,userId,itemId,rating_x\n1,2,4,6,2.5\n"), "4 6 0:0=2.5");
}

TEST_F(LoadersTest, CsvFieldsInQuotes) {
  const auto path = write("r.csv",
                          "\"Smith \"\"J\"\", 7\",42,3.5\n \"#a\" ,\"42\",1\n\" lead \",7,2\n"
                          "\"\"\"all\"\"\",7,3\nw\"x,7,4\n");
  const RatingSet set = load(path);
  EXPECT_EQ(set.users, (Names{" lead ", "\"all\"", "#a", "Smith \"J\", 7", "w\"x"}));
  EXPECT_EQ(set.items, (Names{"7", "42"}));
  EXPECT_EQ(cells_of(set.by_user), "0:0=2 1:0=3 2:1=1 3:1=3.5 4:0=4");
}

TEST_F(LoadersTest, TheSmallestRatingsAreTheNearestFloats) {
  const auto path = write("r.csv", "1,1,1e-50\n1,2,-1e-400\n1,3,1e-40\n");
  EXPECT_EQ(cells_of(load(path).by_user), "0:0=0 0:1=-0 0:2=9.99995e-41");
}

TEST_F(LoadersTest, TextIdsAndIntegersUpTo64Bits) {
  const auto path = write("r.csv", "\"b,c\",0001,5\na,B00X,4\na,18446744073709551615,3\n");
  const RatingSet set = load(path);
  EXPECT_EQ(set.users, (Names{"a", "b,c"}));
  // One text makes the whole column text: leading zeros stay.
  EXPECT_EQ(set.items, (Names{"0001", "18446744073709551615", "B00X"}));
  EXPECT_EQ(cells_of(set.by_user), "0:1=3 0:2=4 1:0=5");
  const auto wide = write("w.csv", "18446744073709551615,5,1\n4294967296,5,2\n");
  EXPECT_EQ(load(wide).users, (Names{"4294967296", "18446744073709551615"}));
}

TEST_F(LoadersTest, NetflixFolderAndCombinedFile) {
  write("training_set/mv_0000001.txt", "1:\n1488844,3,2005-09-06\n822109,5,2005-05-13\n");
  write("training_set/mv_0000002.txt", "2:\n822109,4,2005-09-05\n");
  const RatingSet folder = load(folder_ / "training_set");
  EXPECT_EQ(folder.users, (Names{"822109", "1488844"}));
  EXPECT_EQ(cells_of(folder.by_user), "0:0=5 0:1=4 1:0=3");
  const auto path =
      write("combined_data_1.txt",
            "1:\n1488844,3,2005-09-06\n822109,5,2005-05-13\n2:\n822109,4,2005-09-05\n");
  EXPECT_EQ(detect_format(path), Format::netflix);
  expect_equal(load(path).by_user, folder.by_user);
}

TEST_F(LoadersTest, KddCupBlocks) {
  const auto path = write("train.txt", "5|2\n100\t90\t12:00\n7\t0\n3|1\n100\t50\n");
  EXPECT_EQ(detect_format(path), Format::kddcup);
  const RatingSet set = load(path);
  EXPECT_EQ(set.users, (Names{"3", "5"}));
  EXPECT_EQ(cells_of(set.by_user), "0:1=50 1:0=0 1:1=90");
}

TEST_F(LoadersTest, LibmfCountsFromZeroWithAnyBlanks) {
  const auto path = write("real.txt", "0 5  1.5\n3   0 -2e-1\n");
  EXPECT_EQ(detect_format(path), Format::libmf);
  EXPECT_EQ(cells_of(load(path).by_user), "0:1=1.5 1:0=-0.2");
}

TEST_F(LoadersTest, BlanksSeparateHeadersAndTextIds) {
  for (const char* text : {"User_ID Anime_ID Feedback\n7 a 5\nb 3 4\n",
                           "user   item  rating\n7 a 5\n\nb\t3 4\n", "b 3 4\n7 a 5\n"}) {
    const auto path = write("r.txt", text);
    EXPECT_EQ(detect_format(path), Format::libmf);
    const RatingSet set = load(path);
    EXPECT_EQ(set.users, (Names{"7", "b"}));
    EXPECT_EQ(set.items, (Names{"3", "a"}));
    EXPECT_EQ(cells_of(set.by_user), "0:1=5 1:0=4");
  }
  DataRequest request;
  request.path = write("named.txt", "mark buyer shop\n5 10 2\n");
  request.test_fraction = 0;
  for (const char* columns : {"user=buyer,item=3,rating=mark", "user=2,item=3,rating=1"}) {
    request.columns = columns;
    EXPECT_EQ(load_rating_set(request).users, Names{"10"});
  }
}

TEST_F(LoadersTest, AdjacencyListsAreRatingsOfOne) {
  const auto path = write("train.txt", "0 5 9 2\n1 4 8\n7\n2 3 7 6 1 \n");
  EXPECT_EQ(detect_format(path), Format::adjacency);
  const RatingSet set = load(path);
  EXPECT_EQ(set.users, (Names{"0", "1", "2"}));
  EXPECT_EQ(set.items, (Names{"1", "2", "3", "4", "5", "6", "7", "8", "9"}));
  EXPECT_EQ(cells_of(set.by_user), "0:1=1 0:4=1 0:8=1 1:3=1 1:7=1 2:0=1 2:2=1 2:5=1 2:6=1");
  EXPECT_EQ(detect_format(write("lone.txt", "3\n0 5 9\n")), Format::adjacency);
  // Lists of one length are triples unless it is said; as test ratings, lists follow lists.
  EXPECT_EQ(detect_format(write("even.txt", "0 5 9\n1 4 8\n")), Format::libmf);
  EXPECT_EQ(cells_of(load(folder_ / "even.txt", "adjacency").by_user), "0:1=1 0:3=1 1:0=1 1:2=1");
  DataRequest request;
  request.path = path;
  request.test_path = write("test.txt", "0 4 1\n2 5 9\n");
  EXPECT_EQ(cells_of(load_rating_set(request).test), "0:0=1 0:3=1 2:4=1 2:8=1");
}

TEST_F(LoadersTest, OtherLinesOfBlanksAreNoAdjacencyLists) {
  for (const char* text : {"0 5 1\n0 6 1\n1 5 2\n", "0 5 1.5\n1 5\n", "0 5 1\n0 6\n", "5 6 2\n"})
    EXPECT_EQ(detect_format(write("r.txt", text)), Format::libmf) << text;
}

TEST_F(LoadersTest, IdsWithAFractionOfZeroAreIntegers) {
  const RatingSet set = load(write("r.csv", "1.0,10.00,5\n2,10,+4\n"));
  EXPECT_EQ(set.users, (Names{"1", "2"}));
  EXPECT_EQ(set.items, (Names{"10"}));
  EXPECT_EQ(cells_of(set.by_user), "0:0=5 1:0=4");
  EXPECT_EQ(load(write("t.csv", "1.0,1,5\nx,1,4\n")).users, (Names{"1.0", "x"}));
}

// As of a model that was trained without tests.
TEST_F(LoadersTest, NumbersOfTestRatingsAreThoseOfTrainingNextToTexts) {
  DataRequest request;
  request.path = write("train.csv", "1,2,5\n1.0,3,4\n10,2,4\n2,2,3\n");
  request.test_path = write("test.csv", "2.0,2,5\nx,2,4\n10,3.00,1\n");
  const RatingSet set = load_rating_set(request);
  EXPECT_EQ(set.users, (Names{"1", "10", "2", "x"}));
  EXPECT_EQ(set.items, (Names{"2", "3"}));
  EXPECT_EQ(cells_of(set.by_user), "0:0=5 0:1=4 1:0=4 2:0=3");
  EXPECT_EQ(cells_of(set.test), "1:1=1 2:0=5 3:0=4");
  write("train.csv", "1,2,5\nx,2,4\n3.0,2,4\n");
  write("test.csv", "1.0,2,3\n3.0,2,1\n3.00,2.0,1\n");
  const RatingSet texts = load_rating_set(request);
  EXPECT_EQ(texts.users, (Names{"1", "3.0", "x", "3.00"}));
  EXPECT_EQ(cells_of(texts.test), "0:0=3 1:0=1 3:0=1");
  write("train.csv", "1,2,5\n1.0,2,4\n");
  EXPECT_TRUE(contains(thrown_by([&] { load_rating_set(request); }), "train.csv:2")) << "twice";
}

TEST_F(LoadersTest, TheSeparatorThatExcelWritesIsTaken) {
  for (const char* text : {"\xEF\xBB\xBFsep=;\r\nuser;item;rating\r\n7;8,1;5\r\n7;9,2;4\r\n",
                           "SEP=;\n7;8,1,x;5\n7;9,2,x;4\n", "sep=\t\n7\t8,1\t5\n7\t9,2\t4\n"}) {
    const RatingSet set = load(write("r.csv", text));
    EXPECT_EQ(set.users, (Names{"7"})) << text;
    EXPECT_EQ(cells_of(set.by_user), "0:0=5 0:1=4") << text;
  }
  const auto refused = [&](const char* text) {
    const auto path = write("r.csv", text);
    return thrown_by([&] { load(path); });
  };
  EXPECT_TRUE(contains(refused("sep=^\n7^8^5\n"),
                       "r.csv:1: 'sep=^' names a separator that is not read; separate fields by"));
  EXPECT_TRUE(contains(refused("sep=;\n7;8;5\n7;9;x\n"), "r.csv:3: rating 'x'"));
}

TEST_F(LoadersTest, IdsWithLeadingZerosStayAsTheyAre) {
  EXPECT_EQ(load(write("r.csv", "0041,1,5\n41,1,4\n0,2,3\n")).users, (Names{"0", "0041", "41"}));
  EXPECT_EQ(load(write("r.dat", "1::0114508::8\n2::68646::7\n")).items,
            (Names{"0114508", "68646"}));
  EXPECT_EQ(load(write("r.txt", "007 1 5\n")).users, (Names{"007"}));
}

TEST_F(LoadersTest, MatrixMarketKeepsItsShape) {
  const auto path =
      write("a.mtx", "%%MatrixMarket matrix coordinate real general\n% c\n3 4 2\n1 4 2.5\n3 1 1\n");
  EXPECT_EQ(detect_format(path), Format::matrix_market);
  const RatingSet set = load(path);
  EXPECT_EQ(set.by_user.rows, 3);
  EXPECT_EQ(set.by_user.cols, 4);
  EXPECT_EQ(set.users, (Names{"1", "2", "3"}));
  EXPECT_EQ(cells_of(set.by_user), "0:3=2.5 2:0=1");
  EXPECT_EQ(empty_rows(set.by_user), 1);
}

TEST_F(LoadersTest, MatrixMarketBannerInAnyCaseAfterBlankLines) {
  const auto path =
      write("a.mtx",
            "\xEF\xBB\xBF\r\n \n%%MATRIXMARKET Matrix Coordinate Real General\n3 4 1\n1 4 2.5\n");
  EXPECT_EQ(detect_format(path), Format::matrix_market);
  const RatingSet set = load(path);
  EXPECT_EQ(set.by_user.rows, 3);
  EXPECT_EQ(cells_of(set.by_user), "0:3=2.5");
}

TEST_F(LoadersTest, MatrixMarketBannerWithOnePercentSign) {
  for (const char* sign : {"%", "%% ", "% "})
    EXPECT_EQ(cells_of(load(write("a.txt", std::string(sign) +
                                               "MatrixMarket matrix coordinate real general\n"
                                               "6 5 3\n1 1 2\n2 3 4\n6 5 1\n"))
                           .by_user),
              "0:0=2 1:2=4 5:4=1")
        << sign;
}

TEST_F(LoadersTest, MatrixMarketSymmetricIntegerAndPattern) {
  const auto symmetric =
      write("s.mtx", "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 7\n2 1 3\n");
  EXPECT_EQ(cells_of(load(symmetric).by_user), "0:0=7 0:1=3 1:0=3");
  const auto counts = write(  // as scipy.io.mmwrite writes unsigned types
      "u.mtx", "%%MatrixMarket matrix coordinate unsigned-integer general\n2 2 1\n2 1 7\n");
  EXPECT_EQ(cells_of(load(counts).by_user), "1:0=7");
  const auto pattern =
      write("p.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n");
  EXPECT_EQ(cells_of(load(pattern).by_user), "1:0=1");
}

TEST_F(LoadersTest, CumfFolderWithNarrowAndWideOffsets) {
  write("R_train_csr.data.bin", bytes<float>({5, 3, 1}));
  write("R_train_csr.indices.bin", bytes<int32_t>({0, 2, 1}));
  write("R_train_csr.indptr.bin", bytes<int32_t>({0, 2, 2, 3}));
  write("R_train_csc.data.bin", bytes<float>({5, 1, 3}));
  write("R_train_csc.indices.bin", bytes<int32_t>({0, 2, 0}));
  write("R_train_csc.indptr.bin", bytes<int32_t>({0, 1, 2, 3, 3}));
  write("R_test_coo.data.bin", bytes<float>({4}));
  write("R_test_coo.row.bin", bytes<int32_t>({1}));
  write("R_test_coo.col.bin", bytes<int32_t>({3}));
  const RatingSet set = load(folder_);
  EXPECT_EQ(set.by_user.rows, 3);
  EXPECT_EQ(set.by_user.cols, 4);
  EXPECT_EQ(cells_of(set.by_user), "0:0=5 0:2=3 2:1=1");
  EXPECT_EQ(cells_of(set.test), "1:3=4");
  // Sets beyond 2^31 ratings hold 64-bit offsets.
  write("R_train_csr.indptr.bin", bytes<int64_t>({0, 2, 2, 3}));
  expect_equal(load(folder_).by_user, set.by_user);
}

TEST_F(LoadersTest, CumfTestRatingsLieWithinTheTrainingShape) {
  write("R_train_csr.data.bin", bytes<float>({5, 3, 1}));
  write("R_train_csr.indices.bin", bytes<int32_t>({0, 2, 1}));
  write("R_train_csr.indptr.bin", bytes<int32_t>({0, 2, 2, 3}));
  write("R_test_coo.data.bin", bytes<float>({4}));
  for (const auto& [row, col] : {std::pair{3, 2}, {1, 3}, {1 << 30, 0}, {0, 1 << 30}}) {
    write("R_test_coo.row.bin", bytes<int32_t>({row}));
    write("R_test_coo.col.bin", bytes<int32_t>({col}));
    EXPECT_TRUE(contains(error_of(folder_), "outside the 3 x 3 of the training ratings"));
  }
}

TEST_F(LoadersTest, SeparateTestFileUsesTheTrainingIds) {
  DataRequest request;
  request.path = write("train.csv", "10,1,5\n20,2,4\n");
  request.test_path = write("test.csv", "20,1,3\n15,2,1\n10,9,2\n");
  const RatingSet set = load_rating_set(request);
  // Unseen ids follow the training ones: cold, without training ratings.
  EXPECT_EQ(set.users, (Names{"10", "20", "15"}));
  EXPECT_EQ(set.items, (Names{"1", "2", "9"}));
  EXPECT_EQ(cells_of(set.by_user), "0:0=5 1:1=4");
  EXPECT_EQ(cells_of(set.test), "0:2=2 1:0=3 2:1=1");
  EXPECT_EQ(set.by_user.rows, 3);
  EXPECT_EQ(set.by_item.rows, 3);
}

TEST_F(LoadersTest, TestFileWithTextIdsTurnsTheTrainingIdsToText) {
  DataRequest request;
  request.path = write("train.csv", "010,1,5\n9,2,4\n");
  request.test_path = write("test.csv", "x,1,3\n010,2,3\n");
  const RatingSet set = load_rating_set(request);
  EXPECT_EQ(set.users, (Names{"010", "9", "x"}));
  EXPECT_EQ(cells_of(set.test), "0:1=3 2:0=3");
}

TEST_F(LoadersTest, DuplicatesFollowTheMode) {
  DataRequest request;
  request.path = write("r.csv", "1,1,2\n2,1,9\n1,1,3\n1,1,7\n");
  request.test_fraction = 0;
  const auto cells = [&](Duplicates mode) {
    request.duplicates = mode;
    return cells_of(load_rating_set(request).by_user);
  };
  EXPECT_EQ(cells(Duplicates::last), "0:0=7 1:0=9");
  EXPECT_EQ(cells(Duplicates::mean), "0:0=4 1:0=9");
  EXPECT_EQ(cells(Duplicates::sum), "0:0=12 1:0=9");
  request.duplicates = Duplicates::error;
  const std::string error = error_of(request);
  EXPECT_TRUE(contains(error, "r.csv:3: "));
  EXPECT_TRUE(contains(error, "r.csv:1;"));
}

TEST_F(LoadersTest, ASumBeyondFloatNamesItsPlaces) {
  DataRequest request;
  request.path = write("u.data", "1\t1\t1\n1\t2\t3e38\n1\t2\t3e38\n");
  request.duplicates = Duplicates::sum;
  const std::string error = error_of(request);
  EXPECT_TRUE(contains(error, "u.data:3: the same user and item as "));
  EXPECT_TRUE(contains(error, "u.data:2, and their sum is beyond the largest float"));
}

TEST_F(LoadersTest, LargeFilesAreReadInPiecesWithTheirLineNumbers) {
  std::string text;
  int lines = 0;
  for (; text.size() < (size_t{9} << 20); ++lines) {
    text += std::to_string(lines % 5000) + "\t" + std::to_string(lines) + "\t" +
            std::to_string(lines % 5 + 1) + "\t881250949\n";
  }
  EXPECT_EQ(load(write("u.data", text)).by_user.nnz(), lines);
  const auto broken = write("broken.data", text + "1\t2\tx\t3\n");
  const std::string error = error_of(broken);
  EXPECT_TRUE(contains(error, "broken.data:" + std::to_string(lines + 1) + ": rating 'x'"));
}

TEST_F(LoadersTest, SplitOfAFileIsExactAndSeeded) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::to_string(i % 40) + "," + std::to_string(i) + ",3\n";
  DataRequest request;
  request.path = write("r.csv", text);
  request.seed = 5;
  const RatingSet set = load_rating_set(request);
  EXPECT_EQ(set.by_user.nnz(), 900);
  EXPECT_EQ(set.test.nnz(), 100);
  EXPECT_EQ(load_rating_set(request).content_hash, set.content_hash);
  request.seed = 6;
  EXPECT_NE(load_rating_set(request).content_hash, set.content_hash);
}

}  // namespace
}  // namespace alsbench
