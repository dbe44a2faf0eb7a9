// SPDX-License-Identifier: Apache-2.0
// Options of `alsbench train` that write checkpoints and go on after one.
#pragma once

#include "harness/train/checkpoint.h"

namespace CLI {
class App;
}

namespace alsbench {

void add_checkpoint_options(CLI::App& command, CheckpointOptions& options);

}  // namespace alsbench
