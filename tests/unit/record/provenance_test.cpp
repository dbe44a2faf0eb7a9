// SPDX-License-Identifier: Apache-2.0
#include "harness/record/provenance.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "harness/files/atomic_file.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

std::string rewritten(const Json& json) {
  return to_json(provenance_from_json(JsonField(json))).dump();
}

TEST(Provenance, EveryKeptOneIsWrittenAsItWas) {
  int64_t read = 0;
  for (const char* folder : {"results", "tests/golden"})
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(ALSBENCH_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".json") continue;
      SCOPED_TRACE(entry.path().string());
      const Json json = Json::parse(read_whole_file(entry.path()), nullptr, false);
      if (!json.is_object() || json.value("kind", Json()) != "run") continue;
      EXPECT_EQ(rewritten(json.at("provenance")), json.at("provenance").dump());
      ++read;
    }
  EXPECT_GT(read, 10);
}

TEST(Provenance, OfThisProcessComesBackWithFieldsOfNewerVersions) {
  Json json = to_json(provenance());
  EXPECT_FALSE(json.contains("suite_hash") || json.contains("seed"));
  json["host"]["colour"] = "blue";
  json["colour"] = "blue";
  EXPECT_EQ(rewritten(json), json.dump());
}

TEST(WithoutFolder, KeepsTheLastNameOfAnAbsolutePath) {
  EXPECT_EQ(without_folder("/home/anna/alsbench/build/alsbench"), "alsbench");
  EXPECT_EQ(without_folder("/home/anna/model/"), "model");
  EXPECT_EQ(without_folder("--json=/home/anna/run.json"), "--json=run.json");
}

TEST(WithoutFolder, LeavesOtherWordsAsTheyAre) {
  for (const char* word : {"", "-", "/", "run", "--json", "--scale=0.5", "results/local/run.json",
                           "hermitian:tiled/bias:spmm/solve:cg:steps=6", "--filter=a/b"})
    EXPECT_EQ(without_folder(word), word);
}

}  // namespace
}  // namespace alsbench
