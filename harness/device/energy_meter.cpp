// SPDX-License-Identifier: Apache-2.0
#include "harness/device/energy_meter.h"

#include <cmath>
#include <fstream>
#include <memory>
#include <vector>

#include "harness/device/nvml.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

std::optional<double> number_in(const fs::path& file) {
  std::ifstream stream(file);
  double number = 0;
  if (!(stream >> number)) return std::nullopt;
  return number;
}

struct Package {
  fs::path file;
  double last = 0, range = 0, total = 0;  // microjoules; a counter wraps at its range
};

double joules_of(std::vector<Package>& packages) {
  double microjoules = 0;
  for (Package& package : packages) {
    const double now = number_in(package.file).value_or(package.last);
    package.total += now >= package.last ? now - package.last : now + package.range - package.last;
    package.last = now;
    microjoules += package.total;
  }
  return microjoules * 1e-6;
}

}  // namespace

EnergyMeter EnergyMeter::of_gpu(const std::string& pci_bus_id) {
  const auto gpu = std::make_shared<const NvmlDevice>(pci_bus_id);
  if (gpu->energy_joules())
    return {EnergySource::counter, [gpu] { return gpu->energy_joules().value_or(0); }};
  if (!std::isnan(gpu->state().power_watts))
    return {EnergySource::power, [gpu] { return gpu->state().power_watts; }};
  return EnergyMeter("its driver's NVML tells neither energy nor power; alsbench doctor says more");
}

EnergyMeter EnergyMeter::of_packages(const fs::path& folder) {
  std::vector<Package> packages;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    // intel-rapl:0 is a package, intel-rapl:0:1 a part of it; AMD's have the same names.
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("intel-rapl:") || name.find(':', name.find(':') + 1) != std::string::npos)
      continue;
    const auto now = number_in(entry.path() / "energy_uj");
    const auto range = number_in(entry.path() / "max_energy_range_uj");
    if (now) packages.push_back({entry.path() / "energy_uj", *now, range.value_or(0), 0});
  }
  if (packages.empty())
    return EnergyMeter(
        "no counter of the processor can be read: " + folder.string() +
        "/intel-rapl:*/energy_uj, which root may; give this user the right to read it");
  return {EnergySource::counter,
          [packages = std::move(packages)]() mutable { return joules_of(packages); }};
}

}  // namespace alsbench
