// SPDX-License-Identifier: Apache-2.0
// EnergyMeter: the joules of a device since some moment. Of a GPU NVML's counter, else its power;
// of a CPU the counters of its packages (RAPL, by /sys/class/powercap).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/device/nvml.h"
#include "harness/record/energy_record.h"

namespace alsbench {

class EnergyMeter {
 public:
  // Of a device as open_device takes it: "cpu", "0".
  static EnergyMeter of_device(const std::string& id);
  // Of a GPU at a PCI address.
  static EnergyMeter of_gpu(const std::string& pci_bus_id);
  // Of the packages whose folders lie there.
  static EnergyMeter of_packages(const std::filesystem::path& folder);

  // Nothing where there is neither counter nor power.
  std::optional<EnergySource> source() const { return source_; }
  const std::string& remedy() const { return remedy_; }  // where there is none
  // Of a counter the joules so far, of power the watts now.
  double read();

 private:
  struct Package {
    std::filesystem::path file;
    double last = 0, range = 0, total = 0;  // microjoules; a counter wraps at its range
  };
  static std::optional<double> number_in(const std::filesystem::path& file);

  std::optional<EnergySource> source_;
  std::string remedy_;
  std::unique_ptr<NvmlDevice> gpu_;
  std::vector<Package> packages_;
};

}  // namespace alsbench
