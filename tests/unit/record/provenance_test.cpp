// SPDX-License-Identifier: Apache-2.0
#include "harness/record/provenance.h"

#include <gtest/gtest.h>

#include "kept_results.h"

namespace alsbench {
namespace {

std::string rewritten(const Json& json) {
  return to_json(read_as<Provenance>(JsonField(json))).dump();
}

TEST(Provenance, EveryKeptOneIsWrittenAsItWas) {
  int64_t read = 0;
  for (const auto& [path, document] : kept_results()) {
    EXPECT_EQ(rewritten(document.at("provenance")), document.at("provenance").dump()) << path;
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
