// SPDX-License-Identifier: Apache-2.0
#include "harness/record/device_record.h"

#include <array>

#include "harness/record/core_codecs.h"

namespace alsbench {
namespace {

struct Library {
  std::string_view name;
  std::string CudaVersions::*version;
};

constexpr std::array kLibraries{
    Library{"toolkit", &CudaVersions::toolkit},  Library{"runtime", &CudaVersions::runtime},
    Library{"driver", &CudaVersions::driver},    Library{"nvrtc", &CudaVersions::nvrtc},
    Library{"cublas", &CudaVersions::cublas},    Library{"cusolver", &CudaVersions::cusolver},
    Library{"cusparse", &CudaVersions::cusparse}};

Json to_json(const CudaVersions& versions) {
  Json json = Json::object();
  for (const auto& [name, version] : entries_of(versions)) json[std::string(name)] = version;
  return json;
}

CudaVersions versions_from_json(const JsonField& json) {
  CudaVersions versions;
  for (const auto& [name, version] : kLibraries) versions.*version = json.at(name).text();
  return versions;
}

Json to_json(const NvmlRecord& nvml) {
  Json json = {{"driver_version", text_or_null(nvml.driver_version)},
               {"ecc_enabled", json_of(nvml.ecc_enabled)},
               {"uncorrected_ecc_errors", json_of(nvml.uncorrected_ecc_errors)},
               {"mig_enabled", json_of(nvml.mig_enabled)},
               {"power_limit_watts", json_of(nvml.power_limit_watts)}};
  if (nvml.others_unknown) json["others_unknown"] = text_or_null(*nvml.others_unknown);
  return json;
}

NvmlRecord nvml_from_json(const JsonField& json) {
  const auto boolean = [](const JsonField& field) { return field.boolean(); };
  const auto count = [](const JsonField& field) { return field.unsigned_integer(); };
  return {optional_text(json.find("driver_version")).value_or(""),
          optional_of(json.find("ecc_enabled"), boolean),
          optional_of(json.find("uncorrected_ecc_errors"), count),
          optional_of(json.find("mig_enabled"), boolean),
          optional_number(json.find("power_limit_watts")),
          json.value().contains("others_unknown")  // since 1.8.0; null has a meaning of its own
              ? std::optional(json.at("others_unknown").text_or_empty())
              : std::nullopt};
}

Json to_json(const NominalRates& rates) {
  Json json{{"fp32_flops_per_second", rates.fp32_flops_per_second},
            {"tf32_flops_per_second", rates.tf32_flops_per_second},
            {"fp16_flops_per_second", rates.fp16_flops_per_second},
            {"bytes_per_second", rates.bytes_per_second},
            {"source", rates.source}};
  if (const auto int8 = rates.int8_operations_per_second)
    json["int8_operations_per_second"] = *int8;
  return json;
}

NominalRates nominal_from_json(const JsonField& json) {
  return {json.at("fp32_flops_per_second").number(),
          json.at("tf32_flops_per_second").number(),
          json.at("fp16_flops_per_second").number(),
          json.at("bytes_per_second").number(),
          json.at("source").text(),
          optional_number(json.find("int8_operations_per_second"))};
}

template <class T>
Json part_or_null(const std::optional<T>& part) {
  return part ? to_json(*part) : Json(nullptr);
}

Json known_json(const DeviceRecord& device) {
  Json json = alsbench::to_json(device.traits);
  json["device"] = device.id;
  json["versions"] = part_or_null(device.versions);
  json["nvml"] = part_or_null(device.nvml);
  json["nominal"] = part_or_null(device.nominal);
  json["power_watts"] = json_of(device.power_watts);
  json["temperature_celsius"] = json_of(device.temperature_celsius);
  return json;
}

}  // namespace

std::vector<std::pair<std::string_view, std::string>> entries_of(const CudaVersions& versions) {
  std::vector<std::pair<std::string_view, std::string>> entries;
  for (const auto& [name, version] : kLibraries) entries.emplace_back(name, versions.*version);
  return entries;
}

Json to_json(const DeviceRecord& device) {
  Json json = known_json(device);
  json.update(device.unknown, true);
  return json;
}

DeviceRecord device_record_from_json(const JsonField& json) {
  DeviceRecord device;
  device.traits = device_traits_from_json(json);
  device.id = json.at("device").text();
  device.versions = optional_of(json.find("versions"), versions_from_json);
  device.nvml = optional_of(json.find("nvml"), nvml_from_json);
  device.nominal = optional_of(json.find("nominal"), nominal_from_json);
  device.power_watts = optional_number(json.find("power_watts"));
  device.temperature_celsius = optional_number(json.find("temperature_celsius"));
  device.unknown = unknown_fields(json.value(), known_json(device));
  return device;
}

}  // namespace alsbench
