// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/rates.h"

#include <gtest/gtest.h>

#include <limits>

#include "harness/record/result.h"
#include "harness/sweep/worker/datasheet_rates.h"
#include "variants/core/scalar.h"

namespace alsbench {
namespace {

CaseRecord record(Role role, const std::string& stage, const std::string& variant,
                  const Config& config, const std::optional<MeasurementRecord>& cold) {
  CaseRecord record;
  record.name = std::string(name_of(role)) + "/" + stage + "/" + variant + "/" + config.text();
  record.role = role;
  record.stage = stage;
  record.backend = Backend::cuda;
  record.variant = variant;
  record.group = "a";
  record.device = "0";
  record.outcome = Outcome::ok;
  record.config = config;
  record.work = Work{1, 1, 1, 1e9, 1};
  record.cold = cold;
  return record;
}

MeasurementRecord rates(std::optional<double> flops, std::optional<double> bytes,
                        std::optional<double> gathered = {}) {
  MeasurementRecord record;
  record.samples = {Sample{1, 1}};
  record.statistics.count = 1;
  record.statistics.median = 1;
  record.flops_per_second = flops;
  // what no share is of
  record.paper_flops_per_second = record.logical_bytes_per_second = 1e30;
  record.compulsory_bytes_per_second = bytes;
  record.gathered_bytes_per_second = gathered;
  return record;
}

Config config_of(const std::string& name, const std::string& value) {
  return Config({{name, value}});
}

CaseRecord reference_rate(const std::string& stage, const std::string& variant,
                          const std::string& precision, const MeasurementRecord& cold) {
  const Config config = precision.empty() ? Config() : config_of("precision", precision);
  return record(Role::ceiling, stage, variant, config, cold);
}

std::vector<CaseRecord> with_references(const CaseRecord& judged) {
  CaseRecord l2 = reference_rate("gather_l2", "rows", "", rates({}, {}, 8e12));
  l2.hot = l2.cold;  // measured hot, it judges cold rows, too
  l2.cold = std::nullopt;
  return {reference_rate("copy", "memcpy", "", rates({}, 4e9)),
          reference_rate("read", "words", "", rates({}, 5e9)),
          reference_rate("fma", "chains", "", rates(4e12, {})),
          reference_rate("mma", "chains", "fp16", rates(40e12, {})),
          reference_rate("gather_l1", "rows", "", rates({}, {}, 20e12)),
          reference_rate("gather_l1", "shared", "", rates({}, {}, 16e12)),
          l2,
          reference_rate("gemm_batched", "strided", "fp32", rates(2e12, {})),
          reference_rate("gemm_batched", "strided", "fp16", rates(8e12, {})),
          judged};
}

std::vector<DeviceRecord> devices(const std::string& name) {
  DeviceRecord device;
  device.id = "0";
  device.traits.l2_bytes = int64_t{1} << 20;
  device.nominal = nominal_rates(name);
  return {device};
}

const MeasurementRecord& judged(std::vector<CaseRecord>& records) {
  add_shares(records, devices("unheard of"));
  return *records.back().cold;
}

TEST(Rates, MeasurementIsWorkOverTheMedian) {
  const Measurement m{"m", {Sample{1, 1}, Sample{4, 4}, Sample{2, 2}}, 7, "samples"};
  const Work work{8, 0, std::numeric_limits<double>::quiet_NaN(), 4, 6};
  const MeasurementRecord measured = *measurement_record(m, work);
  EXPECT_EQ(measured.statistics.median, 2.0);
  EXPECT_EQ(measured.flops_per_second, 4.0);
  EXPECT_FALSE(measured.paper_flops_per_second);  // the stage has none
  EXPECT_FALSE(measured.logical_bytes_per_second);
  EXPECT_EQ(measured.compulsory_bytes_per_second, 2.0);
  EXPECT_EQ(measured.gathered_bytes_per_second, 3.0);
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

TEST(Shares, AreRatesOverTheSameRatesOfTheFastestReferenceRate) {
  auto records = with_references(
      record(Role::measured, "hermitian", "tiled", config_of("l1", "on"), rates(2e12, 1e9, 5e12)));
  const MeasurementRecord& measured = judged(records);
  EXPECT_DOUBLE_EQ(measured.share_of("fma")->value, 0.5);
  EXPECT_DOUBLE_EQ(measured.share_of("copy")->value, 0.25);
  EXPECT_DOUBLE_EQ(measured.share_of("gather_l1")->value, 0.25);  // of the faster variant
  EXPECT_DOUBLE_EQ(measured.share_of("gemm_batched")->value, 1);
  EXPECT_EQ(measured.share_of("copy")->row, records[0].name + "/cold");
  EXPECT_EQ(measured.share_of("gather_l2")->row, records[6].name + "/hot");
  EXPECT_EQ(measured.share_of("mma"), nullptr);
  EXPECT_TRUE(measured.unmeasured_ceilings.empty());
}

TEST(Shares, TheNearestCeilingIsNoComparison) {
  auto records = with_references(
      record(Role::measured, "hermitian", "tiled", config_of("l1", "on"), rates(2e12, 1e9, 7e12)));
  const MeasurementRecord& measured = judged(records);
  EXPECT_EQ(measured.nearest_ceiling()->reference_rate, "fma");
  EXPECT_FALSE(measured.share_of("gemm_batched")->ceiling);
  EXPECT_FALSE(measured.share_of("gather_l2")->ceiling);  // rows that L1 holds come faster
  records = with_references(
      record(Role::measured, "hermitian", "tiled", config_of("l1", "off"), rates(2e12, 1e9, 7e12)));
  EXPECT_EQ(judged(records).nearest_ceiling()->reference_rate, "gather_l2");
}

TEST(Shares, ACopyIsACeilingOfWhatCachesCannotHold) {
  CaseRecord small =
      record(Role::measured, "hermitian", "tiled", config_of("l1", "on"), rates(1.0, 1e9));
  small.work->compulsory_bytes = 7 << 20;
  auto records = with_references(small);
  EXPECT_FALSE(judged(records).share_of("copy")->ceiling);
  records.back().work->compulsory_bytes = 8 << 20;
  EXPECT_TRUE(judged(records).share_of("copy")->ceiling);
}

TEST(Shares, ReadingIsTheCeilingOfWhatHardlyWrites) {
  CaseRecord solve = record(Role::measured, "solve", "cg", {}, rates(1.0, 4.5e9));
  solve.work->compulsory_bytes = 8 << 20;
  auto records = with_references(solve);
  const MeasurementRecord& measured = judged(records);
  EXPECT_EQ(measured.nearest_ceiling()->reference_rate, "read");
  EXPECT_DOUBLE_EQ(measured.share_of("read")->value, 0.9);
  EXPECT_FALSE(measured.share_of("copy")->ceiling);  // it is passed
}

TEST(Shares, ACopyStandsInForAReadThatWasNotMeasured) {
  CaseRecord solve = record(Role::measured, "solve", "cg", {}, rates(1.0, 3e9));
  solve.work->compulsory_bytes = 8 << 20;
  auto records = with_references(solve);
  records[1].outcome = Outcome::wrong;
  const MeasurementRecord& measured = judged(records);
  EXPECT_EQ(measured.nearest_ceiling()->reference_rate, "copy");
  EXPECT_EQ(measured.shares.size(), 3u);  // with fma and gemm
  EXPECT_TRUE(measured.unmeasured_ceilings.empty());
}

TEST(Shares, TensorCoresAreTheCeilingOfWhatMultipliesOnThem) {
  const auto fused = [](const std::string& factors) {
    return record(Role::measured, "update", "fused", config_of("factors", factors),
                  rates(20e12, 1e9, 1.0));
  };
  auto records = with_references(fused("fp16"));
  EXPECT_EQ(judged(records).nearest_ceiling()->reference_rate, "mma fp16");
  EXPECT_EQ(judged(records).share_of("fma"), nullptr);
  EXPECT_DOUBLE_EQ(judged(records).share_of("gemm")->value, 2.5);  // a comparison is passed
  records = with_references(fused("int8"));
  EXPECT_EQ(judged(records).unmeasured_ceilings, std::vector<std::string>{"mma int8"});
}

TEST(Shares, NoneOfFailedAndOfDisturbedReferenceRates) {
  auto records = with_references(record(Role::measured, "solve", "cg", {}, rates(1.0, 1.0)));
  records[0].outcome = records[1].outcome = Outcome::wrong;
  records[2].cold->launches = {{1, 1, "disturbed"}};
  EXPECT_EQ(judged(records).unmeasured_ceilings, (std::vector<std::string>{"fma", "read"}));
  EXPECT_EQ(judged(records).nearest_ceiling(), nullptr);
}

TEST(Shares, ACeilingIsTheFastestOfTheDeviceAndAComparisonOfItsOwnProblem) {
  CaseRecord slow = reference_rate("fma", "chains", "", rates(1e12, {}));
  CaseRecord other = reference_rate("gemm_batched", "strided", "fp32", rates(1e15, {}));
  CaseRecord faster = reference_rate("fma", "chains", "", rates(8e12, {}));
  for (CaseRecord* one : {&slow, &other, &faster}) one->part = "theta";
  auto records = with_references(
      record(Role::measured, "hermitian", "tiled", config_of("l1", "on"), rates(2e12, 1e9, 5e12)));
  records.insert(records.begin(), {slow, other, faster});
  EXPECT_DOUBLE_EQ(judged(records).share_of("fma")->value, 0.25);
  EXPECT_DOUBLE_EQ(judged(records).share_of("gemm_batched")->value, 1);
  records[2].device = "1";
  EXPECT_DOUBLE_EQ(judged(records).share_of("fma")->value, 0.5);
}

TEST(Shares, AreWorkedOutAnewOfADocument) {
  ResultDocument result;
  result.devices = devices("unheard of");
  result.cases = with_references(record(Role::measured, "solve", "cg", {}, rates(1e12, 1.0)));
  for (CaseRecord& one : result.cases)
    for (const CacheMode mode : kCacheModes)
      if (one.of(mode)) one.of(mode)->launches = {{1, 1, "noise"}};
  Json document = to_json(result);
  Json& cold = document["cases"].back()["cold"];
  cold["share_of_ceiling"] = {{"flops", 0.9}};
  cold["shares"] = Json::array();
  const Json shown = with_shares(document, "test")["cases"].back()["cold"];
  EXPECT_FALSE(shown.contains("share_of_ceiling"));
  EXPECT_EQ(shown["shares"][0]["of"], "fma");
  EXPECT_EQ(shown["shares"][0]["share"], 0.25);
}

TEST(Launches, KeepTheMostMemory) {
  const auto launch = [](std::optional<int64_t> bytes) {
    CaseRecord one = record(Role::measured, "copy", "memcpy", {}, {});
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
    CaseRecord one = record(Role::measured, "copy", "memcpy", {}, {});
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

TEST(Nominal, SharesOfAKnownDevice) {
  std::vector<CaseRecord> records{
      reference_rate("gemm_batched", "strided", "fp16", rates(989.5e11, 2.4e12))};
  add_shares(records, devices("NVIDIA H200"));
  const Shares& share = *records.back().cold->share_of_nominal;
  EXPECT_DOUBLE_EQ(*share.flops, 0.1);
  EXPECT_DOUBLE_EQ(*share.compulsory_bytes, 0.5);
}

TEST(Nominal, FactorsOfEveryStorageTypeHaveARate) {
  for (const Scalar type : all_scalars()) {
    const Config config = config_of("factors", std::string(name_of(type)));
    std::vector<CaseRecord> records{
        record(Role::measured, "update", "fused", config, rates(2e12, 1e9))};
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
