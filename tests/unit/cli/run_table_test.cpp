// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/run/run_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "harness/cli/run/run_remarks.h"
#include "tests/unit/texts.h"
#include "variants/als/stages.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

// A row of a measurement that took 12.3456 ms.
CaseRecord measured_record() {
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
  sample.contention.processor = ProcessorUse{0.01, 0.005, 4, 3};
  record.cold.emplace();
  record.cold->samples = {sample};
  record.cold->statistics.count = 1;
  record.cold->statistics.median = 0.0123456;
  record.cold->statistics.median_noise = 0.001;
  record.cold->launches = {{0.0123456, 1, "noise"}};
  return record;
}

TEST(RunTable, ADisturbedMedianHasTwoDigitsAndIsExplained) {
  CaseRecord record = measured_record();
  const std::string quiet = run_table({record}, 1);
  EXPECT_TRUE(contains(quiet, "12.3456  0.1"));
  record.cold->launches[0].stop_reason = "disturbed";
  const std::string busy = run_table({record}, 1);
  EXPECT_FALSE(contains(busy, "12.3456"));
  for (const char* said : {"12!", "taken by others", "41 %"}) EXPECT_TRUE(contains(busy, said));
  EXPECT_TRUE(contains(busy, "! 1 median is disturbed: other processes took"));
}

size_t longest_line(const std::string& text) {
  size_t longest = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    longest = std::max(longest, end - begin);
    begin = end + 1;
  }
  return longest;
}

TEST(RunTable, ColumnsGoWhereALineWouldBeTooLong) {
  CaseRecord record = measured_record();
  record.cold->flops_per_second = record.cold->compulsory_bytes_per_second =
      record.cold->gathered_bytes_per_second = 1e12;
  record.config =
      Config(std::vector<std::pair<std::string, std::string>>{{"defect", "stack_overflow"}});
  const std::string usual = run_table({record}, 1);
  EXPECT_TRUE(contains(usual, "gather"));
  EXPECT_LE(longest_line(usual), 110u) << usual;
  record.cold->flops_per_second = record.cold->compulsory_bytes_per_second =
      record.cold->gathered_bytes_per_second = 1e27;
  const std::string wide = run_table({record}, 1);
  EXPECT_LE(longest_line(wide), 110u) << wide;
  EXPECT_FALSE(contains(wide, "gather"));
  EXPECT_TRUE(contains(wide, "12.3456"));
}

TEST(RunTable, AllTablesOfARunHaveTheSameColumns) {
  CaseRecord wide = measured_record();
  wide.cold->flops_per_second = wide.cold->compulsory_bytes_per_second =
      wide.cold->gathered_bytes_per_second = 1e27;
  CaseRecord narrow = measured_record();
  narrow.part = "theta";
  wide.problem.name = narrow.problem.name = "netflix/rank:16";
  wide.config = Config(std::vector<std::pair<std::string, std::string>>{
      {"defect", "stack_overflow_in_a_long_name"}});
  const std::string text = run_table({wide, narrow}, 1);
  const size_t first = text.find("case "), second = text.find("case ", first + 1);
  ASSERT_NE(second, std::string::npos) << text;
  const auto names = [&](size_t at) {
    std::string line = text.substr(at, text.find('\n', at) - at), words;
    for (const char c : line)
      if (c != ' ' || (!words.empty() && words.back() != ' ')) words += c;
    return words;
  };
  EXPECT_EQ(names(first), names(second)) << text;
  EXPECT_LE(longest_line(text), 110u) << text;
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
  EXPECT_TRUE(contains(quiet, "1.234\n"));
  record.training->launches.front().iterations[0].contention.processor = ProcessorUse{1, 0.5, 4, 3};
  const std::string busy = run_table({record}, 1);
  EXPECT_TRUE(contains(busy, "1.2!"));
  EXPECT_TRUE(contains(busy, "! 1 training is disturbed: other processes took more than 2 %"));
}

// The remedy stands at its end.
TEST(RunRemarks, TheReasonOfAFailureIsWholeHoweverLong) {
  CaseRecord record = measured_record();
  record.outcome = Outcome::compile_error;
  for (int i = 0; i < 30; ++i) record.detail += "of a compiler's log, ";
  record.detail += "the remedy";
  const std::string text = run_remarks({record}, 1);
  EXPECT_TRUE(contains(text, "the remedy"));
  size_t longest = 0;
  for (size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1)
    longest = std::max(longest, text.find('\n', begin) - begin);
  EXPECT_LE(longest, run_line_width());
}

}  // namespace
}  // namespace alsbench
