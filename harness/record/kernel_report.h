// SPDX-License-Identifier: Apache-2.0
// KernelReport: what the compiler said of one kernel of an executable, and how it is launched.
// Empty for CPU and vendor variants.
#pragma once

#include <cstdint>
#include <string>

#include "harness/record/fields/fields.h"

namespace alsbench {

struct KernelReport {
  std::string instance;
  int registers = 0;
  int64_t spill_store_bytes = 0;
  int64_t spill_load_bytes = 0;
  int64_t stack_bytes = 0;
  int64_t static_shared_bytes = 0;
  int64_t dynamic_shared_bytes = 0;
  int block = 0;
  int64_t grid = 0;
  int blocks_per_multiprocessor = 0;  // occupancy calculation
  double occupancy = 0;               // resident threads over the SM's maximum
  std::string code_hash;              // of the cubin's machine code
  double compile_seconds = 0;         // 0 when it came from the cache
  bool from_cache = false;
};

// What a document holds of it, as a sum.
using KernelParts = unsigned;
inline constexpr KernelParts kKernelResources = 1;  // the same on every machine; block among them
inline constexpr KernelParts kKernelLaunch = 2;     // instance, grid
inline constexpr KernelParts kKernelBuild = 4;      // how this process came by the code
inline constexpr KernelParts kWholeKernel = kKernelResources | kKernelLaunch | kKernelBuild;

void describe(Fields<KernelReport>& fields);
Json to_json(const KernelReport& report, KernelParts parts);
KernelReport kernel_report_from_json(const JsonField& json, KernelParts parts);

}  // namespace alsbench
