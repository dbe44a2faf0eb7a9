// SPDX-License-Identifier: Apache-2.0
// Damaged and wrong input: each ends in a UsageError with file, line and the offending value.
#include <omp.h>
#include <sys/stat.h>

#include <array>

#include "harness/data/write_ratings.h"
#include "harness/files/gzip.h"
#include "support.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

struct Bad {
  const char* name;
  const char* file;
  std::string content;
  std::vector<std::string> said;  // in the message
};

void PrintTo(const Bad& bad, std::ostream* stream) { *stream << bad.name; }

class LoaderErrorsTest : public DataTest, public testing::WithParamInterface<Bad> {
 protected:
  LoaderErrorsTest() = default;
};

TEST_P(LoaderErrorsTest, NameThePlaceAndTheValue) {
  const Bad& bad = GetParam();
  const std::string error = error_of(write(bad.file, bad.content));
  EXPECT_TRUE(contains(error, bad.file));
  for (const std::string& said : bad.said) {
    EXPECT_TRUE(contains(error, said));
  }
}

const std::string kMatrixMarket = "%%MatrixMarket matrix coordinate real general\n";

INSTANTIATE_TEST_SUITE_P(
    Files, LoaderErrorsTest,
    testing::Values(
        Bad{"empty", "u.data", "", {"empty"}},
        Bad{"blank", "u.data", "\n\n# x\n", {"only comments and blank lines"}},
        Bad{"header_only", "r.csv", "userId,movieId,rating\n", {"no ratings"}},
        Bad{"binary",
            "u.data",
            std::string("\x7f"
                        "ELF\x02\x01\0\0",
                        8),
            {":1:", "binary"}},
        Bad{"binary_later", "u.data", std::string("1\t2\t3\n\x01\x02\t2\t3\n"), {":2:", "\\x01"}},
        Bad{"compressed",
            "u.data.gz",
            std::string("\x1f\x8b\x08\0\0", 5),
            {"its gzip data ends too early, after 5 bytes"}},
        Bad{"empty_gzip", "u.data.gz", gzip_of(""), {"empty"}},
        Bad{"field_of_gzip", "u.data.gz", gzip_of("1\t2\t3\n1\tx\ty\n"), {".gz:2:", "'y'"}},
        Bad{"json_lines", "r.jsonl", "{\"user\": 1}\n", {"JSON lines", "python -m alsbench.arrow"}},
        Bad{"parquet", "r.parquet", "PAR1x", {"Parquet", "python -m alsbench.arrow"}},
        Bad{"truncated_line", "u.data", "1\t2\t3\t4\n1\t5\n", {":2:", "2 field(s)"}},
        Bad{"wrong_separator", "r.csv", "1,2,3\n4;5;6\n", {":2:", "'4;5;6'", "','"}},
        Bad{"no_separator", "r.txt", "123\n", {":1:", "'123'", "--format"}},
        Bad{"nan", "r.csv", "1,2,3\n1,3,nan\n", {":2:", "'nan'", "finite"}},
        Bad{"nan_first", "r.csv", "1,2,nan\n", {":1:", "'nan'", "finite"}},
        Bad{"inf", "r.csv", "1,2,inf\n3,4,5\n", {":1:", "'inf'"}},
        Bad{"beyond_float", "r.csv", "1,2,1e99\n", {":1:", "'1e99'"}},
        Bad{"rating_with_tail", "r.dat", "1::2::3x::4\n", {":1:", "'3x'"}},
        Bad{"negative_id", "u.data", "1\t2\t3\n-4\t2\t3\n", {":2:", "'-4'"}},
        Bad{"negative_id_of_csv",
            "r.csv",
            "1,2,3\n-5,2,3\n",
            {":2:", "'-5'", "negative ids are not supported"}},
        Bad{"two_signs", "r.csv", "1,2,+-3\n", {":1:", "'+-3'"}},
        Bad{"adjacency_as_libmf",
            "r.txt",
            "0 5 9\n1 4 8\n0 3 7 6 1\n",
            {":3:", "5 field(s)", "the first line has 3", "--format adjacency"}},
        Bad{"huge_id", "r.csv", "18446744073709551616,1,2\n", {":1:", "'18446744073709551616'"}},
        Bad{"empty_id", "r.csv", "1,1,2\n,1,2\n", {":2:", "''"}},
        Bad{"text_id_in_libmf", "r.txt", "0 1 2\na 1 2\n", {":2:", "'a'", "put a header"}},
        Bad{"open_quote", "r.csv", "1,2,3\n4,5,3,\"a\n6,7,2\n", {":2:", "'\"a'", "not closed"}},
        Bad{"behind_quote", "r.csv", "\"a\"b,2,3\n", {":1:", "'b,2,3'", "double the quotes"}},
        Bad{"header_with_two_items",
            "r.csv",
            "user,movie_id,item,rating\n1,2,3,4\n",
            {":1:", "two columns that may be the item: 'movie_id' and 'item'"}},
        Bad{"header_with_two_that_begin_alike",
            "r.csv",
            "user,movie,rating_a,rating_b\n1,2,3,4\n",
            {"'rating_a' and 'rating_b'"}},
        Bad{"header_without_user",
            "r.csv",
            "rating,item,when\n3,4,5\n",
            {":1:", "'rating,item,when'", "user, customer"}},
        Bad{"header_without_item",
            "r.csv",
            "\n# x\nuser,when,rating\n3,4,5\n",
            {":3:", "'user,when,rating'", "item, movie"}},
        Bad{"header_without_rating",
            "u.data",
            "user\titem\twhen\n3\t4\t5\n",
            {":1:", "rating, score"}},
        Bad{"netflix_text_user", "combined_data_1.txt", "1:\nabc,3,2005-01-01\n", {":2:", "'abc'"}},
        Bad{"netflix_truncated",
            "combined_data_1.txt",
            "1:\n5,3,2005-01-01\n77\n",
            {":3:", "'77'"}},
        Bad{"kdd_short_block",
            "t.txt",
            "5|3\n1\t90\n2\t80\n",
            {":3:", "2 rating(s)", "announced 3"}},
        Bad{"kdd_long_block", "t.txt", "5|1\n1\t90\n2\t80\n6|0\n", {":4:", "announced 1"}},
        Bad{"kdd_bad_count", "t.txt", "5|1\n1\t90\n6|-1\n", {":3:", "'-1'"}},
        Bad{"mm_banner",
            "a.mtx",
            "%%MatrixMarket matrix array real general\n1 1\n1\n",
            {":1:", "array"}},
        Bad{"mm_no_banner", "a.mtx", "3 3 2\n1 1 5\n2 2 4\n", {"a.mtx: does not begin with"}},
        Bad{"mm_number_sign",
            "a.mtx",
            "#MatrixMarket matrix coordinate real general\n3 3 2\n1 1 5\n2 2 4\n",
            {":1:", "is no banner of MatrixMarket", "'%%MatrixMarket"}},
        Bad{"mm_behind_a_comment",
            "a.mtx",
            "% by hand\n\n" + kMatrixMarket + "3 3 1\n1 1 5\n",
            {":3:", "is no banner of MatrixMarket", "first line"}},
        Bad{"mm_late_banner", "a.mtx", "\n\n%%matrixmarket tensor\n1 1\n", {":3:", "tensor"}},
        Bad{"mm_no_sizes", "a.mtx", kMatrixMarket, {"size line"}},
        Bad{"mm_truncated", "a.mtx", kMatrixMarket + "2 2 3\n1 1 5\n", {":3:", "1 of 3"}},
        Bad{"mm_too_many", "a.mtx", kMatrixMarket + "2 2 1\n1 1 5\n1 2 5\n", {":4:", "the 1 "}},
        Bad{"mm_outside", "a.mtx", kMatrixMarket + "2 2 1\n3 1 5\n", {":3:", "(3, 1)"}},
        Bad{"mm_zero", "a.mtx", kMatrixMarket + "2 2 1\n0 1 5\n", {":3:", "(0, 1)"}},
        Bad{"mm_huge", "a.mtx", kMatrixMarket + "2147483648 2 1\n1 1 5\n", {":2:", "2147483648"}},
        Bad{"mm_count", "a.mtx", kMatrixMarket + "2 2 x\n", {":2:", "'x'"}},
        Bad{"mtx_of_no_entries",
            "r.mtx",
            "%%MatrixMarket matrix coordinate real general\n2 2 0\n",
            {":2:", "no ratings"}},
        Bad{"npz_junk", "m.npz", std::string("PK\x03\x04junk"), {"npz"}}),
    [](const auto& test) { return std::string(test.param.name); });

class BadFilesTest : public DataTest {};

TEST_F(BadFilesTest, MissingFile) {
  EXPECT_TRUE(contains(error_of(folder_ / "none.csv"), "none.csv: does not exist"));
}

TEST_F(BadFilesTest, UnknownFormatAndFolder) {
  EXPECT_TRUE(contains(error_of(write("r.csv", "1,2,3\n"), "parquet"), "known are tsv"));
  EXPECT_TRUE(contains(error_of(folder_), "neither Netflix"));
}

TEST_F(BadFilesTest, APipeInAFolderIsNotWaitedFor) {
  const auto folder = folder_ / "cumf";
  write_cumf(load(write("r.csv", "0,0,1\n0,1,2\n1,1,3\n")), folder);
  const auto pipe = folder / "R_train_csr.data.bin";
  std::filesystem::remove(pipe);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_TRUE(contains(error_of(folder), "R_train_csr.data.bin: is not a regular file"));
}

TEST_F(BadFilesTest, TruncatedCumfFiles) {
  DataRequest request;
  request.path = write("r.csv", "0,0,1\n0,1,2\n1,1,3\n");
  request.test_path = write("test.csv", "1,0,3\n");
  const RatingSet set = load_rating_set(request);
  const std::vector<std::string> names{
      "R_train_csr.data.bin", "R_train_csr.indices.bin", "R_train_csr.indptr.bin",
      "R_train_csc.data.bin", "R_train_csc.indices.bin", "R_train_csc.indptr.bin",
      "R_test_coo.data.bin",  "R_test_coo.row.bin",      "R_test_coo.col.bin"};
  for (const std::string& name : names) {
    for (const int cut : {1, 4}) {
      const auto folder = folder_ / "cumf";
      std::filesystem::remove_all(folder);
      write_cumf(set, folder);
      const auto file = folder / name;
      std::filesystem::resize_file(file, std::filesystem::file_size(file) - cut);
      const std::string error = error_of(folder);
      EXPECT_TRUE(contains(error, "R_t")) << name << " by " << cut;
    }
    const auto folder = folder_ / "cumf";
    std::filesystem::remove_all(folder);
    write_cumf(set, folder);
    std::filesystem::remove(folder / name);
    EXPECT_TRUE(contains(error_of(folder), name + ": is missing next to R_t")) << name;
  }
}

TEST_F(BadFilesTest, ALineWithoutEndIsRefusedWhereItBegins) {
  constexpr uintmax_t kHoles = uintmax_t{1} << 36;  // bytes: a minute to look through
  const std::vector<std::array<std::string, 3>> files{
      {"tsv", "1\t1\t5\n", ":2:"},
      {"csv", "user,item,rating\n1,1,5\n", ":3:"},
      {"dat", "1::1::5\n", ":2:"},
      {"libmf", "1 1 5\n", ":2:"},
      {"kddcup", "1|1\n1\t50\n", ":3:"},
      {"netflix", "1:\n1,5,2005-01-01\n", ":3:"},
      {"tsv", "", ":1:"},
      {"matrix-market", kMatrixMarket + "2 2 1\n", ":3:"},
  };
  for (const auto& [format, beginning, place] : files) {
    const auto path = write("r.txt", beginning);
    std::filesystem::resize_file(path, kHoles);
    const std::string error = error_of(path, format);
    EXPECT_TRUE(contains(error, place)) << format;
    EXPECT_TRUE(contains(error, "longer than 1048576 bytes")) << format;
  }
  const auto banner = write("r.mtx", "%%MatrixMarket matrix coordinate real general");
  std::filesystem::resize_file(banner, kHoles);
  EXPECT_TRUE(contains(error_of(banner, "matrix-market"), ":1:"));
}

TEST_F(BadFilesTest, ALongLineIsNamedWhereverItStands) {
  constexpr size_t kMaxValue = 1 << 20;  // bytes of a line
  std::string lines;
  for (int i = 0; i < 400'000; ++i) lines += "1\t" + std::to_string(i) + "\t3\n";
  const auto with = [&](size_t bytes) {
    return write("r.tsv", lines + "# " + std::string(bytes - 2, 'x') + "\n2\t1\t3\n");
  };
  EXPECT_EQ(load(with(kMaxValue)).by_user.nnz(), 400'001);
  for (const size_t bytes : {kMaxValue + 1, 5 * kMaxValue})
    EXPECT_TRUE(contains(error_of(with(bytes)), "r.tsv:400001: the line that begins with '# xxx"));
}

TEST_F(BadFilesTest, TruncatedNpz) {
  const RatingSet set = load(write("r.csv", "0,0,1\n0,1,2\n1,1,3\n"));
  const auto path = folder_ / "m.npz";
  write_ratings(set, set.by_user, Format::npz, path);
  const auto size = std::filesystem::file_size(path);
  for (const uintmax_t kept : {size - 1, size / 2, uintmax_t{30}}) {
    std::filesystem::resize_file(path, kept);
    EXPECT_TRUE(contains(error_of(path), "m.npz")) << kept;
  }
}

TEST_F(BadFilesTest, TheFirstErrorInTheFileIsReportedForAnyNumberOfThreads) {
  std::string text;
  for (int i = 0; i < 600'000; ++i) text += "1\t" + std::to_string(i) + "\t3\t881250949\n";
  const auto early = text.find("1\t1000\t");
  text[early + 7] = '?';
  const auto path = write("u.data", text + "broken\n");
  for (const int threads : {1, 4}) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    EXPECT_TRUE(contains(error_of(path), "u.data:1001: rating '?'"));
    omp_set_num_threads(before);
  }
}

}  // namespace
}  // namespace alsbench
