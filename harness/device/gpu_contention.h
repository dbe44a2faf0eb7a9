// SPDX-License-Identifier: Apache-2.0
// GpuContention: which other processes keep a GPU busy, as far as NVML says.
#pragma once

#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "harness/device/nvml.h"
#include "harness/record/measurement_record.h"

namespace alsbench {

// NVML samples a process's use every sixth of a second to a second: a second is looked back at.
class GpuContention {
 public:
  using Time = std::chrono::system_clock::time_point;

  // Before this process has a context on the device; `nvml` must outlive it.
  explicit GpuContention(const NvmlDevice& nvml);
  // After the context was made: finds out which of NVML's ids is this process.
  void opened(Time now = std::chrono::system_clock::now());
  // Other processes that ran kernels in the second before now, the busiest first. Asked from NVML
  // ten times a second at most.
  const std::vector<DeviceUse>& busy(Time now = std::chrono::system_clock::now());
  // Why there is no telling; "" where there is.
  const std::string& unknown() const { return unknown_; }

 private:
  const NvmlDevice& nvml_;
  std::set<int64_t> before_, own_;
  bool same_namespace_ = false;  // of process ids: NVML's are this process's
  Time opened_, asked_;
  std::vector<DeviceUse> busy_;
  std::string unknown_;
};

// Of a process of this machine, where its ids are those of NVML: not in a container.
std::string process_name(int64_t id);
bool ids_are_the_machines();

}  // namespace alsbench
