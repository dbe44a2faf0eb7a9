// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/run/run_table.h"

#include <gtest/gtest.h>

#include "variants/als/stages.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

TEST(RunTable, ADisturbedMedianHasTwoDigitsAndIsExplained) {
  const Variant& variant = variant_named(&stages::bias, "rows", Backend::cpu);
  CaseRecord record;
  record.name = "bias/rows/cpu/x";
  record.stage = "bias";
  record.variant = "rows";
  record.backend = Backend::cpu;
  record.config = variant.space.default_config();
  record.outcome = Outcome::ok;
  record.verification.emplace();
  Sample sample{0.0123456, 0.0123456};
  sample.other_work.processor = ProcessorUse{0.01, 0.005, 4, 3};
  record.cold.emplace();
  record.cold->samples = {sample};
  record.cold->statistics.count = 1;
  record.cold->statistics.median = 0.0123456;
  record.cold->statistics.median_noise = 0.001;
  record.cold->launches = {{0.0123456, 1, "noise"}};
  const std::string quiet = run_table({record}, 1);
  EXPECT_NE(quiet.find("12.3456  0.1"), std::string::npos) << quiet;
  record.cold->launches[0].stop_reason = "disturbed";
  const std::string busy = run_table({record}, 1);
  EXPECT_EQ(busy.find("12.3456"), std::string::npos) << busy;
  EXPECT_NE(busy.find("40.5!"), std::string::npos) << busy;
  EXPECT_NE(busy.find("! 1 median is disturbed: other work took"), std::string::npos) << busy;
}

TEST(RunTable, ADisturbedTrainingIsMarkedAndExplained) {
  CaseRecord record;
  record.name = "train/exact";
  record.role = Role::training;
  record.outcome = Outcome::ok;
  record.training.emplace();
  record.training->metric = "rmse";
  IterationRecord iteration;
  iteration.seconds = iteration.wall_seconds = 1.2345;
  record.training->launches.front().iterations = {iteration};
  const std::string quiet = run_table({record}, 1);
  EXPECT_NE(quiet.find("1.234\n"), std::string::npos) << quiet;
  record.training->launches.front().iterations[0].other_work.processor = ProcessorUse{1, 0.5, 4, 3};
  const std::string busy = run_table({record}, 1);
  EXPECT_NE(busy.find("1.2!"), std::string::npos) << busy;
  EXPECT_NE(busy.find("! 1 training is disturbed: other work took more than 2 %"),
            std::string::npos)
      << busy;
}

}  // namespace
}  // namespace alsbench
