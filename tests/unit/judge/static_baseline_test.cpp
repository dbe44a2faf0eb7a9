// SPDX-License-Identifier: Apache-2.0
// The static baselines of the repository, and damaged ones.
#include "harness/judge/static_baseline.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "harness/files/strict_json.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

std::string refusal_of(const Json& json) {
  return thrown_by<BaselineError>([&] { static_baseline_from_json(json, "sm_90.json"); });
}

TEST(StaticBaselines, AreWrittenAgainAsTheyWereRead) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(ALSBENCH_SOURCE_DIR "/results/static")) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    const Json before = read_json(entry.path());
    EXPECT_EQ(to_json(static_baseline_from_json(before, entry.path().string())), before)
        << entry.path();
  }
  EXPECT_GE(files, 6);
}

TEST(StaticBaselines, WithoutTheReportOfACompiledKernelAreDamaged) {
  Json json = read_json(ALSBENCH_SOURCE_DIR "/results/static/sm_90.json");
  json["kernels"][0]["report"] = nullptr;
  EXPECT_TRUE(contains(refusal_of(json), "/kernels/0/report"));
}

TEST(StaticBaselines, OfAnOlderSchemaAreRefusedWithTheConverter) {
  const std::string refusal = refusal_of({{"schema_version", "1.1.0"}, {"kind", "static"}});
  for (const char* part : {"sm_90.json", "1.1.0", "scripts/convert_results.py"})
    EXPECT_TRUE(contains(refusal, part));
}

}  // namespace
}  // namespace alsbench
