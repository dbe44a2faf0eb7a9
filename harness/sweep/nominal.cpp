#include "harness/sweep/nominal.h"

#include <algorithm>
#include <array>

namespace alsbench {
namespace {

constexpr std::string_view kA100Sheet = "NVIDIA A100 Tensor Core GPU data sheet, June 2021";
constexpr std::string_view kH100Sheet = "NVIDIA H100 Tensor Core GPU data sheet, SXM";
constexpr std::string_view kH200Sheet = "NVIDIA H200 Tensor Core GPU data sheet, SXM";

// The H100 and H200 sheets print tensor rates with sparsity: twice these.
constexpr std::array kDevices{
    NominalRates{"NVIDIA A100-PCIE-40GB", 19.5e12, 156e12, 312e12, 1555e9, kA100Sheet},
    NominalRates{"NVIDIA A100-SXM4-40GB", 19.5e12, 156e12, 312e12, 1555e9, kA100Sheet},
    NominalRates{"NVIDIA A100 80GB PCIe", 19.5e12, 156e12, 312e12, 1935e9, kA100Sheet},
    NominalRates{"NVIDIA A100-SXM4-80GB", 19.5e12, 156e12, 312e12, 2039e9, kA100Sheet},
    NominalRates{"NVIDIA H100 80GB HBM3", 67e12, 494.5e12, 989.5e12, 3350e9, kH100Sheet},
    NominalRates{"NVIDIA H200", 67e12, 494.5e12, 989.5e12, 4800e9, kH200Sheet},
};

}  // namespace

std::optional<NominalRates> nominal_rates(std::string_view device) {
  const auto* const found =
      std::find_if(kDevices.begin(), kDevices.end(),
                   [&](const NominalRates& entry) { return entry.device == device; });
  if (found == kDevices.end()) return std::nullopt;
  return *found;
}

}  // namespace alsbench
