// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/rates.h"

#include <gtest/gtest.h>

#include <limits>

#include "harness/sweep/worker/datasheet_rates.h"

namespace alsbench {
namespace {

constexpr double kGemm32 = 2e12, kGemm16 = 8e12, kCopy = 4e9;

CaseRecord record(Role role, const std::string& stage, const std::string& group,
                  const Config& config, const std::optional<MeasurementRecord>& cold) {
  CaseRecord record;
  record.name = std::string(name_of(role)) + "/" + stage + "/" + config.text() + "/" + group;
  record.role = role;
  record.stage = stage;
  record.backend = Backend::cuda;
  record.variant = stage == "gemm_batched" ? "strided" : stage == "hermitian" ? "tiled" : "";
  record.group = group;
  record.device = "0";
  record.outcome = Outcome::ok;
  record.config = config;
  record.cold = cold;
  return record;
}

MeasurementRecord rates(std::optional<double> paper_flops, std::optional<double> useful_flops,
                        std::optional<double> bytes) {
  MeasurementRecord record;
  record.paper_flops_per_second = paper_flops;
  record.flops_per_second = useful_flops;
  record.logical_bytes_per_second = record.compulsory_bytes_per_second = bytes;
  return record;
}

Config config_of(const std::string& name, const std::string& value) {
  return Config({{name, value}});
}

std::vector<CaseRecord> with_roofs(const CaseRecord& judged) {
  const Config fp32 = config_of("precision", "fp32"), fp16 = config_of("precision", "fp16");
  return {record(Role::roof, "copy", "a", {}, rates({}, {}, kCopy)),
          record(Role::roof, "gemm_batched", "a", fp32, rates(kGemm32, kGemm32, 1.0)),
          record(Role::roof, "gemm_batched", "a", fp16, rates(kGemm16, kGemm16, 1.0)),
          record(Role::roof, "copy", "b", {}, rates({}, {}, 100 * kCopy)), judged};
}

std::vector<DeviceRecord> devices(const std::string& name) {
  DeviceRecord device;
  device.id = "0";
  device.nominal = nominal_rates(name);
  return {device};
}

TEST(Rates, MeasurementIsWorkOverTheMedian) {
  const Measurement m{"m", {Sample{1, 1}, Sample{4, 4}, Sample{2, 2}}, 7, "samples"};
  const Work work{8, 0, std::numeric_limits<double>::quiet_NaN(), 4};
  const MeasurementRecord measured = *measurement_record(m, work);
  EXPECT_EQ(measured.statistics.median, 2.0);
  EXPECT_EQ(measured.flops_per_second, 4.0);
  EXPECT_FALSE(measured.paper_flops_per_second);  // the stage has none
  EXPECT_FALSE(measured.logical_bytes_per_second);
  EXPECT_EQ(measured.compulsory_bytes_per_second, 2.0);
  EXPECT_EQ(measured.samples.size(), 3u);
  EXPECT_EQ(measured.launches.size(), 1u);
}

TEST(Rates, WithoutSamplesThereIsNoMeasurement) {
  EXPECT_FALSE(measurement_record(Measurement{"m", {}, 0, ""}, {}));
}

TEST(Rates, WithoutWorkThereIsATimeAndNoRate) {
  const MeasurementRecord measured = *measurement_record({"m", {Sample{1, 1}}, 1, "time"}, {});
  EXPECT_EQ(measured.statistics.median, 1.0);
  EXPECT_FALSE(measured.flops_per_second);
}

TEST(Rates, SharesAreOfTheRoofsOfItsBatchAndPrecision) {
  auto records = with_roofs(record(Role::measured, "hermitian", "a", config_of("factors", "fp16"),
                                   rates(4e12, 2e12, 1e9)));
  add_shares(records, devices("unheard of"));
  const RoofShares& share = *records.back().cold->share_of_roof;
  EXPECT_DOUBLE_EQ(*share.shares.flops, 0.5);  // by the paper's count, of FP16
  EXPECT_DOUBLE_EQ(*share.shares.compulsory_bytes, 0.25);
  EXPECT_EQ(share.flops_roof, records[2].name);
  EXPECT_EQ(share.bytes_roof, records[0].name);
  EXPECT_FALSE(records.back().cold->share_of_nominal);
}

TEST(Rates, UsefulFlopsWhereThePaperCountsNone) {
  auto records = with_roofs(record(Role::measured, "solve", "a", {}, rates({}, 1e12, 1e9)));
  add_shares(records, devices("unheard of"));
  EXPECT_DOUBLE_EQ(*records.back().cold->share_of_roof->shares.flops, 0.5);
}

TEST(Rates, FailedRoofsAndThoseOfOtherBatchesJudgeNothing) {
  auto records = with_roofs(record(Role::measured, "solve", "c", {}, rates(1.0, 1.0, 1.0)));
  add_shares(records, devices("unheard of"));
  EXPECT_FALSE(records.back().cold->share_of_roof);
  records = with_roofs(record(Role::measured, "solve", "a", {}, rates(1.0, 1.0, 1.0)));
  records[0].outcome = Outcome::wrong;
  add_shares(records, devices("unheard of"));
  EXPECT_EQ(records.back().cold->share_of_roof->bytes_roof, "");
}

TEST(Launches, KeepTheMostMemory) {
  const auto launch = [](std::optional<int64_t> bytes) {
    CaseRecord one = record(Role::measured, "copy", "a", {}, {});
    one.peak_device_bytes = bytes;
    return one;
  };
  EXPECT_EQ(merge_launches(launch(10), launch(20)).peak_device_bytes, 20);
  EXPECT_EQ(merge_launches(launch(20), launch(10)).peak_device_bytes, 20);
  EXPECT_EQ(merge_launches(launch({}), launch(10)).peak_device_bytes, 10);
  EXPECT_EQ(merge_launches(launch(10), launch({})).peak_device_bytes, 10);
}

TEST(Launches, KeepEachTrainingAndTheSamplesOfBoth) {
  const auto launch = [](double seconds) {
    CaseRecord one = record(Role::measured, "copy", "a", {}, {});
    one.cold = measurement_record({"m", {Sample{seconds, seconds}}, 1, "time"}, {});
    one.training.emplace();
    one.training->metric = "rmse";
    one.training->launches = {TrainingLaunch{{IterationRecord{}}, {}}};
    return one;
  };
  const CaseRecord merged = merge_launches(merge_launches(launch(1), launch(2)), launch(6));
  EXPECT_EQ(merged.cold->samples.size(), 3u);
  EXPECT_EQ(merged.cold->statistics.median, 2);
  ASSERT_EQ(merged.cold->launches.size(), 3u);
  EXPECT_EQ(merged.cold->launches[2].median_seconds, 6);
  EXPECT_EQ(merged.training->launches.size(), 3u);
}

TEST(Rates, NominalSharesOfAKnownDevice) {
  auto records = with_roofs(record(Role::measured, "gemm_batched", "a",
                                   config_of("precision", "fp16"), rates(989.5e11, 1e12, 2.4e12)));
  add_shares(records, devices("NVIDIA H200"));
  const Shares& share = *records.back().cold->share_of_nominal;
  EXPECT_DOUBLE_EQ(*share.flops, 0.1);
  EXPECT_DOUBLE_EQ(*share.logical_bytes, 0.5);
}

TEST(Rates, FactorsOfEveryStorageTypeHaveANominalRate) {
  for (const Scalar type : all_scalars()) {
    const Config config = config_of("factors", std::string(name_of(type)));
    auto records =
        with_roofs(record(Role::measured, "update", "a", config, rates(4e12, 2e12, 1e9)));
    add_shares(records, devices("NVIDIA H200"));
    EXPECT_GT(records.back().cold->share_of_nominal->flops.value_or(0), 0) << config.text();
  }
}

TEST(Nominal, OnlyWholeKnownDevices) {
  EXPECT_TRUE(nominal_rates("NVIDIA A100-SXM4-80GB").has_value());
  EXPECT_FALSE(nominal_rates("NVIDIA H200 MIG 1g.18gb").has_value());
  EXPECT_FALSE(nominal_rates("").has_value());
}

}  // namespace
}  // namespace alsbench
