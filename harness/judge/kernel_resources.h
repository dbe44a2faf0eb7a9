// SPDX-License-Identifier: Apache-2.0
// Resources that a kernel takes of its multiprocessor, and the one rule that judges a change of
// them.
#pragma once

#include <vector>

#include "harness/record/comparison_record.h"
#include "harness/record/kernel_report.h"

namespace alsbench {

// -1: not known.
struct KernelResources {
  double registers = -1;     // a thread
  double local_bytes = -1;   // a thread: spills and stack
  double shared_bytes = -1;  // a block, static and dynamic
  double occupancy = -1;     // resident threads over the multiprocessor's most
};

KernelResources resources_of(const KernelReport& report);

// The resources that changed and are known on both sides. Lower occupancy and more local memory are
// worse, whatever the reason. Registers and shared memory are only reported, because what they cost
// is occupancy.
std::vector<FigureChange> resource_changes(const KernelResources& base,
                                           const KernelResources& test);

}  // namespace alsbench
