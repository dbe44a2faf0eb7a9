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

void describe(Fields<KernelReport>& fields);

// Figures that no machine and no launch changes: registers, memory, occupancy, code.
struct KernelResourceReport : KernelReport {};
// The same, and how this process came by the code.
struct KernelBuildReport : KernelReport {};

void describe(Fields<KernelResourceReport>& fields);
void describe(Fields<KernelBuildReport>& fields);

}  // namespace alsbench
