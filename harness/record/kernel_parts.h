// SPDX-License-Identifier: Apache-2.0
// Kernel reports of which a document holds some fields.
#pragma once

#include "harness/record/kernel_report.h"

namespace alsbench {

// Figures that no machine and no launch changes: registers, memory, occupancy, code.
struct KernelResourceReport : KernelReport {};
// The same, and how this process came by the code.
struct KernelBuildReport : KernelReport {};

void describe(Fields<KernelResourceReport>& fields);
void describe(Fields<KernelBuildReport>& fields);

}  // namespace alsbench
