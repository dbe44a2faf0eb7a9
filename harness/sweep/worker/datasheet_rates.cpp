// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/worker/datasheet_rates.h"

#include <algorithm>
#include <array>

namespace alsbench {
namespace {

struct DataSheet {
  std::string_view device;
  double fp32, tf32, fp16, int8, bytes;  // a second
  std::string_view source;
};

constexpr std::string_view kA100Sheet = "NVIDIA A100 Tensor Core GPU data sheet, November 2020";
constexpr std::string_view kA100LargeSheet =
    "NVIDIA A100 80GB Tensor Core GPU data sheet, June 2021";
constexpr std::string_view kH100PcieSheet = "NVIDIA H100 Tensor Core GPU data sheet, PCIe, 2022";
constexpr std::string_view kH100Sheet = "NVIDIA H100 Tensor Core GPU data sheet, SXM";
constexpr std::string_view kH100NvlSheet = "NVIDIA H100 Tensor Core GPU data sheet, NVL";
constexpr std::string_view kH200Sheet = "NVIDIA H200 Tensor Core GPU data sheet, SXM";
constexpr std::string_view kH200NvlSheet = "NVIDIA H200 Tensor Core GPU data sheet, NVL";

// The H100 and H200 sheets print tensor rates with sparsity: twice these.
constexpr std::array kDevices{
    DataSheet{"NVIDIA A100-PCIE-40GB", 19.5e12, 156e12, 312e12, 624e12, 1555e9, kA100Sheet},
    DataSheet{"NVIDIA A100-SXM4-40GB", 19.5e12, 156e12, 312e12, 624e12, 1555e9, kA100Sheet},
    DataSheet{"NVIDIA A100 80GB PCIe", 19.5e12, 156e12, 312e12, 624e12, 1935e9, kA100LargeSheet},
    DataSheet{"NVIDIA A100-SXM4-80GB", 19.5e12, 156e12, 312e12, 624e12, 2039e9, kA100LargeSheet},
    DataSheet{"NVIDIA H100 PCIe", 51e12, 378e12, 756.5e12, 1513e12, 2000e9, kH100PcieSheet},
    DataSheet{"NVIDIA H100 80GB HBM3", 67e12, 494.5e12, 989.5e12, 1979e12, 3350e9, kH100Sheet},
    DataSheet{"NVIDIA H100 NVL", 60e12, 417.5e12, 835.5e12, 1671e12, 3900e9, kH100NvlSheet},
    DataSheet{"NVIDIA H200", 67e12, 494.5e12, 989.5e12, 1979e12, 4800e9, kH200Sheet},
    DataSheet{"NVIDIA H200 NVL", 60e12, 417.5e12, 835.5e12, 1671e12, 4800e9, kH200NvlSheet},
};

}  // namespace

std::optional<NominalRates> nominal_rates(std::string_view device) {
  const auto* const found = std::ranges::find_if(
      kDevices, [&](const DataSheet& entry) { return entry.device == device; });
  if (found == kDevices.end()) return std::nullopt;
  return NominalRates{
      found->fp32, found->tf32, found->fp16, found->bytes, std::string(found->source), found->int8};
}

}  // namespace alsbench
