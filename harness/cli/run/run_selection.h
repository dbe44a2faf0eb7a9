// SPDX-License-Identifier: Apache-2.0
// Devices, shard and cases that the flags of `alsbench run` select. Apart from run_suites.cpp so
// that machines with other devices than this one can be tested.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/run/run_options.h"
#include "harness/sweep/suite/expansion.h"

namespace alsbench {

// The devices of a run on a machine with `cuda_devices` GPUs: those of --device, else the CPU and
// the first GPU. The latter is named even where there is none. Throws like several_devices.
std::vector<std::string> devices_of(const RunOptions& options, int cuda_devices);

// Throws like devices_of, and UsageError for a wrong axis or shard.
Selection selection_of(const RunOptions& options, int cuda_devices);

}  // namespace alsbench
