// SPDX-License-Identifier: Apache-2.0
// plan_memory(): how many bytes a training would take on its device and on the host, and for what,
// before it takes them. It is set up on a PlannedDevice, so nothing is counted twice.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/device/planned_device.h"
#include "harness/train/train.h"

namespace alsbench {

struct MemoryPlan {
  std::string device;                 // its name
  bool on_host = false;               // the device's memory is the host's
  int64_t free_bytes = 0;             // of the device, up to its limit
  int64_t device_bytes = 0;           // that the training takes, or would where it does not fit
  int64_t needed_bytes = 0;           // free ones with which it fits, up to a sixteenth too many
  std::vector<MemoryPart> on_device;  // the largest first
  std::vector<MemoryPart> host;       // likewise: ratings, and the factors of the model
  bool fits = false;
  bool streams = false;      // some ratings are read from the host again and again
  int32_t rank = 0;          // that was asked for
  int32_t largest_rank = 0;  // that fits, up to 1024 or the one asked for; 0: none
};

// `options`: whose recipe may lack pipelines, which `choose` finds for each rank. Scratch memory of
// vendors' libraries and of the CPU's threads is not known, nor is the context of a driver.
// Throws UsageError for a team of several.
MemoryPlan plan_memory(const TrainingPlace& place, const TrainOptions& options,
                       const ChoosePipelines& choose);

}  // namespace alsbench
