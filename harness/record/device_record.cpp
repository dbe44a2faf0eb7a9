// SPDX-License-Identifier: Apache-2.0
#include "harness/record/device_record.h"

#include "harness/files/hash.h"
#include "harness/record/core_codecs.h"

namespace alsbench {

void describe(Fields<CudaVersions>& fields) {
  fields.record("cuda_versions", "Versions of CUDA libraries.");
  fields("toolkit", &CudaVersions::toolkit, "headers that the program was compiled with");
  fields("runtime", &CudaVersions::runtime);
  fields("driver", &CudaVersions::driver, "the newest CUDA version that the driver supports");
  fields("nvrtc", &CudaVersions::nvrtc);
  fields("cublas", &CudaVersions::cublas);
  fields("cusolver", &CudaVersions::cusolver);
  fields("cusparse", &CudaVersions::cusparse);
}

void describe(Fields<NvmlRecord>& fields) {
  fields.record("nvml", "State of a GPU as NVML reports it.");
  fields("driver_version", &NvmlRecord::driver_version).nullable();
  fields("ecc_enabled", &NvmlRecord::ecc_enabled);
  fields("uncorrected_ecc_errors", &NvmlRecord::uncorrected_ecc_errors,
         "since the driver was loaded");
  fields("mig_enabled", &NvmlRecord::mig_enabled);
  fields("power_limit_watts", &NvmlRecord::power_limit_watts);
  fields
      .custom(
          "others_unknown",
          [](const NvmlRecord& nvml) {
            return nvml.others_unknown ? text_or_null(*nvml.others_unknown) : left_out();
          },
          [](const JsonField& json, NvmlRecord& nvml) {
            nvml.others_unknown = json.text_or_empty();
          },
          {{"type", {"string", "null"}}},
          "why use of the GPU by other processes cannot be seen; null: it can")
      .omitted();
}

void describe(Fields<NominalRates>& fields) {
  fields.record("nominal", "Dense rates of a vendor's data sheet.");
  fields("fp32_flops_per_second", &NominalRates::fp32_flops_per_second);
  fields("tf32_flops_per_second", &NominalRates::tf32_flops_per_second);
  fields("fp16_flops_per_second", &NominalRates::fp16_flops_per_second, "of tensor cores");
  fields("bytes_per_second", &NominalRates::bytes_per_second);
  fields("source", &NominalRates::source);
  fields("int8_operations_per_second", &NominalRates::int8_operations_per_second, "of tensor cores")
      .omitted();
}

void describe(Fields<DeviceRecord>& fields) {
  fields.record("device", "A device that results were measured on, as a worker found it.");
  fields.inlined(&DeviceRecord::traits);
  fields("device", &DeviceRecord::id, "as --device takes it: cpu, 0");
  fields("versions", &DeviceRecord::versions, "of a GPU, as is nvml");
  fields("nvml", &DeviceRecord::nvml);
  fields("nominal", &DeviceRecord::nominal, "where the data sheet is known");
  fields("power_watts", &DeviceRecord::power_watts, "as the worker began");
  fields("temperature_celsius", &DeviceRecord::temperature_celsius, "likewise");
  fields.keep_unknown(&DeviceRecord::unknown);
}

std::vector<std::pair<std::string_view, std::string>> entries_of(const CudaVersions& versions) {
  std::vector<std::pair<std::string_view, std::string>> entries;
  for (const RecordField& field : record_type<CudaVersions>().fields)
    entries.emplace_back(field.name, field.member_as<std::string>(versions));
  return entries;
}

std::string driver_of(const DeviceRecord& device) {
  if (device.nvml && !device.nvml->driver_version.empty()) return device.nvml->driver_version;
  return device.versions ? "CUDA " + device.versions->driver : "";
}

std::string device_slug(std::string_view name) {
  constexpr size_t kLongest = 96;
  constexpr size_t kHashDigits = 8;
  std::string slug;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (upper || plain)
      slug += upper ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!slug.empty() && slug.back() != '-')
      slug += '-';
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  if (!slug.empty() && slug.size() <= kLongest) return slug;
  const std::string hash = Fnv1a128().add(name).hex().substr(0, kHashDigits);
  if (slug.empty()) return "device-" + hash;
  slug.resize(kLongest - kHashDigits - 1);
  while (slug.back() == '-') slug.pop_back();
  return slug + "-" + hash;
}

}  // namespace alsbench
