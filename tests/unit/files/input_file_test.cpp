// SPDX-License-Identifier: Apache-2.0
#include "harness/files/input_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "harness/files/gzip.h"
#include "tests/unit/packed.h"
#include "tests/unit/scratch_folder.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

class InputFileTest : public testing::Test {
 protected:
  std::string zipped(const std::map<std::string, std::string>& files) const {
    return zip_of(folder_.path() / "scratch.zip", files);
  }
  static std::string text_of(const fs::path& path, size_t most = kWholeInput) {
    return std::string(open_input(path, most).bytes->text());
  }
  static std::string objection(const fs::path& path) {
    return thrown_by([&] { open_input(path); });
  }

  const ScratchFolder folder_;
};

// No two pieces alike, so what is lost or doubled shows.
std::string long_text() {
  std::string text;
  for (int line = 0; line < 400'000; ++line) text += std::to_string(line) + "\n";
  return text;
}

TEST_F(InputFileTest, WhatIsPackedReadsAsItWas) {
  const std::string text = long_text();
  for (const auto& [name, bytes] : std::map<std::string, std::string>{
           {"plain.csv", text},
           {"a.gz", gzip_of(text)},
           {"a.zst", zstd_of(text)},
           {"a.zip", zipped({{"ratings.csv", text}})},
           {"two.gz", gzip_of(text.substr(0, 777)) + gzip_of("") + gzip_of(text.substr(777))},
           {"two.zst", zstd_of(text.substr(0, 777)) + zstd_of("") + zstd_of(text.substr(777))}}) {
    const fs::path path = folder_.write(name, bytes);
    EXPECT_EQ(text_of(path), text) << name;
    if (name != "plain.csv") {
      EXPECT_EQ(text_of(path, 1 << 14), text.substr(0, 1 << 14)) << name;
    }
  }
  for (const std::string& bytes : {gzip_of(""), zstd_of(""), zipped({{"a", ""}})})
    EXPECT_EQ(text_of(folder_.write("empty", bytes)), "");
}

TEST_F(InputFileTest, WhatIsCutIsRefusedWithItsNameAndPlace) {
  const std::string text = long_text().substr(0, 3000);
  for (const std::string& bytes : {gzip_of(text), zstd_of(text), zipped({{"ratings.csv", text}})})
    for (size_t kept = 4; kept < bytes.size(); kept += 7) {
      const fs::path path = folder_.write("cut.csv", bytes.substr(0, kept));
      const std::string said = objection(path);
      EXPECT_TRUE(contains(said, path.string() + ": ")) << kept;
    }
  const std::string packed = gzip_of(text);
  EXPECT_TRUE(contains(objection(folder_.write("cut.gz", packed.substr(0, 100))),
                       "its gzip data ends too early, after 100 bytes"));
  const std::string frames = zstd_of(text);
  EXPECT_TRUE(contains(objection(folder_.write("cut.zst", frames.substr(0, 100))),
                       "its zstd data ends too early, after 100 bytes"));
}

TEST_F(InputFileTest, WhatIsDamagedIsRefusedWithItsPlace) {
  const std::string text = long_text().substr(0, 3000);
  std::string gzip = gzip_of(text);
  gzip[gzip.size() - 5] ^= 1;  // of its checksum
  EXPECT_TRUE(
      contains(objection(folder_.write("a.gz", gzip)), "its gzip data is damaged at byte "));
  EXPECT_TRUE(
      contains(objection(folder_.write("b.gz", gzip_of(text) + "{}")), "is damaged at byte "));
  EXPECT_TRUE(
      contains(objection(folder_.write("a.zst", zstd_of(text) + "rest")), "is damaged near byte "));
  std::string zip = zipped({{"in/ratings.csv", text}});
  zip[200] ^= 1;
  const std::string said = objection(folder_.write("a.zip", zip));
  EXPECT_TRUE(contains(said, "a.zip/in/ratings.csv: is damaged behind its first "));
}

TEST_F(InputFileTest, AMemberOfAnArchiveIsNamedOrFound) {
  const fs::path movies = folder_.write(
      "ml.zip", zipped({{"ml/README", "r"}, {"ml/movies.csv", "m"}, {"ml/ratings.csv", "1"}}));
  EXPECT_EQ(text_of(movies), "1");
  EXPECT_EQ(open_input(movies).name, movies / "ml/ratings.csv");
  EXPECT_EQ(text_of(movies / "ml/movies.csv"), "m");
  EXPECT_EQ(text_of(movies / "README"), "r") << "by the end of its name";
  EXPECT_EQ(text_of(folder_.write("100k.zip", zipped({{"a/u.data", "2"}, {"a/u1.base", "3"}}))),
            "2");

  const fs::path two = folder_.write("two.zip", zipped({{"a/x.csv", "1"}, {"b/x.csv", "2"}}));
  for (const fs::path& unclear : {two, two / "x.csv", two / "y.csv"}) {
    const std::string said = objection(unclear);
    EXPECT_TRUE(contains(said, " name one: " + (two / "a/x.csv").string() + " and "));
  }
  EXPECT_TRUE(contains(objection(two), "the archive holds 2 files"));
  const fs::path plain = folder_.write("plain.csv", "1,2,3\n");
  EXPECT_TRUE(contains(objection(plain / "ratings.csv"), "plain.csv: is no zip archive"));
}

TEST_F(InputFileTest, AnArchiveOfNumpyStaysAsItIs) {
  const std::string npz = zipped({{"data.npy", "1"}});
  EXPECT_EQ(text_of(folder_.write("a.npz", npz)), npz);
}

TEST_F(InputFileTest, WhatOtherProgramsMakeAndUnpackIsNamedWithARemedy) {
  using std::string_literals::operator""s;
  const std::string rest = "\0\1\2"s + std::string(300, 'x');
  std::string tar = "ratings.csv" + std::string(600, '\0');
  tar.replace(257, 5, "ustar");
  for (const auto& [bytes, said] : std::map<std::string, std::string>{
           {"BZh91AY&SY" + rest, "is packed by bzip2; unpack it on the way: bzcat r.csv | "},
           {"\xfd\x37zXZ\0"s + rest, "is packed by xz; unpack it on the way: xzcat r.csv | "},
           {"7z\xbc\xaf\x27\x1c" + rest, "is an archive of 7-Zip; unpack it on the way: 7z x -so "},
           {tar, "is an archive of tar; unpack its ratings on the way: tar -xOf r.csv NAME | "},
           {gzip_of(tar), "is an archive of tar; "},
           {gzip_of(gzip_of("1,2,3")), "is packed twice; unpack it once on the way: zcat r.csv | "},
           {"PAR1" + rest, "is a file of Parquet, which Python's pyarrow reads: python -m "},
           {"\x89HDF\r\n\x1a\n" + rest, "is a file of HDF5; "},
           {"\xff\xfe" + "u\0s\0"s, "is text in UTF-16; make it UTF-8 on the way: iconv "},
           {"<!DOCTYPE html>\n<html>", "is a page of HTML; "},
           {"{\"user\": 1}\n", "is a file of JSON lines, which Python's pyarrow reads: "},
           {zipped({{"xl/workbook.xml", "<a/>"}, {"a", ""}}), "is a workbook of Excel; "}}) {
    std::string found = objection(folder_.write("r.csv", bytes));
    for (size_t at; (at = found.find(folder_.path().string() + "/")) != std::string::npos;)
      found.erase(at, folder_.path().string().size() + 1);
    EXPECT_EQ(found.find("r.csv: " + said), 0U) << found;
  }
  for (const char* text : {"BZhang,1,2\n", "ORCID,1,2\n", "{7f3a},1,2\n"})
    EXPECT_EQ(text_of(folder_.write("r.csv", text)), text);
}

TEST_F(InputFileTest, OfAPartOfParquetTheFolderIsNamed) {
  const fs::path part = folder_.write("d/part-0.parquet", std::string("PAR1\0\0", 6));
  EXPECT_TRUE(contains(objection(part), "alsbench.arrow " + part.parent_path().string() + " | "));
}

TEST_F(InputFileTest, WhatMacosAddsToAnArchiveIsPassedOver) {
  const std::string zip =
      zipped({{"d/notes.csv", "1,2,3\n"}, {"__MACOSX/d/._notes.csv", "x"}, {"d/.DS_Store", "y"}});
  EXPECT_EQ(text_of(folder_.write("a.zip", zip)), "1,2,3\n");
}

TEST_F(InputFileTest, APipeIsReadOnceAndMayBeOpenedAgain) {
  const std::string text = long_text();
  for (const std::string& bytes : {text, gzip_of(text)}) {
    int ends[2] = {};
    ASSERT_EQ(pipe(ends), 0);
    std::thread writer([&, end = ends[1]] {
      write_all(end, bytes, "pipe");
      close(end);
    });
    // A name of its own: one that is closed may be opened again with the same number.
    const fs::path path = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(ends[0]);
    EXPECT_EQ(text_of(path), text);
    EXPECT_EQ(text_of(path), text);
    writer.join();
  }
}

TEST_F(InputFileTest, APipeThatNobodyWritesIntoIsNotWaitedFor) {
  const fs::path path = folder_.path() / "silent";
  ASSERT_EQ(mkfifo(path.c_str(), S_IRWXU), 0);
  EXPECT_TRUE(contains(objection(path), "silent: it is a pipe that nobody writes into"));
}

}  // namespace
}  // namespace alsbench
