// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/device/fake_nvml/fake_nvml.h"

#include "harness/device/nvml_types.h"

namespace {

using namespace alsbench::nvml;

// As NVML gives lists: too little room is an error that says how much is needed.
template <class Element, class Make>
int give(unsigned present, Element* list, unsigned* count, const Make& make) {
  const unsigned room = list == nullptr ? 0 : *count;
  *count = present;
  if (present > room) return kInsufficientSize;
  for (unsigned i = 0; i < present; ++i) list[i] = make(i);
  return 0;
}

}  // namespace

extern "C" {

FakeNvml fake_nvml;

int nvmlInit_v2() { return 0; }
int nvmlShutdown() { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char*, void** device) {
  *device = &fake_nvml;
  return 0;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, ProcessInfo* infos) {
  if (fake_nvml.processes_status != 0) return fake_nvml.processes_status;
  return give(fake_nvml.process_count, infos, count, [](unsigned i) {
    return ProcessInfo{fake_nvml.processes[i], 1, 0, 0};
  });
}
int nvmlDeviceGetProcessUtilization(void*, UseSample* list, unsigned* count, unsigned long long) {
  if (fake_nvml.use_status != 0) return fake_nvml.use_status;
  return give(fake_nvml.use_count, list, count, [](unsigned i) {
    const FakeNvml::Use& use = fake_nvml.uses[i];
    return UseSample{use.id, use.microseconds, use.percent, 0, 0, 0};
  });
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  *reasons = fake_nvml.clock_reasons;
  return 0;
}
int nvmlDeviceGetFieldValues(void*, int count, FieldValue* values) {
  for (int i = 0; i < count; ++i) {
    values[i].status = fake_nvml.fields_status;
    values[i].type = values[i].id == kInstantPower ? kUnsigned : 3;
    if (values[i].id == kInstantPower) values[i].word = fake_nvml.milliwatts;
    if (values[i].id == kTotalEnergy) values[i].integer = fake_nvml.millijoules;
    if (values[i].id == kTotalEnergy && fake_nvml.no_energy) values[i].status = kNotSupported;
    if (values[i].id == kPowerCapTime) values[i].integer = fake_nvml.power_cap_nanoseconds;
    if (values[i].id == kThermalCapTime) values[i].integer = fake_nvml.thermal_cap_nanoseconds;
  }
  return 0;
}
}
