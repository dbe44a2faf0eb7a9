// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <stdlib.h>

#include <map>
#include <nlohmann/json.hpp>

#include "harness/device/device.h"
#include "tests/unit/cli/run_cli.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

using nlohmann::json;

std::map<std::string, json> findings() {
  const CliRun result = run({"doctor", "--json"});
  EXPECT_TRUE(result.exit_code == 0 || result.exit_code == 3) << result.err;
  std::map<std::string, json> by_name;
  bool failed = false;
  const json document = json::parse(result.out);
  for (const auto& finding : document["findings"]) {
    by_name[finding["name"]] = finding;
    failed = failed || finding["health"] == "fail";
    EXPECT_EQ(finding["remedy"].is_null(), finding["health"] == "ok") << finding;
    EXPECT_NE(finding["finding"], "") << finding;
  }
  EXPECT_EQ(result.exit_code, failed ? 3 : 0);
  return by_name;
}

TEST(Doctor, EveryFindingThatIsNotOkHasARemedy) {
  const auto found = findings();
  for (const char* name : {"cpu threads", "memory", "cache", "disk", "cuda backend"})
    EXPECT_EQ(found.count(name), 1u) << name;
  EXPECT_EQ(found.at("cuda backend")["health"], cuda_built() ? "ok" : "warn");
}

TEST(Doctor, AnUnusableCacheFolderIsAWarning) {
  setenv("ALSBENCH_CACHE_DIR", "/proc/alsbench", 1);
  const auto found = findings();
  unsetenv("ALSBENCH_CACHE_DIR");
  EXPECT_EQ(found.at("cache")["health"], "warn");
  EXPECT_TRUE(contains(found.at("cache")["finding"].get<std::string>(), "/proc/alsbench"));
}

TEST(Doctor, TextShowsHealthAndRemedy) {
  const CliRun result = run({"doctor"});
  EXPECT_TRUE(contains(result.out, "ok    cpu threads"));
}

}  // namespace
}  // namespace alsbench
