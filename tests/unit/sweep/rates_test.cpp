#include "harness/sweep/rates.h"

#include <gtest/gtest.h>

#include "harness/sweep/worker/datasheet_rates.h"

namespace alsbench {
namespace {

constexpr double kGemm32 = 2e12, kGemm16 = 8e12, kCopy = 4e9;

Json record(const std::string& role, const std::string& stage, const std::string& batch,
            const Json& config, const Json& cold) {
  return {{"name", role + "/" + stage + "/" + config.dump() + "/" + batch},
          {"role", role},
          {"stage", stage},
          {"batch", batch},
          {"device", "0"},
          {"outcome", "ok"},
          {"config", config},
          {"cold", cold},
          {"hot", nullptr}};
}

Json rates(const Json& paper_flops, const Json& useful_flops, const Json& bytes) {
  return {{"paper_flops_per_second", paper_flops},
          {"flops_per_second", useful_flops},
          {"logical_bytes_per_second", bytes},
          {"compulsory_bytes_per_second", bytes},
          {"share_of_roof", nullptr},
          {"share_of_nominal", nullptr}};
}

std::vector<Json> with_roofs(const Json& judged) {
  const Json fp32{{"precision", "fp32"}}, fp16{{"precision", "fp16"}}, none = Json::object();
  return {record("roof", "copy", "a", none, rates(nullptr, nullptr, kCopy)),
          record("roof", "gemm_batched", "a", fp32, rates(kGemm32, kGemm32, 1.0)),
          record("roof", "gemm_batched", "a", fp16, rates(kGemm16, kGemm16, 1.0)),
          record("roof", "copy", "b", none, rates(nullptr, nullptr, 100 * kCopy)), judged};
}

std::vector<Json> devices(const std::string& name) {
  const auto nominal = nominal_rates(name);
  return {{{"device", "0"},
           {"nominal", nominal ? Json{{"fp32_flops_per_second", nominal->fp32_flops_per_second},
                                      {"tf32_flops_per_second", nominal->tf32_flops_per_second},
                                      {"fp16_flops_per_second", nominal->fp16_flops_per_second},
                                      {"bytes_per_second", nominal->bytes_per_second}}
                               : Json(nullptr)}}};
}

TEST(Rates, MeasurementIsWorkOverTheMedian) {
  Measurement m{"m", {Sample{1, 1}, Sample{4, 4}, Sample{2, 2}}, 7, "samples"};
  const Json work{{"useful_flops", 8.0},
                  {"paper_flops", 0.0},
                  {"logical_bytes", nullptr},
                  {"compulsory_bytes", 4.0}};
  const Json json = measurement_json(m, work);
  EXPECT_EQ(json.at("statistics").at("median_seconds"), 2.0);
  EXPECT_EQ(json.at("flops_per_second"), 4.0);
  EXPECT_TRUE(json.at("paper_flops_per_second").is_null());  // the stage has none
  EXPECT_TRUE(json.at("logical_bytes_per_second").is_null());
  EXPECT_EQ(json.at("compulsory_bytes_per_second"), 2.0);
  EXPECT_EQ(json.at("samples").size(), 3u);
}

TEST(Rates, WithoutSamplesThereIsNoMeasurement) {
  EXPECT_TRUE(measurement_json(Measurement{"m", {}, 0, ""}, nullptr).is_null());
}

TEST(Rates, SharesAreOfTheRoofsOfItsBatchAndPrecision) {
  auto records =
      with_roofs(record("case", "hermitian", "a", {{"factors", "fp16"}}, rates(4e12, 2e12, 1e9)));
  add_shares(records, devices("unheard of"));
  const Json& share = records.back()["cold"]["share_of_roof"];
  EXPECT_DOUBLE_EQ(share["flops"], 0.5);  // by the paper's count, of FP16
  EXPECT_DOUBLE_EQ(share["compulsory_bytes"], 0.25);
  EXPECT_EQ(share["flops_roof"], records[2]["name"]);
  EXPECT_EQ(share["bytes_roof"], records[0]["name"]);
  EXPECT_TRUE(records.back()["cold"]["share_of_nominal"].is_null());
}

TEST(Rates, UsefulFlopsWhereThePaperCountsNone) {
  auto records =
      with_roofs(record("case", "solve", "a", Json::object(), rates(nullptr, 1e12, 1e9)));
  add_shares(records, devices("unheard of"));
  EXPECT_DOUBLE_EQ(records.back()["cold"]["share_of_roof"]["flops"], 0.5);
}

TEST(Rates, FailedRoofsAndThoseOfOtherBatchesJudgeNothing) {
  auto records = with_roofs(record("case", "solve", "c", Json::object(), rates(1.0, 1.0, 1.0)));
  add_shares(records, devices("unheard of"));
  EXPECT_TRUE(records.back()["cold"]["share_of_roof"].is_null());
  records = with_roofs(record("case", "solve", "a", Json::object(), rates(1.0, 1.0, 1.0)));
  records[0]["outcome"] = "wrong";
  add_shares(records, devices("unheard of"));
  EXPECT_TRUE(records.back()["cold"]["share_of_roof"]["bytes_roof"].is_null());
}

TEST(Launches, KeepTheMostMemory) {
  const auto launch = [](const Json& bytes) {
    Json one = record("case", "copy", "a", Json::object(), nullptr);
    one.update({{"recheck", nullptr}, {"training", nullptr}, {"peak_device_bytes", bytes}});
    return one;
  };
  EXPECT_EQ(merge_launches(launch(10), launch(20))["peak_device_bytes"], 20);
  EXPECT_EQ(merge_launches(launch(20), launch(10))["peak_device_bytes"], 20);
  EXPECT_EQ(merge_launches(launch(nullptr), launch(10))["peak_device_bytes"], 10);
  EXPECT_EQ(merge_launches(launch(10), launch(nullptr))["peak_device_bytes"], 10);
}

TEST(Rates, NominalSharesOfAKnownDevice) {
  auto records = with_roofs(
      record("case", "gemm_batched", "a", {{"precision", "fp16"}}, rates(989.5e11, 1e12, 2.4e12)));
  add_shares(records, devices("NVIDIA H200"));
  const Json& share = records.back()["cold"]["share_of_nominal"];
  EXPECT_DOUBLE_EQ(share["flops"], 0.1);
  EXPECT_DOUBLE_EQ(share["logical_bytes"], 0.5);
}

TEST(Rates, FactorsOfEveryStorageTypeHaveANominalRate) {
  for (const Scalar type : all_scalars()) {
    const Json config = {{"factors", std::string(name_of(type))}};
    auto records = with_roofs(record("case", "update", "a", config, rates(4e12, 2e12, 1e9)));
    add_shares(records, devices("NVIDIA H200"));
    EXPECT_GT(records.back()["cold"]["share_of_nominal"]["flops"], 0) << config;
  }
}

TEST(Nominal, OnlyWholeKnownDevices) {
  EXPECT_TRUE(nominal_rates("NVIDIA A100-SXM4-80GB").has_value());
  EXPECT_FALSE(nominal_rates("NVIDIA H200 MIG 1g.18gb").has_value());
  EXPECT_FALSE(nominal_rates("").has_value());
}

}  // namespace
}  // namespace alsbench
