// SPDX-License-Identifier: Apache-2.0
// DeviceRecord: what is known of a device that results were measured on, as a worker found it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/record/fields/fields.h"
#include "variants/core/device_traits.h"

namespace alsbench {

struct CudaVersions {
  std::string toolkit;  // headers this build was compiled with
  std::string runtime;
  std::string driver;  // the newest CUDA version that the driver supports; empty: no driver
  std::string nvrtc;
  std::string cublas;
  std::string cusolver;
  std::string cusparse;
};
// ("toolkit", "12.9.0"), ..., in the order of documents.
std::vector<std::pair<std::string_view, std::string>> entries_of(const CudaVersions& versions);

// NVML's information on a device; nothing where it does not answer.
struct NvmlRecord {
  std::string driver_version;  // "580.65.06"; may be empty
  std::optional<bool> ecc_enabled;
  std::optional<uint64_t> uncorrected_ecc_errors;  // since the driver was loaded
  std::optional<bool> mig_enabled;
  std::optional<double> power_limit_watts;
  // Why use by other processes is not seen; "": it is. Not known of files before 1.8.0.
  std::optional<std::string> others_unknown = {};
};

// Dense rates of a vendor's data sheet, without the factor of two for structured sparsity.
struct NominalRates {
  double fp32_flops_per_second = 0;
  double tf32_flops_per_second = 0;
  double fp16_flops_per_second = 0;  // tensor cores
  double bytes_per_second = 0;
  std::string source;
  std::optional<double> int8_operations_per_second;  // tensor cores; older files lack it
};

struct DeviceRecord {
  DeviceTraits traits;
  std::string id;                        // as open_device takes it: "cpu", "0"
  std::optional<CudaVersions> versions;  // of a GPU, as is the next
  std::optional<NvmlRecord> nvml;
  std::optional<NominalRates> nominal;                     // where the data sheet is known
  std::optional<double> power_watts, temperature_celsius;  // as the worker began
  Json unknown = Json::object();  // fields of a newer version, written again as they were read
};

// The driver's version, or the newest CUDA version that it supports; "" of a CPU.
std::string driver_of(const DeviceRecord& device);

void describe(Fields<CudaVersions>& fields);
void describe(Fields<NvmlRecord>& fields);
void describe(Fields<NominalRates>& fields);
void describe(Fields<DeviceRecord>& fields);

// How a device is called in file and folder names: results/<device>, results/tuned/<device>.json,
// plots/<device>. "NVIDIA H200" -> "nvidia-h200": letters in lower case, digits, and one '-' for
// everything between them. Applied to its own result it changes nothing, so a name read from a
// folder finds the device again. Names that are empty, longer than 96 characters or without any
// letter or digit become their hash. The result is a valid file name whatever a driver says. Two
// names may meet ("A B" and "A-B"): what is stored under it keeps the whole name as well, and
// readers compare that.
std::string device_slug(std::string_view name);

}  // namespace alsbench
