// SPDX-License-Identifier: Apache-2.0
#include "harness/device/gpu_contention.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string_view>

namespace alsbench {
namespace {

constexpr std::chrono::milliseconds kWindow{1000}, kMinInterval{100};
// Kernels of a process that ended just before this one began may still be in a sample.
constexpr std::chrono::milliseconds kAfterOpening{200};

std::set<int64_t> ids_of(const NvmlProcesses& processes) {
  return {processes.ids.begin(), processes.ids.end()};
}

}  // namespace

GpuContention::GpuContention(const NvmlDevice& nvml)
    : nvml_(nvml), before_(ids_of(nvml.compute_processes())) {}

void GpuContention::opened(Time now) {
  opened_ = now;
  const NvmlProcesses processes = nvml_.compute_processes();
  const std::set<int64_t> after = ids_of(processes);
  own_.clear();
  same_namespace_ = after.contains(getpid());
  if (same_namespace_)
    own_.insert(getpid());
  else  // the one that came with the context
    std::set_difference(after.begin(), after.end(), before_.begin(), before_.end(),
                        std::inserter(own_, own_.end()));
  unknown_ = processes.answer != NvmlAnswer::ok ? std::string(reason_of(processes.answer))
             : own_.empty() ? "NVML does not list this process, as in some containers"
                            : "";
}

const std::vector<DeviceUse>& GpuContention::busy(Time now) {
  if (own_.empty() || now < asked_ + kMinInterval) return busy_;
  asked_ = now;
  const NvmlUse use = nvml_.use_since(std::max(now - kWindow, opened_ + kAfterOpening));
  unknown_ = reason_of(use.answer);
  busy_.clear();
  for (DeviceUse process : use.processes) {
    if (own_.contains(process.id) || process.busy <= 0) continue;
    if (same_namespace_) process.name = process_name(process.id);
    busy_.push_back(std::move(process));
  }
  return busy_;
}

std::string process_name(int64_t id) {
  std::ifstream file(fmt::format("/proc/{}/comm", id));
  std::string name;
  std::getline(file, name);
  return name;
}

bool ids_are_the_machines() {
  constexpr std::string_view kInitial = "pid:[4026531836]";  // PROC_PID_INIT_INO of Linux
  std::array<char, 64> target{};
  const ssize_t length = readlink("/proc/self/ns/pid", target.data(), target.size());
  return length > 0 && std::string_view(target.data(), static_cast<size_t>(length)) == kInitial;
}

}  // namespace alsbench
