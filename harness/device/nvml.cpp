// SPDX-License-Identifier: Apache-2.0
#include "harness/device/nvml.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "harness/device/nvml_types.h"

namespace alsbench {
namespace {

using namespace nvml;

// nvml.h: nvmlTemperatureSensors_t, nvmlMemoryErrorType_t, nvmlEccCounterType_t and the
// nvmlClocksEventReason* bits.
constexpr int kTemperatureOfGpu = 0;
constexpr int kUncorrected = 1;
constexpr int kVolatileCounter = 0;
constexpr std::array<std::pair<uint64_t, const char*>, 5> kThrottleReasons{{
    {0x04, "software power cap"},
    {0x08, "hardware slowdown"},
    {0x20, "software thermal slowdown"},
    {0x40, "hardware thermal slowdown"},
    {0x80, "hardware power brake"},
}};

NvmlAnswer answer_of(int status) {
  switch (status) {
    case kSuccess:
    case kNotFound:  // no sample
      return NvmlAnswer::ok;
    case kNotSupported:
      return NvmlAnswer::not_supported;
    case kNoPermission:
      return NvmlAnswer::no_permission;
    default:
      return NvmlAnswer::failed;
  }
}

// A list whose length NVML says when it is asked with too little room. A little more room than that
// is offered when it is asked again; the rest is cut off.
template <class Element, class Ask>
NvmlAnswer ask_list(std::vector<Element>& list, const Ask& ask) {
  constexpr unsigned kMore = 8;
  unsigned count = 0;
  int status = ask(nullptr, &count);
  if (status == kInsufficientSize) {
    list.resize(count += kMore);
    status = ask(list.data(), &count);
    if (status == kSuccess) list.resize(std::min<size_t>(count, list.size()));
  }
  if (status != kSuccess || count == 0) list.clear();
  return answer_of(status);
}

template <class Function>
void bind(void* handle, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(handle, name));
}

}  // namespace

struct NvmlDevice::Library {
  void* handle = nullptr;
  int (*initialize)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*driver_version)(char*, unsigned) = nullptr;
  int (*device_at)(const char*, void**) = nullptr;
  int (*power)(void*, unsigned*) = nullptr;
  int (*power_limit)(void*, unsigned*) = nullptr;
  int (*temperature)(void*, int, unsigned*) = nullptr;
  int (*throttle_reasons)(void*, unsigned long long*) = nullptr;
  int (*ecc_mode)(void*, int*, int*) = nullptr;
  int (*mig_mode)(void*, unsigned*, unsigned*) = nullptr;
  int (*ecc_errors)(void*, int, int, unsigned long long*) = nullptr;
  int (*processes)(void*, unsigned*, ProcessInfo*) = nullptr;
  int (*process_use)(void*, UseSample*, unsigned*, unsigned long long) = nullptr;
  int (*field_values)(void*, int, FieldValue*) = nullptr;

  Library() : handle(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (handle == nullptr) return;
    bind(handle, "nvmlInit_v2", initialize);
    bind(handle, "nvmlShutdown", shutdown);
    bind(handle, "nvmlSystemGetDriverVersion", driver_version);
    bind(handle, "nvmlDeviceGetHandleByPciBusId_v2", device_at);
    bind(handle, "nvmlDeviceGetPowerUsage", power);
    bind(handle, "nvmlDeviceGetEnforcedPowerLimit", power_limit);
    bind(handle, "nvmlDeviceGetTemperature", temperature);
    bind(handle, "nvmlDeviceGetCurrentClocksThrottleReasons", throttle_reasons);
    bind(handle, "nvmlDeviceGetEccMode", ecc_mode);
    bind(handle, "nvmlDeviceGetMigMode", mig_mode);
    bind(handle, "nvmlDeviceGetTotalEccErrors", ecc_errors);
    bind(handle, "nvmlDeviceGetComputeRunningProcesses_v3", processes);
    if (processes == nullptr) bind(handle, "nvmlDeviceGetComputeRunningProcesses_v2", processes);
    bind(handle, "nvmlDeviceGetProcessUtilization", process_use);
    bind(handle, "nvmlDeviceGetFieldValues", field_values);
    ready = initialize != nullptr && initialize() == kSuccess;
  }
  ~Library() {
    if (ready && shutdown != nullptr) shutdown();
    if (handle != nullptr) dlclose(handle);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  // Calls a function that this library may lack; true when it answered.
  template <class... Parameters, class... Arguments>
  bool ask(int (*function)(Parameters...), Arguments... arguments) const {
    return ready && function != nullptr && function(arguments...) == kSuccess;
  }

  // Loaded at the first use, unloaded with its last user.
  static std::shared_ptr<const Library> get() {
    static std::weak_ptr<const Library> loaded;
    auto library = loaded.lock();
    if (library == nullptr) loaded = library = std::make_shared<const Library>();
    return library;
  }

  bool ready = false;
};

NvmlDevice::NvmlDevice(const std::string& pci_bus_id) : library_(Library::get()) {
  if (!library_->ask(library_->device_at, pci_bus_id.c_str(), &device_)) device_ = nullptr;
}

NvmlDevice::~NvmlDevice() = default;

std::string NvmlDevice::driver_version() const {
  char text[96] = "";
  return library_->ask(library_->driver_version, text, unsigned{sizeof(text)}) ? text : "";
}

DeviceState NvmlDevice::state() const {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  DeviceState state{kUnknown, kUnknown, 0, false};
  if (device_ == nullptr) return state;
  unsigned milliwatts = 0, celsius = 0;
  if (const auto instant = field(kInstantPower))
    state.power_watts = *instant * 1e-3;
  else if (library_->ask(library_->power, device_, &milliwatts))
    state.power_watts = milliwatts * 1e-3;
  if (library_->ask(library_->temperature, device_, kTemperatureOfGpu, &celsius))
    state.temperature_celsius = celsius;
  state.throttle_reasons = clock_reasons();
  state.available = true;
  return state;
}

std::optional<double> NvmlDevice::energy_joules() const {
  const auto millijoules = field(kTotalEnergy);
  return millijoules ? std::optional(*millijoules * 1e-3) : std::nullopt;
}

uint64_t NvmlDevice::clock_reasons() const {
  unsigned long long reasons = 0;
  if (device_ == nullptr || !library_->ask(library_->throttle_reasons, device_, &reasons)) return 0;
  return reasons;
}

std::optional<double> NvmlDevice::field(unsigned id) const {
  FieldValue value{};
  value.id = id;
  if (device_ == nullptr || !library_->ask(library_->field_values, device_, 1, &value) ||
      value.status != kSuccess)
    return {};
  if (value.type == kDouble) return value.real;
  if (value.type == kUnsigned || value.type == kSigned) return value.word;
  return static_cast<double>(value.integer);
}

std::optional<uint64_t> NvmlDevice::slowed_nanoseconds() const {
  const auto power = field(kPowerCapTime), thermal = field(kThermalCapTime);
  if (!power || !thermal) return {};
  return static_cast<uint64_t>(*power + *thermal);
}

std::optional<double> NvmlDevice::power_limit_watts() const {
  unsigned milliwatts = 0;
  if (device_ == nullptr || !library_->ask(library_->power_limit, device_, &milliwatts)) return {};
  return milliwatts * 1e-3;
}

std::optional<bool> NvmlDevice::ecc_enabled() const {
  int current = 0, pending = 0;
  if (device_ == nullptr || !library_->ask(library_->ecc_mode, device_, &current, &pending))
    return {};
  return current != 0;
}

std::optional<bool> NvmlDevice::mig_enabled() const {
  unsigned current = 0, pending = 0;
  if (device_ == nullptr || !library_->ask(library_->mig_mode, device_, &current, &pending))
    return {};
  return current != 0;
}

std::optional<uint64_t> NvmlDevice::uncorrected_ecc_errors() const {
  unsigned long long count = 0;
  if (device_ == nullptr ||
      !library_->ask(library_->ecc_errors, device_, kUncorrected, kVolatileCounter, &count))
    return {};
  return count;
}

NvmlProcesses NvmlDevice::compute_processes() const {
  if (device_ == nullptr) return {NvmlAnswer::no_library, {}};
  if (library_->processes == nullptr) return {NvmlAnswer::no_function, {}};
  std::vector<ProcessInfo> list;
  NvmlProcesses processes;
  processes.answer = ask_list(list, [&](ProcessInfo* infos, unsigned* count) {
    return library_->processes(device_, count, infos);
  });
  for (const ProcessInfo& process : list) processes.ids.push_back(process.id);
  return processes;
}

NvmlUse NvmlDevice::use_since(std::chrono::system_clock::time_point time) const {
  if (device_ == nullptr) return {NvmlAnswer::no_library, {}};
  if (library_->process_use == nullptr) return {NvmlAnswer::no_function, {}};
  const auto since = static_cast<unsigned long long>(
      std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count());
  std::vector<UseSample> samples;
  NvmlUse use;
  use.answer = ask_list(samples, [&](UseSample* list, unsigned* count) {
    return library_->process_use(device_, list, count, since);
  });
  std::map<unsigned, std::pair<double, int>> sums;  // percent, of so many samples
  for (const UseSample& sample : samples) {
    if (sample.microseconds <= since) continue;
    sums[sample.id].first += sample.multiprocessors;
    ++sums[sample.id].second;
  }
  for (const auto& [id, sum] : sums)
    use.processes.push_back({id, "", sum.first / sum.second / 100});
  std::ranges::stable_sort(use.processes, std::ranges::greater(), &DeviceUse::busy);
  return use;
}

std::string_view reason_of(NvmlAnswer answer) {
  switch (answer) {
    case NvmlAnswer::ok:
      return "";
    case NvmlAnswer::no_library:
      return "NVML (libnvidia-ml.so.1) does not answer for this device";
    case NvmlAnswer::no_function:
      return "this driver's NVML has no such function";
    case NvmlAnswer::not_supported:
      return "NVML does not support it on this device (as with MIG)";
    case NvmlAnswer::no_permission:
      return "NVML does not permit it to this user";
    case NvmlAnswer::failed:
      break;
  }
  return "NVML failed";
}

bool NvmlDevice::is_throttled(uint64_t reasons) {
  for (const auto& [bit, text] : kThrottleReasons)
    if ((reasons & bit) != 0) return true;
  return false;
}

std::string NvmlDevice::throttle_text(uint64_t reasons) {
  std::string list;
  for (const auto& [bit, text] : kThrottleReasons)
    if ((reasons & bit) != 0) list += (list.empty() ? "" : ", ") + std::string(text);
  return list;
}

SlowdownWatch::SlowdownWatch(const NvmlDevice& nvml)
    : nvml_(nvml), counted_(nvml.slowed_nanoseconds()), reasons_(nvml.clock_reasons()) {}

bool SlowdownWatch::slowed(double seconds) const {
  constexpr double kReasonStays = 0.5;  // seconds
  uint64_t reasons = nvml_.clock_reasons();
  if (seconds < kReasonStays) reasons &= ~reasons_;
  const auto counted = nvml_.slowed_nanoseconds();
  if (!counted_ || !counted) return NvmlDevice::is_throttled(reasons);
  return *counted > *counted_ || NvmlDevice::is_throttled(reasons & ~NvmlDevice::kCountedReasons);
}

}  // namespace alsbench
