// SPDX-License-Identifier: Apache-2.0
#include "variants/core/device_traits.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/error.h"

namespace alsbench {
namespace {

// Limits: CUDA programming guide 13.0, "Compute Capabilities", tables of technical specifications
// and of memory; held against the toolkit's own occupancy calculator in tests/unit/device.
// Product figures (SMs, L2, memory as the driver reports it) are those of the named product, from
// NVIDIA's data sheets and architecture white papers.
struct Architecture {
  int number;
  const char* product;
  int multiprocessors;
  int l2_mib;
  int memory_gib;
  int shared_kib_per_block;
  int shared_kib_per_multiprocessor;
  int threads;
  int blocks;
};

constexpr std::array<Architecture, 11> kArchitectures{{
    {75, "Tesla T4", 40, 4, 16, 64, 64, 1024, 16},
    {80, "A100", 108, 40, 80, 163, 164, 2048, 32},
    {86, "RTX A6000", 84, 6, 48, 99, 100, 1536, 16},
    {87, "Jetson AGX Orin", 16, 4, 64, 163, 164, 1536, 16},
    {89, "L40S", 142, 96, 48, 99, 100, 1536, 24},
    {90, "H100 SXM", 132, 50, 80, 227, 228, 2048, 32},
    {100, "B200", 148, 126, 180, 227, 228, 2048, 32},
    {103, "B300", 148, 126, 268, 227, 228, 2048, 32},
    {110, "Jetson AGX Thor", 20, 32, 128, 227, 228, 1536, 24},
    {120, "RTX PRO 6000", 188, 128, 96, 99, 100, 1536, 24},
    {121, "DGX Spark", 48, 24, 128, 99, 100, 1536, 24},
}};
constexpr int kRegistersPerMultiprocessor = 65536;  // 64 K of 32 bits: every one above

std::string known_names() {
  std::string list;
  for (const int known : known_architectures())
    list += (list.empty() ? "" : ", ") + ("sm_" + std::to_string(known));
  return list;
}

}  // namespace

const std::vector<int>& known_architectures() {
  static const std::vector<int> numbers = [] {
    std::vector<int> list;
    for (const auto& architecture : kArchitectures) list.push_back(architecture.number);
    return list;
  }();
  return numbers;
}

bool multiplies_fp8(const DeviceTraits& traits) {
  constexpr std::array kNative{89, 120, 121};
  return std::find(kNative.begin(), kNative.end(), traits.architecture) != kNative.end();
}

DeviceTraits traits_of_architecture(int architecture) {
  const auto* const found =
      std::find_if(kArchitectures.begin(), kArchitectures.end(),
                   [&](const Architecture& a) { return a.number == architecture; });
  if (found == kArchitectures.end())
    throw UsageError("unknown architecture sm_" + std::to_string(architecture) +
                     " (one of: " + known_names() + ")");
  constexpr int64_t kKiB = 1024, kMiB = kKiB * kKiB, kGiB = kKiB * kMiB;
  DeviceTraits traits;
  traits.backend = Backend::cuda;
  traits.name = found->product;
  traits.architecture = found->number;
  traits.multiprocessors = found->multiprocessors;
  traits.memory_bytes = found->memory_gib * kGiB;
  traits.l2_bytes = found->l2_mib * kMiB;
  traits.shared_bytes_per_block = found->shared_kib_per_block * kKiB;
  traits.shared_bytes_per_multiprocessor = found->shared_kib_per_multiprocessor * kKiB;
  traits.registers_per_multiprocessor = kRegistersPerMultiprocessor;
  traits.threads_per_multiprocessor = found->threads;
  traits.blocks_per_multiprocessor = found->blocks;
  return traits;
}

int parse_architecture(const std::string& text) {
  int number = 0;
  const std::string_view prefix = "sm_";
  const char* const end = text.data() + text.size();
  const bool prefixed = text.starts_with(prefix);
  if (prefixed) {
    const auto [stop, error] = std::from_chars(text.data() + prefix.size(), end, number);
    if (error == std::errc() && stop == end && number > 0) return number;
  }
  throw UsageError("'" + text + "' is not an architecture such as sm_90 (one of: " + known_names() +
                   ")");
}

}  // namespace alsbench
