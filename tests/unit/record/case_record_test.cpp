// SPDX-License-Identifier: Apache-2.0
// The codec of case records against every result that the project keeps.
#include "harness/record/case_record.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "harness/files/strict_json.h"
#include "harness/record/result.h"
#include "kept_results.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = ALSBENCH_SOURCE_DIR;

// Why `rewritten` is not `original` with fields of newer versions added, or "". Shares of before
// 1.9.0 had another definition; they are recomputed and not kept.
std::string difference(const Json& original, const Json& rewritten, const std::string& place) {
  if (original.is_object() && rewritten.is_object()) {
    for (const auto& [key, value] : original.items()) {
      if (key == "share_of_ceiling") continue;
      if (!rewritten.contains(key)) return place + "/" + key + " is lost";
      std::string found = difference(value, rewritten[key], place + "/" + key);
      if (!found.empty()) return found;
    }
    return "";
  }
  if (original.is_array() && rewritten.is_array() && original.size() == rewritten.size()) {
    for (size_t i = 0; i < original.size(); ++i) {
      std::string found = difference(original[i], rewritten[i], place + "/" + std::to_string(i));
      if (!found.empty()) return found;
    }
    return "";
  }
  return original.dump() == rewritten.dump() ? "" : place + " was " + original.dump().substr(0, 80);
}

std::string refusal_of(const Json& json) {
  return thrown_by([&] { read_as<CaseRecord>(JsonField(json)); });
}

Json a_case() {
  const Json document = read_json(kRoot / "tests/golden/results/small.json");
  for (const Json& record : document["cases"])
    if (record["cold"].is_object()) return record;
  return nullptr;
}

TEST(CaseRecord, EveryKeptResultIsReadWhole) {
  int64_t cases = 0, trainings = 0;
  for (const auto& [path, document] : kept_results()) {
    SCOPED_TRACE(path.string());
    const ResultDocument result = read_result(path);
    EXPECT_EQ(to_json(result.suite).dump(), document.at("suite").dump());
    ASSERT_EQ(result.cases.size(), document.at("cases").size());
    for (size_t i = 0; i < result.cases.size(); ++i) {
      ASSERT_EQ(difference(document.at("cases")[i], to_json(result.cases[i]), result.cases[i].name),
                "");
      ++cases;
      trainings += result.cases[i].training ? 1 : 0;
    }
  }
  EXPECT_GT(cases, 100);
  EXPECT_GT(trainings, 0);
}

TEST(CaseRecord, AKeptRecordIsWrittenAsItWas) {
  const Json document = read_json(kRoot / "results/nvidia-h200/ceilings.json.gz");
  ASSERT_FALSE(document["cases"].empty());
  for (const Json& record : document["cases"]) {
    const Json written = to_json(read_as<CaseRecord>(JsonField(record)));
    ASSERT_EQ(difference(record, written, "record"), "");
    ASSERT_EQ(to_json(read_as<CaseRecord>(JsonField(written))).dump(), written.dump());
  }
}

TEST(CaseRecord, ATrainingKeepsItsAlgorithmAndItsNumbers) {
  CaseRecord record = read_as<CaseRecord>(JsonField(a_case()));
  record.training.emplace();
  record.training->metric = "mae";
  record.training->algorithm = "gradient";
  record.training->hyper = Config().with("rate", "0.2");
  const Json json = to_json(record);
  EXPECT_EQ(json["training"]["hyper"].dump(), R"({"rate":"0.2"})");
  const CaseRecord read = read_as<CaseRecord>(JsonField(json));
  EXPECT_EQ(read.training->algorithm, "gradient");
  EXPECT_EQ(to_json(read).dump(), json.dump());
}

TEST(CaseRecord, FieldsOfNewerVersionsAreIgnored) {
  Json json = a_case();
  json["colour"] = "blue";
  json["cold"]["colour"] = "blue";
  const CaseRecord record = read_as<CaseRecord>(JsonField(json));
  EXPECT_EQ(to_json(record).dump(), to_json(read_as<CaseRecord>(JsonField(a_case()))).dump());
}

TEST(CaseRecord, NullIsUnknownAndNeverZero) {
  Json json = a_case();
  json["cold"]["flops_per_second"] = nullptr;
  json["cold"]["statistics"]["median_noise"] = nullptr;
  const CaseRecord record = read_as<CaseRecord>(JsonField(json));
  EXPECT_FALSE(record.cold->flops_per_second);
  EXPECT_TRUE(std::isnan(record.cold->statistics.median_noise));
  EXPECT_TRUE(to_json(record)["cold"]["statistics"]["median_noise"].is_null());
}

TEST(CaseRecord, NamesThePlaceOfWhatIsWrong) {
  Json json = a_case();
  json.erase("role");
  EXPECT_EQ(refusal_of(json), "/: lacks 'role'");
  json = a_case();
  json["outcome"] = "excellent";
  EXPECT_EQ(refusal_of(json), "/outcome: has the unknown value 'excellent'");
  json = a_case();
  json["cold"]["samples"][1]["seconds"] = "fast";
  EXPECT_EQ(refusal_of(json), "/cold/samples/1/seconds: is no number");
  json = a_case();
  json["problem"]["rank"] = 8.5;
  EXPECT_EQ(refusal_of(json), "/problem/rank: is no whole number");
  json = a_case();
  json["cold"]["samples"] = Json::array();
  EXPECT_EQ(refusal_of(json), "/cold/samples: is empty");
}

}  // namespace
}  // namespace alsbench
