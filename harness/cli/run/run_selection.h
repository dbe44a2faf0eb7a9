// What the flags of `alsbench run` select: devices, shard and cases. Apart from run_command.cpp so
// that machines with other devices than this one can be tested.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/run/run_options.h"
#include "harness/sweep/suite/case.h"

namespace alsbench {

// The devices of --device on a machine with `cuda_devices` GPUs, each once, as open_device takes
// them. `auto` and `all` name a GPU even where there is none, so that its cases are listed with the
// reason. Throws UsageError for what is no device, EnvironmentError for a GPU that is not there.
std::vector<std::string> parse_devices(const std::string& text, int cuda_devices);

// Throws like parse_devices, and UsageError for a wrong axis or shard.
Selection selection_of(const RunOptions& options, int cuda_devices);

}  // namespace alsbench
