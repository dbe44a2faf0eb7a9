// SPDX-License-Identifier: Apache-2.0
#include "harness/record/training_record.h"

#include <gtest/gtest.h>

#include <vector>

#include "harness/record/tables.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

IterationRecord iteration(int number, double seconds, double waited) {
  IterationRecord record;
  record.iteration = number;
  record.train_metric = record.test_metric = 1;
  record.seconds = record.wall_seconds = seconds;
  record.contention.processor = ProcessorUse{seconds, waited, 2, 3};
  return record;
}

TEST(TrainingRecord, IsDisturbedWhereOtherWorkTookMuchOfTheWholeTime) {
  EXPECT_FALSE(disturbed({}));
  EXPECT_FALSE(disturbed({iteration(1, 0.1, 0.0005), iteration(2, 0.1, 0.001)}));
  // One of many: 0.02 of 1.9 s.
  std::vector<IterationRecord> iterations{iteration(1, 0.1, 0.02)};
  for (int i = 2; i < 20; ++i) iterations.push_back(iteration(i, 0.1, 0));
  EXPECT_FALSE(disturbed(iterations));
  EXPECT_NEAR(taken_share(iterations), 0.02 / 1.9, 1e-12);
  iterations.resize(5);
  EXPECT_TRUE(disturbed(iterations));
  EXPECT_NEAR(taken_share(iterations), 0.04, 1e-12);
}

TEST(TrainingRecord, OtherWorkTakesNoMoreThanAll) {
  EXPECT_DOUBLE_EQ(taken_share({iteration(1, 0.1, 0.2)}), 1);
}

TEST(TrainingRecord, ThreadsThatWaitForEachOtherDoNotDisturbIt) {
  std::vector<IterationRecord> iterations{iteration(1, 0.1, 0.08), iteration(2, 0.1, 0.08)};
  for (IterationRecord& one : iterations) one.contention.processor->others_share = 0.01;
  EXPECT_FALSE(disturbed(iterations));
  EXPECT_DOUBLE_EQ(taken_share(iterations), 0.01);
  for (IterationRecord& one : iterations) one.contention.processor->others_share = 0.4;
  EXPECT_TRUE(disturbed(iterations));
  EXPECT_DOUBLE_EQ(taken_share(iterations), 0.4);
}

TEST(TrainingRecord, OtherWorkThatLeavesTooFewProcessorsDisturbsItThoughNoThreadWaits) {
  std::vector<IterationRecord> iterations{iteration(1, 0.1, 0), iteration(2, 0.1, 0)};
  for (IterationRecord& one : iterations)
    one.contention.processor = ProcessorUse{0.2, 0, 0, 3, 0.45, 0.075, 2, 2};
  EXPECT_TRUE(disturbed(iterations));
  EXPECT_DOUBLE_EQ(taken_share(iterations), 0.45);
  for (IterationRecord& one : iterations) one.contention.processor->others_share = 0.098;
  EXPECT_FALSE(disturbed(iterations)) << "an idle machine";
}

TEST(TrainingRecord, OtherProcessesOnTheGpuDisturbIt) {
  IterationRecord record = iteration(1, 0.1, 0);
  record.contention = {{}, {{1234, "python3", 0.5}}};
  EXPECT_TRUE(disturbed({record}));
  EXPECT_DOUBLE_EQ(taken_share({record}), 0.5);
}

TEST(IterationRecord, KeepsWhatOtherWorkTook) {
  IterationRecord record = iteration(3, 0.1, 0.02);
  record.contention.others = {{1234, "python3", 0.5}};
  const Json json = to_json(record);
  EXPECT_EQ(to_json(read_as<IterationRecord>(JsonField(json))), json);
  EXPECT_EQ(json.at("processor").at("waited_seconds"), 0.02);
  EXPECT_EQ(json.at("others").at(0).at("name"), "python3");
}

TEST(TrainingRecord, ADisturbedOneIsSaidInTables) {
  CaseRecord record;
  record.name = "train/exact";
  record.role = Role::training;
  record.outcome = Outcome::ok;
  record.training.emplace();
  record.training->metric = "rmse";
  record.training->launches.front().iterations = {iteration(1, 0.1, 0.04)};
  const Table table = summary_table({record});
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_TRUE(contains(table.rows[0].back(), "disturbed: other work took 40 %"));
}

}  // namespace
}  // namespace alsbench
