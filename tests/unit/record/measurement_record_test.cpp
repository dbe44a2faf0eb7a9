// SPDX-License-Identifier: Apache-2.0
#include "harness/record/measurement_record.h"

#include <gtest/gtest.h>

#include "harness/record/tables.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

Sample sample_of(double seconds, std::optional<double> waited) {
  Sample sample{seconds, seconds};
  sample.contention.processor = ProcessorUse{seconds, waited, 0, 1};
  return sample;
}

TEST(Sample, IsDisturbedWhereAThreadWaitedForMoreThanItTakesToWakeUp) {
  EXPECT_FALSE((Sample{1e-3, 1e-3}.disturbed())) << "of a GPU nothing is known";
  EXPECT_FALSE(sample_of(1e-3, std::nullopt).disturbed());
  EXPECT_FALSE(sample_of(1e-3, 45e-6).disturbed());
  EXPECT_TRUE(sample_of(1e-3, 55e-6).disturbed());
  EXPECT_FALSE(sample_of(20e-6, 2e-6).disturbed());
  EXPECT_TRUE(sample_of(20e-6, 3e-6).disturbed());
  EXPECT_FALSE(sample_of(1, 0.02).disturbed());
  EXPECT_TRUE(sample_of(1, 0.03).disturbed());
}

Sample beside(double others, double error) {
  Sample sample = sample_of(1e-3, 0.5e-3);
  sample.contention.processor->others_share = others;
  sample.contention.processor->others_error = error;
  return sample;
}

TEST(Sample, IsNotDisturbedByItsOwnThreads) {
  EXPECT_FALSE(beside(0, 0.1).disturbed()) << "its threads waited for each other";
  EXPECT_FALSE(beside(0.11, 0.1).disturbed()) << "no more than what is uncertain";
  EXPECT_TRUE(beside(0.5, 0.1).disturbed());
  EXPECT_DOUBLE_EQ(*beside(0.5, 0.1).contention.taken_share(1e-3), 0.5);
  Sample unhindered = beside(0.5, 0.1);
  unhindered.contention.processor->waited_seconds = 0;
  EXPECT_FALSE(unhindered.disturbed()) << "no thread had to wait";
}

// Of so many threads on so many processors, none of which waited.
bool crowds(double others, double error, int64_t threads, int64_t processors) {
  Sample sample = beside(others, error);
  sample.contention.processor->waited_seconds = 0;
  sample.contention.processor->threads = threads;
  sample.contention.processor->processors = processors;
  EXPECT_FALSE(sample.disturbed()) << "no thread had to wait";
  return sample.contention.crowds();
}

TEST(Contention, CrowdsWhereOthersSurelyLeaveFewerProcessorsThanThreadsNeed) {
  EXPECT_TRUE(crowds(0.45, 0.075, 2, 2)) << "one busy process beside two threads on two";
  EXPECT_TRUE(crowds(0.58, 0.075, 2, 2)) << "two busy processes";
  EXPECT_TRUE(crowds(0.5, 0.02, 64, 64)) << "one a processor";
  EXPECT_TRUE(crowds(0.28, 0.075, 2, 2));
  EXPECT_FALSE(crowds(0.27, 0.075, 2, 2)) << "a fifth is not certain";
  EXPECT_FALSE(crowds(0.098, 0.075, 2, 2)) << "an idle machine";
  EXPECT_FALSE(crowds(0, 1, 2, 2)) << "too early to tell";
}

TEST(Contention, CrowdsNoThreadsThatHaveProcessorsLeft) {
  EXPECT_FALSE(crowds(0.5, 0.02, 8, 16));
  EXPECT_TRUE(crowds(0.65, 0.02, 8, 16));
  EXPECT_FALSE(crowds(0.45, 0.075, 1, 2)) << "the busy process has the other one";
  EXPECT_FALSE(crowds(0, 0.075, 8, 2)) << "more threads than processors are its own affair";
  EXPECT_FALSE(beside(0.9, 0.01).contention.crowds()) << "of an older build, without numbers";
  EXPECT_FALSE(Contention().crowds());
}

MeasurementRecord busy() {
  MeasurementRecord record;
  for (const double waited : {0.004, 0.005, 0.006})
    record.samples.push_back(sample_of(0.0123456, waited));
  record.statistics.count = 3;
  record.statistics.median = 0.0123456;
  record.statistics.median_noise = 0.001;
  record.stop_reason = "disturbed";
  record.launches = {{0.0123456, 3, "disturbed"}};
  record.left_out = {sample_of(0.02, 0.01)};
  return record;
}

TEST(MeasurementRecord, SaysWhatOtherWorkTookOfTheMiddleSample) {
  MeasurementRecord record = busy();
  EXPECT_TRUE(record.disturbed());
  EXPECT_DOUBLE_EQ(*record.taken_share(), 0.006 / 0.0123456);
  record.samples = {beside(0.4, 0.1), beside(0.3, 0.1), beside(0.5, 0.1)};
  record.left_out = {};
  EXPECT_DOUBLE_EQ(*record.taken_share(), 0.4);
  const Json json = to_json(record);
  EXPECT_EQ(to_json(read_as<MeasurementRecord>(JsonField(json))), json);
}

TEST(MeasurementRecord, ADisturbedOneIsPrintedWithTwoDigitsAndSaid) {
  CaseRecord record;
  record.name = "update/blocked";
  record.outcome = Outcome::ok;
  record.cold = busy();
  const Table table = summary_table({record});
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows[0][1], "12!");
  EXPECT_EQ(table.rows[0][2], "0.1") << "noise stays noise";
  EXPECT_EQ(table.header[3], "taken by others");
  EXPECT_EQ(table.rows[0][3], "49 %");
  EXPECT_TRUE(contains(table.rows[0].back(), "disturbed: other processes"));
}

// A GPU's sample with two other processes, one of them without a name.
Sample shared_sample(double busy) {
  Sample sample{0.0123456, 0.0123456};
  sample.contention.others = {{1234, "python3", busy}, {4321, "", 0.01}};
  return sample;
}

TEST(Sample, OfAGpuIsDisturbedByKernelsOfOtherProcesses) {
  EXPECT_FALSE(shared_sample(0.005).disturbed());
  EXPECT_TRUE(shared_sample(0.02).disturbed());
  EXPECT_DOUBLE_EQ(*shared_sample(0.5).contention.taken_share(1), 0.51);
  EXPECT_DOUBLE_EQ(*shared_sample(1).contention.taken_share(1), 1);
}

TEST(MeasurementRecord, NamesTheProcessesThatDisturbedAGpu) {
  MeasurementRecord measured = busy();
  measured.samples = {shared_sample(0.2), shared_sample(0.4), shared_sample(0.3)};
  measured.left_out = {shared_sample(0.9)};
  const std::vector<DeviceUse> others = measured.others();
  ASSERT_EQ(others.size(), 2u);
  EXPECT_EQ(others[0].name, "python3");
  EXPECT_DOUBLE_EQ(others[0].busy, 0.9);
  EXPECT_DOUBLE_EQ(*measured.taken_share(), 0.41);
  const Json json = to_json(measured);
  EXPECT_EQ(to_json(read_as<MeasurementRecord>(JsonField(json))), json);

  CaseRecord record;
  record.outcome = Outcome::ok;
  record.cold = measured;
  const std::string note = summary_table({record}).rows.at(0).back();
  EXPECT_TRUE(contains(note, "other processes ran kernels: python3 (1234) 90 %, process 4321 1 %"));
}

}  // namespace
}  // namespace alsbench
