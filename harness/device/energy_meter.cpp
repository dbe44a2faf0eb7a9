// SPDX-License-Identifier: Apache-2.0
#include "harness/device/energy_meter.h"

#include <cmath>
#include <fstream>

#include "harness/device/cuda_backend.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPackages = "/sys/class/powercap";

}  // namespace

EnergyMeter EnergyMeter::of_device(const std::string& id) {
  return id == "cpu" ? of_packages(kPackages) : of_gpu(cuda_pci_bus_id(std::stoi(id)));
}

EnergyMeter EnergyMeter::of_gpu(const std::string& pci_bus_id) {
  EnergyMeter meter;
  meter.gpu_ = std::make_unique<NvmlDevice>(pci_bus_id);
  if (meter.gpu_->energy_joules())
    meter.source_ = EnergySource::counter;
  else if (!std::isnan(meter.gpu_->state().power_watts))
    meter.source_ = EnergySource::power;
  meter.remedy_ = "its driver's NVML tells neither energy nor power; alsbench doctor says more";
  return meter;
}

EnergyMeter EnergyMeter::of_packages(const fs::path& folder) {
  EnergyMeter meter;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    // intel-rapl:0 is a package, intel-rapl:0:1 a part of it; AMD's have the same names.
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("intel-rapl:") || name.find(':', name.find(':') + 1) != std::string::npos)
      continue;
    const auto now = number_in(entry.path() / "energy_uj");
    const auto range = number_in(entry.path() / "max_energy_range_uj");
    if (now) meter.packages_.push_back({entry.path() / "energy_uj", *now, range.value_or(0), 0});
  }
  if (!meter.packages_.empty()) meter.source_ = EnergySource::counter;
  meter.remedy_ = "no counter of the processor can be read: " + folder.string() +
                  "/intel-rapl:*/energy_uj, which root may; give this user the right to read it";
  return meter;
}

double EnergyMeter::read() {
  if (gpu_ != nullptr)
    return source_ == EnergySource::counter ? gpu_->energy_joules().value_or(0)
                                            : gpu_->state().power_watts;
  double microjoules = 0;
  for (Package& package : packages_) {
    const double now = number_in(package.file).value_or(package.last);
    package.total += now >= package.last ? now - package.last : now + package.range - package.last;
    package.last = now;
    microjoules += package.total;
  }
  return microjoules * 1e-6;
}

std::optional<double> EnergyMeter::number_in(const fs::path& file) {
  std::ifstream stream(file);
  double number = 0;
  if (!(stream >> number)) return std::nullopt;
  return number;
}

}  // namespace alsbench
