// SPDX-License-Identifier: Apache-2.0
#include "harness/files/file_plan.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <functional>

#include "base/error.h"
#include "tests/unit/scratch_folder.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

class FilePlanTest : public testing::Test {
 protected:
  FilePlanTest() { scratch_.write("r.tsv", "1\t1\t5\n"); }

  fs::path at(const std::string& name) const { return scratch_.path() / name; }

  // The plan's objection; "" where nothing is wrong.
  static std::string objection(const std::function<void(FilePlan&)>& fill) {
    FilePlan plan;
    fill(plan);
    return thrown_by([&] { plan.check(); });
  }
  std::string written_over_the_input(const fs::path& output) const {
    return objection([&](FilePlan& plan) {
      plan.reads(at("r.tsv"), "--data");
      plan.writes(output, "--json");
    });
  }
  std::string two_outputs(const fs::path& a, const fs::path& b) const {
    return objection([&](FilePlan& plan) {
      plan.writes(a, "--json");
      plan.writes(b, "--csv");
    });
  }

  const ScratchFolder scratch_;
};

TEST_F(FilePlanTest, AnOutputIsNoInputByAnyName) {
  fs::create_directory(at("folder"));
  fs::create_symlink("r.tsv", at("link"));
  fs::create_symlink("link", at("link of a link"));
  fs::create_directory_symlink(".", at("here"));
  fs::create_hard_link(at("r.tsv"), at("hard"));
  for (const char* name :
       {"r.tsv", "./r.tsv", "folder/../r.tsv", "link", "link of a link", "here/r.tsv", "hard"})
    EXPECT_EQ(written_over_the_input(at(name)),
              "--json '" + at(name).string() + "' and --data '" + at("r.tsv").string() +
                  "' are one file, which is read and would be overwritten; give another name for "
                  "what is written");
  EXPECT_EQ(written_over_the_input(fs::relative(at("r.tsv"))).find("--json '../"), 0);
  EXPECT_EQ(written_over_the_input(at("other.tsv")), "");
  EXPECT_EQ(written_over_the_input(at("folder/r.tsv")), "");
}

TEST_F(FilePlanTest, TwoOutputsAreTwoFiles) {
  EXPECT_EQ(two_outputs(at("a"), at("./a")), "--csv '" + at("./a").string() + "' and --json '" +
                                                 at("a").string() +
                                                 "' are one file, and one would replace the other; "
                                                 "give another name for one of them");
  EXPECT_EQ(two_outputs(at("a"), at("b")), "");
  EXPECT_EQ(two_outputs(at("a"), at("b/a")), "");
  fs::create_symlink(at("not there yet"), at("link"));
  EXPECT_NE(two_outputs(at("link"), at("not there yet")), "");
  fs::create_hard_link(at("r.tsv"), at("hard"));
  EXPECT_NE(two_outputs(at("hard"), at("r.tsv")), "");
}

// Before they are there nothing tells whether the disk tells them apart.
TEST_F(FilePlanTest, NewOutputsDifferInMoreThanCase) {
  EXPECT_NE(two_outputs(at("a.json"), at("A.json")), "");
  scratch_.write("a.json", "");
  EXPECT_EQ(two_outputs(at("a.json"), at("A.json")) == "", !fs::exists(at("A.json")));
}

TEST_F(FilePlanTest, ACompressedOutputIsRefused) {
  const auto writes = [&](const char* name, std::string_view content) {
    return objection([&](FilePlan& plan) { plan.writes(at(name), "-o", content); });
  };
  for (const char* name : {"r.tsv.gz", "r.zst", "r.tsv.bz2", "r.xz"})
    EXPECT_TRUE(contains(writes(name, {}), "then compress it")) << name;
  EXPECT_TRUE(contains(writes("r.tsv.gz", {}), at("r.tsv").string() + "'"));
  EXPECT_EQ(writes("k.zip.zst", content::kCompressed), "");
  EXPECT_EQ(writes("r.npz", {}), "");
}

TEST_F(FilePlanTest, ANameOfOtherContentIsRefused) {
  const auto writes = [&](const char* name, std::string_view content) {
    return objection([&](FilePlan& plan) { plan.writes(at(name), "-o", content); });
  };
  EXPECT_EQ(writes("r.json", content::kTsv),
            "-o '" + at("r.json").string() + "': TSV is written, and the name says JSON; write '" +
                at("r.tsv").string() + "'");
  for (const char* name : {"r.npz", "r.CSV", "r.npy", "r.mtx", "r.xlsx"})
    EXPECT_NE(writes(name, content::kTsv), "") << name;
  for (const char* name : {"r.tsv", "r.TSV", "r.txt", "r.top", "r"})
    EXPECT_EQ(writes(name, content::kTsv), "") << name;
  EXPECT_EQ(writes("r.gbench.json", content::kJson), "");
  EXPECT_EQ(writes("r.json", {}), "");
  EXPECT_NE(writes("r.tsv.GZ", {}), "");
  EXPECT_NE(writes("r.PARQUET", {}), "");
}

TEST_F(FilePlanTest, AnOutputOfParquetOrArrowNamesThePythonPackage) {
  for (const char* name : {"r.parquet", "r.pq", "r.feather", "r.arrow"}) {
    const std::string said = objection([&](FilePlan& plan) { plan.writes(at(name), "-o"); });
    EXPECT_TRUE(contains(said,
                         "written by data convert, data generate, data split, explain, predict, "
                         "recommend and similar of the Python package's alsbench"));
  }
  EXPECT_THROW(refuse_arrow_output("r.tsv", "--to", "parquet"), UsageError);
  EXPECT_NO_THROW(refuse_arrow_output("r.parquet", "--to", "tsv"));
}

TEST_F(FilePlanTest, StdoutTakesOneOutput) {
  EXPECT_EQ(objection([](FilePlan& plan) {
              plan.writes_or_prints(kStdout, "--json");
              plan.writes_or_prints(kStdout, "--md");
            }),
            "--json and --md both write to stdout, where nothing tells them apart; give a file to "
            "one of them");
  EXPECT_EQ(objection([&](FilePlan& plan) {
              plan.writes_or_prints(kStdout, "--json");
              plan.writes(kStdout, "-o");  // an option that knows files alone
            }),
            "");
}

TEST_F(FilePlanTest, OneRoleMayReadAndWriteItsFile) {
  EXPECT_EQ(objection([&](FilePlan& plan) {
              plan.reads(at("r.tsv"), "--db");
              plan.writes(at("r.tsv"), "--db");
            }),
            "");
}

class FolderPlanTest : public FilePlanTest {
 protected:
  FolderPlanTest() { scratch_.write("set/mv_1.txt", "1:\n"); }

  std::string written(const fs::path& output, const std::string& ending = "") const {
    return objection([&](FilePlan& plan) {
      plan.reads(at("set"), "--data", ending);
      plan.writes(output, "-o");
    });
  }
};

TEST_F(FolderPlanTest, NothingIsWrittenIntoAFolderThatIsRead) {
  EXPECT_EQ(written(at("set/mv_1.txt")),
            "-o '" + at("set/mv_1.txt").string() + "' is one of the files in --data '" +
                at("set").string() +
                "', which are read and would be overwritten; give another name for what is "
                "written");
  EXPECT_NE(written(at("set/new.txt")), "") << "which the next run would read";
  EXPECT_NE(written(at("set")), "");
  fs::create_hard_link(at("set/mv_1.txt"), at("hard"));
  EXPECT_NE(written(at("hard")), "");
  fs::create_symlink(at("r.tsv"), at("set/link"));
  EXPECT_NE(written(at("r.tsv")), "");
  EXPECT_EQ(written(at("new.txt")), "");
  fs::create_directory(at("set/models"));
  EXPECT_EQ(written(at("set/models/new.txt")), "");
}

TEST_F(FolderPlanTest, OnlyFilesOfTheEndingAreRead) {
  EXPECT_EQ(written(at("set/report.md"), ".json"), "");
  EXPECT_NE(written(at("set/report.json"), ".json"), "");
}

TEST_F(FolderPlanTest, AFolderThatIsNotThereYetIsOneToo) {
  EXPECT_NE(objection([&](FilePlan& plan) {
              plan.reads_folder(at("tuned"), "--db", ".json");
              plan.writes(at("tuned/cpu.json"), "--json");
            }),
            "");
}

TEST_F(FolderPlanTest, OfAFolderThatIsWrittenTheNamedFilesCount) {
  const auto model = [&](const char* data) {
    return objection([&](FilePlan& plan) {
      plan.reads(at(data), "--data");
      plan.writes_folder(at("model"), "--out", {"x.npy", "record.json"});
    });
  };
  scratch_.write("model/record.json", "{}");
  scratch_.write("model/ratings.tsv", "");
  EXPECT_NE(model("model/record.json"), "");
  EXPECT_NE(model("model"), "");
  EXPECT_EQ(model("model/ratings.tsv"), "");
  EXPECT_EQ(model("."), "") << "a folder next to the ratings";
}

TEST_F(FilePlanTest, PipesAndDevicesLoseNothing) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_EQ(two_outputs(at("pipe"), at("pipe")), "");
  EXPECT_EQ(two_outputs("/dev/null", "/dev/null"), "");
}

TEST_F(FilePlanTest, TheProgramIsNotReplaced) {
  EXPECT_NE(objection([](FilePlan& plan) { plan.writes("/proc/self/exe", "--json"); }), "");
}

TEST_F(FilePlanTest, NoNameIsNoFile) {
  EXPECT_EQ(objection([](FilePlan& plan) {
              plan.reads("", "--data");
              plan.reads("/not/there", "--test");
              plan.writes("", "--json");
              plan.writes_folder("", "--out", {"x.npy"});
              plan.writes("/not/there", "--csv");
            }),
            "");
}

}  // namespace
}  // namespace alsbench
