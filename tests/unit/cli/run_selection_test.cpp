// SPDX-License-Identifier: Apache-2.0
// Devices of a run, on machines with other GPUs than this one.
#include "harness/cli/run/run_selection.h"

#include <gtest/gtest.h>

#include "harness/cli/run/run_table.h"
#include "harness/sweep/suite/expansion.h"
#include "harness/sweep/sweep.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

using Names = std::vector<std::string>;

TEST(Devices, AreTheCpuAndTheFirstGpuWhereNothingIsSaid) {
  for (const int gpus : {0, 1, 8}) EXPECT_EQ(devices_of({}, gpus), (Names{"cpu", "0"}));
}

TEST(Devices, AreThoseThatTheOptionNames) {
  RunOptions options;
  options.device = "auto";
  EXPECT_EQ(devices_of(options, 0), Names{"cpu"});
  EXPECT_EQ(devices_of(options, 8), Names{"0"});
  options.device = "all";
  EXPECT_EQ(devices_of(options, 2), (Names{"cpu", "0", "1"}));
}

const char* const kSuite = R"({"name": "two", "description": "",
  "problems": [{"dataset": "ml-100k", "rank": 8, "lambda": 0.1}],
  "measure": [{"stage": "hermitian", "variant": "naive", "part": "x", "cache": "cold"}],
  "ceilings": [{"stage": "copy", "cache": "cold"}],
  "train": [{"name": "exact", "pipeline": "exact", "iterations": 1}]})";

std::vector<Case> cases_on(const std::string& devices, int cuda_devices) {
  RunOptions options;
  options.device = devices;
  return expand(parse_suite(kSuite, "test"), selection_of(options, cuda_devices));
}

Names names_of(const std::vector<Case>& cases) {
  Names names;
  for (const Case& c : cases) names.push_back(c.name());
  return names;
}

TEST(TwoDevices, EachHasCasesOfItsOwnName) {
  const Names names = names_of(cases_on("0,1", 2));
  ASSERT_EQ(names.size(), 4u);  // of a measurement and a training run
  for (size_t i = 0; i < names.size(); i += 2) {
    const size_t end = names[i].rfind("/device:");
    ASSERT_NE(end, std::string::npos) << names[i];
    EXPECT_EQ(names[i].substr(end), "/device:0");
    EXPECT_EQ(names[i + 1], names[i].substr(0, end) + "/device:1");
  }
}

TEST(TwoDevices, OneAloneHasTheNamesOfAnyMachine) {
  const std::vector<Case> second = cases_on("1", 2);
  EXPECT_EQ(names_of(second), names_of(cases_on("0", 1)));
  EXPECT_EQ(second[0].device, "1");
}

TEST(TwoDevices, AreNeverMeasuredInterleaved) {
  const std::vector<Case> cases = cases_on("cpu,0,1", 2);
  const Suite suite = parse_suite(kSuite, "test");
  std::map<std::string, std::string> device_of_group;
  for (const Case& c : cases) {
    const auto [known, added] = device_of_group.emplace(c.group(), c.device);
    EXPECT_EQ(known->second, c.device) << c.name();
    for (const Case& ceiling : ceilings_for(suite, c)) EXPECT_EQ(ceiling.device, c.device);
    const Json written = to_json(c);
    const Case back = read_as<Case>(JsonField(written));
    EXPECT_EQ(back.name(), c.name());
    EXPECT_EQ(back.device, c.device);
  }
}

TEST(TwoDevices, TheTableSaysWhichRowIsOnWhich) {
  std::vector<CaseRecord> records;
  for (const Case& c : cases_on("cpu,0,1", 2)) {
    if (c.train) continue;
    CaseRecord record = blank_record(c);
    record.outcome = Outcome::hung;
    record.detail = "no answer within 1 s";
    records.push_back(record);
  }
  ASSERT_EQ(records.size(), 3u);
  const std::string table = run_table(records, 1);
  for (const char* place : {", cpu\n", ", cuda:0\n", ", cuda:1\n"})
    EXPECT_TRUE(contains(table, place));
}

}  // namespace
}  // namespace alsbench
