// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/inspect/doctor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>
#include <sched.h>
#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>
#include <thread>

#include "base/clock.h"
#include "base/error.h"
#include "harness/device/counters_unavailable.h"
#include "harness/device/cuda_backend.h"
#include "harness/device/device.h"
#include "harness/device/gpu_contention.h"
#include "harness/device/nvml.h"
#include "harness/files/cache_folder.h"
#include "harness/record/escape.h"
#include "harness/record/tables.h"
#include "kernels/cpu/blas.h"
#include "kernels/load/shared_library.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

constexpr double kGiB = 1 << 30;

Finding fine(const std::string& name, const std::string& text) {
  return {name, Health::ok, text, ""};
}

// What OpenMP gives to work for so many threads.
struct Given {
  int threads = 0, processors = 0;  // processors: that they may run on, all together
};

Given given_by_openmp(int threads) {
  Given given;
  cpu_set_t all;
  CPU_ZERO(&all);
#pragma omp parallel num_threads(threads)  // cannot throw
  {
    cpu_set_t own;
    CPU_ZERO(&own);
    sched_getaffinity(0, sizeof own, &own);
#pragma omp critical
    {
      CPU_OR(&all, &all, &own);
      given.threads = omp_get_num_threads();
    }
  }
  given.processors = CPU_COUNT(&all);
  return given;
}

Finding cpu_threads() {
  const int threads = open_cpu_device()->traits().multiprocessors;
  const Given given = given_by_openmp(threads);
  if (given.threads < threads)
    return {"cpu threads", Health::warn,
            fmt::format("OpenMP starts {} of {} threads", given.threads, threads),
            "unset OMP_DYNAMIC"};
  if (given.processors < threads)
    return {"cpu threads", Health::warn,
            fmt::format("{} threads share {} hardware threads, so they wait for each other",
                        threads, given.processors),
            fmt::format("set OMP_NUM_THREADS={}, or unset OMP_PLACES and GOMP_CPU_AFFINITY",
                        given.processors)};
  Finding finding{
      "cpu threads", Health::ok,
      fmt::format("{} of {} hardware threads used", threads, std::thread::hardware_concurrency()),
      ""};
  double quota = 0, period = 0;
  std::ifstream limit("/sys/fs/cgroup/cpu.max");  // "max 100000" where there is none
  if (limit >> quota >> period && quota / period < threads) {
    finding.health = Health::warn;
    finding.text += fmt::format(", but this container may use {:.1f} CPUs", quota / period);
    finding.remedy =
        fmt::format("set OMP_NUM_THREADS={}", std::max(1.0, std::floor(quota / period)));
  }
  return finding;
}

// A fact, and no fault where there are none.
Finding tiles() {
  const DeviceTraits traits = open_cpu_device()->traits();
  if (!traits.tiles)
    return fine("cpu tiles", traits.no_tiles + ", so the variants called tiles cannot run");
  const std::string bfloats =
      traits.bfloat_tiles ? "" : "; " + traits.no_bfloat_tiles + ", so factors=bf16 cannot run";
  return fine("cpu tiles", "AMX, which the variants called tiles use" + bfloats);
}

Finding waiting_threads() {
  for (const char* variable : {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || strcasecmp(value, "passive") == 0) continue;
    return {"idle threads", Health::warn,
            fmt::format("{}={}: CPU times are too long if they spin while other programs run",
                        variable, value),
            fmt::format("unset {}", variable)};
  }
  return fine("idle threads", "passive: they leave the processor to others");
}

struct BusyProcess {
  int id = 0;
  std::string name;
  double processors = 0;  // that it kept busy
};

struct Used {
  std::string name;
  double seconds = 0;
};

// Of /proc/PID/stat (proc_pid_stat(5)): the name in parentheses, which may have any characters;
// behind it the 12th and the 13th field are the ticks in user and in kernel mode.
Used used_by(const std::filesystem::path& process) {
  std::ifstream file(process / "stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const size_t open = text.find('('), close = text.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  std::istringstream rest(text.substr(close + 1));
  std::string skipped;
  for (int field = 0; field < 11; ++field) rest >> skipped;
  double user = 0, kernel = 0;
  rest >> user >> kernel;
  return {text.substr(open + 1, close - open - 1),
          (user + kernel) / static_cast<double>(sysconf(_SC_CLK_TCK))};
}

std::map<int, Used> used_by_all() {
  std::map<int, Used> all;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename().string();
    int id = 0;
    const auto [end, bad] = std::from_chars(name.data(), name.data() + name.size(), id);
    if (bad == std::errc() && end == name.data() + name.size() && id != getpid())
      all[id] = used_by(entry.path());
  }
  return all;
}

// Other processes that use a tenth of a processor or more while this one waits for so many seconds,
// the busiest first. Only those that Linux's /proc shows to this user, of this container.
std::vector<BusyProcess> busy_processes(double seconds) {
  constexpr double kBusy = 0.1;
  const std::map<int, Used> before = used_by_all();
  const auto begin = Clock::now();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  const std::map<int, Used> after = used_by_all();
  const double elapsed = seconds_since(begin);
  std::vector<BusyProcess> busy;
  for (const auto& [id, used] : after) {
    const auto known = before.find(id);
    const double since = used.seconds - (known == before.end() ? 0 : known->second.seconds);
    if (since >= kBusy * elapsed) busy.push_back({id, used.name, since / elapsed});
  }
  std::sort(busy.begin(), busy.end(),
            [](const auto& a, const auto& b) { return a.processors > b.processors; });
  return busy;
}

// "make (1234) 1.9, cc1plus (77) 0.3"
std::string busy_text(const std::vector<BusyProcess>& processes) {
  std::vector<std::string> texts;
  for (const BusyProcess& process : processes)
    texts.push_back(
        fmt::format("{} ({}) {:.1f}", visible(process.name), process.id, process.processors));
  return fmt::format("{}", fmt::join(texts, ", "));
}

Finding idle_processors() {
  constexpr double kSeconds = 0.5;
  const std::vector<BusyProcess> busy = busy_processes(kSeconds);
  if (busy.empty()) return fine("other work", "none that this user sees");
  return {"other work", Health::warn, "processors are in use by " + busy_text(busy),
          "end it, or wait: CPU times that it disturbs are taken again, and marked where that "
          "does not help"};
}

Finding cpu_governor() {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  std::string governor;
  if (!(file >> governor)) return fine("cpu clock", "scaling is not visible here");
  if (governor == "performance") return fine("cpu clock", "governor performance");
  return {"cpu clock", Health::warn, "governor " + governor + ": CPU timings will vary",
          "sudo cpupower frequency-set -g performance"};
}

Finding openblas() {
  Finding finding{"openblas", Health::ok, "runs its kernels for " + blas_core(), ""};
  const std::string better = better_blas_core();
  if (better.empty()) return finding;
  finding.health = Health::warn;
  finding.text += ", far below this processor";
  finding.remedy = "set OPENBLAS_CORETYPE=" + better;
  return finding;
}

Finding host_memory() {
  const double free_gib = static_cast<double>(open_cpu_device()->free_bytes()) / kGiB;
  if (free_gib >= 2) return fine("memory", fmt::format("{:.1f} GiB free", free_gib));
  return {"memory", Health::warn, fmt::format("{:.1f} GiB free", free_gib),
          "close other programs, or choose smaller problems with --scale"};
}

Finding cache() {
  const fs::path folder = cache_folder();
  if (folder.empty())
    return {"cache", Health::warn, "no folder: every start compiles and generates again",
            "set ALSBENCH_CACHE_DIR to a writable folder"};
  std::error_code error;
  fs::create_directories(folder, error);
  if (access(folder.c_str(), W_OK) != 0)
    return {"cache", Health::warn, folder.string() + " is not writable",
            "set ALSBENCH_CACHE_DIR to a writable folder"};
  return fine("cache", folder.string());
}

Finding disk_space(const std::string& name, const fs::path& folder) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  if (error) return {name, Health::warn, folder.string() + ": " + error.message(), "create it"};
  const double gib = static_cast<double>(space.available) / kGiB;
  const Health health = gib < 0.1 ? Health::fail : gib < 2 ? Health::warn : Health::ok;
  return {name, health, fmt::format("{:.1f} GiB free in {}", gib, folder.string()),
          health == Health::ok ? "" : "free some space, or set ALSBENCH_CACHE_DIR elsewhere"};
}

Finding toolkit(const CudaVersions& versions) {
  if (!cuda_built())
    return {"cuda backend", Health::warn, "built for the CPU only", std::string(kBuiltWithoutCuda)};
  const auto found = [](const std::string& version) {
    return version.empty() ? std::string("missing") : version;
  };
  return fine("cuda backend", fmt::format("toolkit {}, cuBLAS {}, cuSOLVER {}, cuSPARSE {}",
                                          versions.toolkit, found(versions.cublas),
                                          found(versions.cusolver), found(versions.cusparse)));
}

Finding nvrtc(const CudaVersions& versions) {
  if (versions.nvrtc.empty())
    return {"nvrtc", versions.driver.empty() ? Health::warn : Health::fail,
            "missing: kernels of GPUs cannot be compiled",
            fmt::format("install NVRTC of the CUDA toolkit {}{}, or name its folder in "
                        "LD_LIBRARY_PATH; CPU variants do without",
                        versions.toolkit, python_extra(versions.toolkit))};
  try {
    compile_kernel({"kernels/cuda/device/clock_probe.cuh", "alsbench::clock_probe", 80});
    return fine("nvrtc", "NVRTC " + versions.nvrtc + " compiles");
  } catch (const CompileError& error) {
    return {"nvrtc", Health::fail, error.what(),
            "check that libnvrtc-builtins of the same version is next to libnvrtc"};
  }
}

// Kernels that need no compiler; nothing where the program has no pack.
std::optional<Finding> packed_kernels() {
  const std::optional<KernelPackInfo> pack = kernel_pack();
  if (!pack) return std::nullopt;
  return Finding{
      "kernel pack", Health::ok,
      fmt::format("{} kernels by NVRTC {} for sm_{} at ranks {}, {:.1f} MB in {}", pack->kernels,
                  pack->nvrtc, fmt::join(pack->architectures, ", sm_"),
                  fmt::join(pack->ranks, ", "), static_cast<double>(pack->bytes) / 1e6, pack->path),
      ""};
}

Finding driver(const CudaVersions& versions) {
  if (versions.driver.empty())
    return {"driver", Health::warn, "none: CUDA variants can be compiled, not run",
            "install the NVIDIA driver (in a container: start it with --gpus all)"};
  const std::string text =
      fmt::format("supports CUDA {}; this build uses {}", versions.driver, versions.runtime);
  if (std::stoi(versions.driver) < std::stoi(versions.runtime))
    return {"driver", Health::fail, text,
            "update the NVIDIA driver, or build with an older toolkit"};
  return fine("driver", text);
}

// Whether `run --counters` can count on a device, by counting there.
Finding counters(const std::string& id) {
  const std::string name = id == "cpu" ? "counters" : fmt::format("gpu {} counters", id);
  try {
    const auto device = open_device(id);
    device->count([] {}, [&] { device->time([] {}); });
    return fine(name, "can be read");
  } catch (const CountersUnavailable& refused) {
    const CountersFailure& refusal = refused.refusal;
    const bool none = refusal.why == CountersFailureKind::unsupported;
    return {name, none ? Health::ok : Health::warn,
            fmt::format("cannot be read ({}): {}", name_of(refusal.why), refusal.detail),
            none ? "" : refusal.remedy};
  } catch (const EnvironmentError& error) {
    return {name, Health::warn, error.what(), "see the findings above"};
  }
}

Finding gpu_state(int ordinal) {
  const DeviceTraits traits = cuda_device_traits(ordinal);
  const NvmlDevice nvml(cuda_pci_bus_id(ordinal));
  const DeviceState state = nvml.state();
  Finding finding{fmt::format("gpu {}", ordinal), Health::ok,
                  fmt::format("{} (sm_{}), {:.0f} GiB", traits.name, traits.architecture,
                              static_cast<double>(traits.memory_bytes) / kGiB),
                  ""};
  if (!state.available) {
    finding.health = Health::warn;
    finding.text += ", state unknown";
    finding.remedy = "install libnvidia-ml.so.1 (part of the driver) to record power and clocks";
    return finding;
  }
  finding.text += fmt::format(", {:.0f} W, {:.0f} C", state.power_watts, state.temperature_celsius);
  if (nvml.mig_enabled().value_or(false)) finding.text += ", MIG on";
  if (NvmlDevice::is_throttled(state.throttle_reasons)) {
    finding.health = Health::warn;
    finding.text += ", slowed down: " + NvmlDevice::throttle_text(state.throttle_reasons);
    finding.remedy = "let it cool, or check its power limit; samples will be marked as throttled";
  }
  if (const uint64_t errors = nvml.uncorrected_ecc_errors().value_or(0); errors > 0) {
    finding.health = Health::fail;
    finding.text += fmt::format(", {} uncorrected ECC errors", errors);
    finding.remedy = "reset the GPU or use another one";
  }
  return finding;
}

// Other processes on a GPU; this one has no context there.
Finding gpu_others(int ordinal) {
  constexpr std::chrono::seconds kWindow{1};
  const NvmlDevice nvml(cuda_pci_bus_id(ordinal));
  const std::string name = fmt::format("gpu {} others", ordinal);
  NvmlUse use = nvml.use_since(std::chrono::system_clock::now() - kWindow);
  if (use.answer != NvmlAnswer::ok)
    return fine(name, fmt::format("unknown: {}", reason_of(use.answer)));
  std::vector<DeviceUse> busy;
  for (DeviceUse& process : use.processes) {
    if (process.busy <= kDisturbingShare) continue;
    if (ids_are_the_machines()) process.name = process_name(process.id);
    busy.push_back(std::move(process));
  }
  if (!busy.empty())
    return {name, Health::warn, "other processes run kernels: " + text_of(busy),
            "end them, or choose another GPU: samples that they disturb are taken again, and "
            "marked where that does not help"};
  const size_t contexts = nvml.compute_processes().ids.size();
  return fine(name, contexts == 0 ? "none that NVML sees"
                                  : fmt::format("{} with memory there, all idle", contexts));
}

}  // namespace

std::vector<Finding> check_machine() {
  std::vector<Finding> findings{cpu_threads(),  tiles(),    waiting_threads(), idle_processors(),
                                cpu_governor(), openblas(), host_memory(),     cache()};
  findings.push_back(disk_space("disk", fs::current_path()));
  if (const fs::path folder = cache_folder(); !folder.empty() && fs::exists(folder))
    findings.push_back(disk_space("cache disk", folder));
  findings.push_back(counters("cpu"));
  const CudaVersions versions = cuda_versions();
  findings.push_back(toolkit(versions));
  if (!cuda_built()) return findings;
  findings.push_back(nvrtc(versions));
  if (auto pack = packed_kernels()) findings.push_back(*std::move(pack));
  findings.push_back(driver(versions));
  std::string reason;
  const int count = cuda_device_count(&reason);
  if (count == 0 && !versions.driver.empty())
    findings.push_back({"gpu", Health::warn, reason, "see nvidia-smi and CUDA_VISIBLE_DEVICES"});
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    findings.push_back(gpu_state(ordinal));
    findings.push_back(gpu_others(ordinal));
    findings.push_back(counters(std::to_string(ordinal)));
  }
  return findings;
}

}  // namespace alsbench
