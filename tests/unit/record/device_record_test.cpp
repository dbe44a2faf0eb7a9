// SPDX-License-Identifier: Apache-2.0
// The codec of devices against every result that the project keeps.
#include "harness/record/device_record.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "harness/files/atomic_file.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

// A GPU of a kept result.
Json a_gpu() {
  const fs::path path = fs::path(ALSBENCH_SOURCE_DIR) / "tests/golden/fixtures/result-1.0.0.json";
  const Json document = Json::parse(read_whole_file(path));
  for (const Json& device : document.at("devices"))
    if (device.at("backend") == "cuda") return device;
  return nullptr;
}

std::string rewritten(const Json& json) {
  return to_json(device_record_from_json(JsonField(json))).dump();
}

std::string refusal_of(const Json& json) {
  try {
    device_record_from_json(JsonField(json));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(DeviceRecord, EveryKeptDeviceIsWrittenAsItWas) {
  int64_t devices = 0;
  for (const char* folder : {"results", "tests/golden"})
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(ALSBENCH_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".json") continue;
      SCOPED_TRACE(entry.path().string());
      const Json json = Json::parse(read_whole_file(entry.path()), nullptr, false);
      if (!json.is_object() || json.value("kind", Json()) != "run") continue;
      for (const Json& device : json.at("devices")) {
        EXPECT_EQ(rewritten(device), device.dump());
        ++devices;
      }
    }
  EXPECT_GT(devices, 10);
}

TEST(DeviceRecord, WhatAGpuAloneHasMayBeMissing) {
  Json json = a_gpu();
  for (const char* field : {"versions", "nvml", "nominal", "power_watts", "temperature_celsius"})
    json.erase(field);
  const DeviceRecord device = device_record_from_json(JsonField(json));
  EXPECT_FALSE(device.versions || device.nvml || device.nominal);
  EXPECT_FALSE(device.power_watts || device.temperature_celsius);
}

TEST(DeviceRecord, FieldsOfNewerVersionsAreKept) {
  Json json = a_gpu();
  json["nvml"]["colour"] = "blue";
  json["colour"] = {{"of", "the lid"}};
  EXPECT_EQ(rewritten(json), json.dump());
}

TEST(DeviceRecord, NamesThePlaceOfWhatIsWrong) {
  Json json = a_gpu();
  json.erase("name");
  EXPECT_EQ(refusal_of(json), "/: lacks 'name'");
  json = a_gpu();
  json["nominal"]["bytes_per_second"] = "many";
  EXPECT_EQ(refusal_of(json), "/nominal/bytes_per_second: is no number");
}

}  // namespace
}  // namespace alsbench
