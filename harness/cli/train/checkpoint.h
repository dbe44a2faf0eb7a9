// SPDX-License-Identifier: Apache-2.0
// `alsbench train --checkpoint` and `--resume`: a training's way so far, as a folder that is whole
// or the old one, and that proves itself as a model does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "harness/record/json.h"
#include "harness/train/train.h"

namespace CLI {
class App;
}

namespace alsbench {

class FolderLock;

struct CheckpointOptions {
  std::string folder;  // empty: none are written
  int every = 1;       // iterations
  std::string resume;  // the folder to go on from; empty: from the start
};

void add_checkpoint_options(CLI::App& command, CheckpointOptions& options);

// The files of such a folder.
std::vector<std::string> checkpoint_files();

// What a training must have to go on after a checkpoint.
struct CheckpointNeeds {
  Json training;  // what is trained and on what, which must be alike
  int64_t users = 0, items = 0, rank = 0;
  int iterations = 0;  // more than are done
};

// `training` is that of the needs. `lock` is on the folder.
void write_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint,
                      const Json& training, FolderLock& lock);
// Throws UsageError where the folder holds none, it was changed, or it does not meet the needs.
Checkpoint read_checkpoint(const std::filesystem::path& folder, const CheckpointNeeds& needs);

}  // namespace alsbench
