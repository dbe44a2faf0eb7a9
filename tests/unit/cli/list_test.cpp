// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/device/device.h"
#include "tests/unit/cli/run_cli.h"
#include "tests/unit/scratch_folder.h"
#include "tests/unit/texts.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

using nlohmann::json;

json listed(const std::vector<std::string>& arguments) {
  const CliRun result = run(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out);
}

TEST(List, NamesEveryVisibleVariantOfTheCatalog) {
  const json list = listed({"list", "variants", "--json"})["variants"];
  size_t visible = 0;
  for (const auto& variant : catalog()) {
    if (variant.hidden) continue;
    ASSERT_LT(visible, list.size());
    EXPECT_EQ(list[visible]["id"], variant.id());
    EXPECT_EQ(list[visible]["points"], variant.space.size());
    ++visible;
  }
  EXPECT_EQ(list.size(), visible);
  EXPECT_GT(visible, 0u);
}

TEST(List, CpuVariantsHaveValidPointsOnTheCpuAndCudaOnesAReason) {
  const json document = listed({"list", "variants", "--device", "cpu", "--json"});
  ASSERT_FALSE(document["variants"].empty());
  for (const auto& variant : document["variants"]) {
    SCOPED_TRACE(variant["id"]);
    if (variant["backend"] == "cpu") {
      if (const auto& objection = variant["objection"];
          objection.is_null() || objection.get<std::string>().find("AMX") == std::string::npos) {
        EXPECT_GT(variant["valid_points"], 0);
      }
      EXPECT_EQ(variant["valid_points"] < variant["points"], !variant["objection"].is_null());
    } else {
      EXPECT_EQ(variant["valid_points"], 0);
      EXPECT_EQ(variant["objection"], "needs a cuda device");
    }
  }
}

TEST(List, CudaVariantsAreListedWithoutAGpu) {
  std::string reason;
  if (cuda_device_count(&reason) > 0) GTEST_SKIP() << "this machine has a GPU";
  size_t seen = 0;
  const json document = listed({"list", "variants", "--json"});
  for (const auto& variant : document["variants"]) {
    if (variant["backend"] != "cuda") continue;
    ++seen;
    EXPECT_EQ(variant["objection"], reason);
    EXPECT_GT(variant["points"], 0);
  }
  EXPECT_GT(seen, 0u);
}

// Content of a listing in addition to what every JSON file of the program starts with.
std::set<std::string> sections(const std::vector<std::string>& arguments) {
  std::set<std::string> names;
  const json document = listed(arguments);
  for (const auto& [name, content] : document.items()) names.insert(name);
  for (const char* head : {"schema_version", "kind"}) EXPECT_EQ(names.erase(head), 1u);
  return names;
}

TEST(List, TopicsSelectSectionsInEitherOrder) {
  using Names = std::set<std::string>;
  EXPECT_EQ(sections({"list", "--json"}), (Names{"variants", "suites", "datasets", "devices"}));
  EXPECT_EQ(sections({"list", "devices", "--json"}), Names{"devices"});
  EXPECT_EQ(listed({"list", "devices", "--json"})["devices"][0]["device"], "cpu");
  EXPECT_EQ(sections({"list", "--json", "datasets"}), Names{"datasets"});
  EXPECT_EQ(sections({"list", "suites", "--json", "stdout"}), Names{"suites"});
}

TEST(List, DatasetsCarryTheirDescriptions) {
  bool netflix = false;
  const json document = listed({"list", "datasets", "--json"});
  for (const auto& dataset : document["datasets"]) {
    EXPECT_NE(dataset["description"], "") << dataset["name"];
    netflix = netflix || dataset["name"] == "netflix";
  }
  EXPECT_TRUE(netflix);
}

TEST(List, TextNamesSpaceAndCount) {
  const CliRun result = run({"list", "variants", "-d", "cpu"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.out, "solve/cg/cpu: "));
  EXPECT_TRUE(contains(result.out, "points can run here"));
  EXPECT_TRUE(contains(result.out, "needs a cuda device"));
}

TEST(List, WritesAFile) {
  const ScratchFolder folder;
  const auto file = folder.path() / "devices.json";
  const CliRun result = run({"list", "devices", "--json", file.string()});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.out, "cpu: "));
  std::ifstream stream(file);
  EXPECT_EQ(json::parse(stream)["devices"][0]["backend"], "cpu");
}

TEST(List, WrongArgumentsAndMissingDevices) {
  EXPECT_EQ(run({"list", "variant"}).exit_code, 2);
  EXPECT_EQ(run({"list", "--rank", "0"}).exit_code, 2);
  EXPECT_EQ(run({"list", "variants", "--device", "gpu"}).exit_code, 2);
  EXPECT_EQ(run({"list", "variants", "--device", "99"}).exit_code, 3);
  EXPECT_EQ(run({"list", "devices", "--json", "/proc/none/list.json"}).exit_code, 3);
}

}  // namespace
}  // namespace alsbench
