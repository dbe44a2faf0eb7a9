// SPDX-License-Identifier: Apache-2.0
// EnergyMeter: the joules of a device since some moment. Of a GPU NVML's counter, else its power;
// of a CPU the counters of its packages (RAPL, by /sys/class/powercap).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "harness/record/energy_record.h"

namespace alsbench {

class EnergyMeter {
 public:
  // Of a device that tells neither; `remedy` says why, or what helps.
  explicit EnergyMeter(std::string remedy) : remedy_(std::move(remedy)) {}
  EnergyMeter(EnergySource source, std::function<double()> read)
      : source_(source), read_(std::move(read)) {}
  // Of a GPU at a PCI address.
  static EnergyMeter of_gpu(const std::string& pci_bus_id);
  // Of the packages whose folders lie there.
  static EnergyMeter of_packages(const std::filesystem::path& folder = "/sys/class/powercap");

  // Nothing where there is neither counter nor power.
  std::optional<EnergySource> source() const { return source_; }
  const std::string& remedy() const { return remedy_; }  // where there is none
  // Of a counter the joules so far, of power the watts now.
  double read() const { return read_(); }

 private:
  std::optional<EnergySource> source_;
  std::string remedy_;
  std::function<double()> read_;
};

}  // namespace alsbench
