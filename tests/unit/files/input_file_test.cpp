// SPDX-License-Identifier: Apache-2.0
#include "harness/files/input_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "base/error.h"
#include "harness/files/gzip.h"
#include "tests/unit/packed.h"
#include "tests/unit/scratch_folder.h"

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
    try {
      open_input(path);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
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
      EXPECT_NE(said.find(path.string() + ": "), std::string::npos) << said << " of " << kept;
    }
  const std::string packed = gzip_of(text);
  EXPECT_NE(objection(folder_.write("cut.gz", packed.substr(0, 100)))
                .find("its gzip data ends too early, after 100 bytes"),
            std::string::npos);
  const std::string frames = zstd_of(text);
  EXPECT_NE(objection(folder_.write("cut.zst", frames.substr(0, 100)))
                .find("its zstd data ends too early, after 100 bytes"),
            std::string::npos);
}

TEST_F(InputFileTest, WhatIsDamagedIsRefusedWithItsPlace) {
  const std::string text = long_text().substr(0, 3000);
  std::string gzip = gzip_of(text);
  gzip[gzip.size() - 5] ^= 1;  // of its checksum
  EXPECT_NE(objection(folder_.write("a.gz", gzip)).find("its gzip data is damaged at byte "),
            std::string::npos);
  EXPECT_NE(objection(folder_.write("b.gz", gzip_of(text) + "{}")).find("is damaged at byte "),
            std::string::npos);
  EXPECT_NE(objection(folder_.write("a.zst", zstd_of(text) + "rest")).find("is damaged near byte "),
            std::string::npos);
  std::string zip = zipped({{"in/ratings.csv", text}});
  zip[200] ^= 1;
  const std::string said = objection(folder_.write("a.zip", zip));
  EXPECT_NE(said.find("a.zip/in/ratings.csv: is damaged behind its first "), std::string::npos)
      << said;
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
    EXPECT_NE(said.find(" name one: " + (two / "a/x.csv").string() + ", "), std::string::npos)
        << said;
  }
  EXPECT_NE(objection(two).find("the archive holds 2 files"), std::string::npos);
  const fs::path plain = folder_.write("plain.csv", "1,2,3\n");
  EXPECT_NE(objection(plain / "ratings.csv").find("plain.csv: is no zip archive"),
            std::string::npos);
}

TEST_F(InputFileTest, AnArchiveOfNumpyStaysAsItIs) {
  const std::string npz = zipped({{"data.npy", "1"}});
  EXPECT_EQ(text_of(folder_.write("a.npz", npz)), npz);
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
  EXPECT_NE(objection(path).find("silent: it is a pipe that nobody writes into"),
            std::string::npos);
}

}  // namespace
}  // namespace alsbench
