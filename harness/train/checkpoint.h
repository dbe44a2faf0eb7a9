// SPDX-License-Identifier: Apache-2.0
// Checkpoints of a training: its way so far, as a folder that is whole or the old one, and that
// proves itself as a model does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/model/model_files.h"
#include "harness/record/json.h"
#include "harness/train/train.h"

namespace alsbench {

class FolderLock;

struct CheckpointOptions {
  std::string folder;  // empty: none are written
  int every = 1;       // iterations
  std::string resume;  // the folder to go on from; empty: from the start
};

// The files of such a folder.
std::vector<std::string> checkpoint_files();

// The folder that checkpoints are written into; only a checkpoint is replaced there.
ClaimedFolder claimed_folder(const CheckpointOptions& options);

// Requirements of a training that resumes from a checkpoint.
struct CheckpointNeeds {
  Json training;  // what is trained and on what, which must be alike
  int64_t users = 0, items = 0, rank = 0;
  int iterations = 0;  // more than are done
};

// Has a training write checkpoints and go on after one.
class Checkpoints {
 public:
  // Makes the folder and locks it, and reads what is resumed. Of a team, the process that `leads`
  // writes. Throws UsageError, also where the folder holds a checkpoint of another training, and
  // EnvironmentError.
  Checkpoints(const CheckpointOptions& options, CheckpointNeeds needs, bool leads);
  // Tells it to `train`; this must outlive the training.
  void use_in(TrainOptions& train) const;

 private:
  CheckpointOptions options_;
  CheckpointNeeds needs_;
  std::shared_ptr<HeldFolder> held_;  // null where nothing is written
  std::optional<Checkpoint> resumed_;
};

// `training` is that of the needs. `lock` is on the folder.
void write_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint,
                      const Json& training, FolderLock& lock);
// Throws UsageError where the folder holds none, it was changed, or it does not meet the needs.
Checkpoint read_checkpoint(const std::filesystem::path& folder, const CheckpointNeeds& needs);

}  // namespace alsbench
