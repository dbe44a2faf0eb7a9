// SPDX-License-Identifier: Apache-2.0
// The codec of devices against every result that the project keeps.
#include "harness/record/device_record.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "harness/files/atomic_file.h"
#include "kept_results.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

// A GPU of a kept result.
Json a_gpu() {
  const fs::path path = fs::path(ALSBENCH_SOURCE_DIR) / "tests/golden/fixtures/result-2.0.0.json";
  const Json document = Json::parse(read_whole_file(path));
  for (const Json& device : document.at("devices"))
    if (device.at("backend") == "cuda") return device;
  return nullptr;
}

std::string device_rewritten(const Json& json) {
  return to_json(read_as<DeviceRecord>(JsonField(json))).dump();
}

std::string device_refusal_of(const Json& json) {
  return thrown_by([&] { read_as<DeviceRecord>(JsonField(json)); });
}

TEST(DeviceRecord, EveryKeptDeviceIsWrittenAsItWas) {
  int64_t devices = 0;
  for (const auto& [path, document] : kept_results())
    for (const Json& device : document.at("devices")) {
      EXPECT_EQ(device_rewritten(device), device.dump()) << path;
      ++devices;
    }
  EXPECT_GT(devices, 10);
}

TEST(DeviceRecord, WhatAGpuAloneHasMayBeMissing) {
  Json json = a_gpu();
  for (const char* field : {"versions", "nvml", "nominal", "power_watts", "temperature_celsius"})
    json.erase(field);
  const DeviceRecord device = read_as<DeviceRecord>(JsonField(json));
  EXPECT_FALSE(device.versions || device.nvml || device.nominal);
  EXPECT_FALSE(device.power_watts || device.temperature_celsius);
}

TEST(DeviceRecord, FieldsOfNewerVersionsAreKept) {
  Json json = a_gpu();
  json["nvml"]["colour"] = "blue";
  json["colour"] = {{"of", "the lid"}};
  EXPECT_EQ(device_rewritten(json), json.dump());
}

TEST(DeviceRecord, SaysWhetherKernelsOfOtherProcessesAreSeen) {
  Json json = a_gpu();
  EXPECT_FALSE(read_as<DeviceRecord>(JsonField(json)).nvml->others_unknown) << "an older file";
  json["nvml"]["others_unknown"] = nullptr;
  EXPECT_EQ(read_as<DeviceRecord>(JsonField(json)).nvml->others_unknown, "");
  EXPECT_EQ(device_rewritten(json), json.dump());
  json["nvml"]["others_unknown"] = "NVML failed";
  EXPECT_EQ(read_as<DeviceRecord>(JsonField(json)).nvml->others_unknown, "NVML failed");
  EXPECT_EQ(device_rewritten(json), json.dump());
}

TEST(DeviceRecord, NamesThePlaceOfWhatIsWrong) {
  Json json = a_gpu();
  json.erase("name");
  EXPECT_EQ(device_refusal_of(json), "/: lacks 'name'");
  json = a_gpu();
  json["nominal"]["bytes_per_second"] = "many";
  EXPECT_EQ(device_refusal_of(json), "/nominal/bytes_per_second: is no number");
}

}  // namespace
}  // namespace alsbench
