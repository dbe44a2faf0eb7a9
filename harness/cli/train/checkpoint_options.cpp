// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/train/checkpoint_options.h"

#include <CLI/CLI.hpp>

#include "harness/cli/validators.h"

namespace alsbench {

void add_checkpoint_options(CLI::App& command, CheckpointOptions& options) {
  CLI::Option* folder = command.add_option("--checkpoint", options.folder,
                                           "Folder of checkpoints; only the latest is kept");
  command.add_option("--every", options.every, "Iterations between checkpoints")
      ->check(above_zero())
      ->needs(folder)
      ->capture_default_str();
  command.add_option("--resume", options.resume,
                     "Resume from the checkpoint in this folder, with the same options");
}

}  // namespace alsbench
