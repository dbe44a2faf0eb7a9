// SPDX-License-Identifier: Apache-2.0
// The few numbers of NVML that records want, through dlopen("libnvidia-ml.so.1"). Neither its
// header nor the driver is needed to build or start.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/device/device.h"
#include "harness/record/measurement_record.h"

namespace alsbench {

enum class NvmlAnswer { ok, no_library, no_function, not_supported, no_permission, failed };
// "this device does not support it"; "" for ok.
std::string_view reason_of(NvmlAnswer answer);

struct NvmlProcesses {
  NvmlAnswer answer = NvmlAnswer::failed;
  std::vector<int64_t> ids;  // of the machine; a container may have others for them
};

struct NvmlUse {
  NvmlAnswer answer = NvmlAnswer::failed;
  std::vector<DeviceUse> processes;  // without names, the busiest first
};

class NvmlDevice {
 public:
  // The device at a PCI address such as "0000:18:00.0". Where NVML or the device is missing, every
  // answer is empty.
  explicit NvmlDevice(const std::string& pci_bus_id);
  ~NvmlDevice();
  NvmlDevice(const NvmlDevice&) = delete;
  NvmlDevice& operator=(const NvmlDevice&) = delete;

  std::string driver_version() const;  // "580.65.06", of the machine; "" without NVML
  // Power as it is now where this NVML tells it, else the mean of the last second.
  DeviceState state() const;
  std::optional<double> energy_joules() const;  // since the driver was loaded
  uint64_t clock_reasons() const;  // bits of nvmlClocksEventReasons; 0 where it does not say
  // Time that power and thermal caps slowed the device down, since the driver was loaded.
  std::optional<uint64_t> slowed_nanoseconds() const;
  std::optional<double> power_limit_watts() const;
  std::optional<bool> ecc_enabled() const;
  std::optional<bool> mig_enabled() const;
  std::optional<uint64_t> uncorrected_ecc_errors() const;  // since the driver was loaded
  NvmlProcesses compute_processes() const;                 // those with a context on the device
  // Of each process, the share of time that its kernels ran in the samples since then.
  NvmlUse use_since(std::chrono::system_clock::time_point time) const;
  // Those that slowed_nanoseconds() counts: power cap and thermal slowdown by software.
  static constexpr uint64_t kCountedReasons = 0x04 | 0x20;
  // Clock events that slow a device down: power cap, thermal and hardware slowdown, power brake.
  static bool is_throttled(uint64_t reasons);
  // "hardware slowdown, thermal"; "" for none.
  static std::string throttle_text(uint64_t reasons);

 private:
  struct Library;
  std::optional<double> field(unsigned id) const;  // nvmlDeviceGetFieldValues

  std::shared_ptr<const Library> library_;
  void* device_ = nullptr;
};

// Whether the driver slowed a device down while some work ran.
class SlowdownWatch {
 public:
  // Begins now; `nvml` must outlive it.
  explicit SlowdownWatch(const NvmlDevice& nvml);
  // Until now, by work of so many seconds. NVML counts the time under a power cap or a thermal one,
  // in steps of some 100 ms. Reasons tell where it does not: they stay for half a second after
  // their cause, so those of before count for no shorter work.
  bool slowed(double seconds) const;

 private:
  const NvmlDevice& nvml_;
  std::optional<uint64_t> counted_;  // nanoseconds
  uint64_t reasons_;
};

}  // namespace alsbench
