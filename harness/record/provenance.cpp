// SPDX-License-Identifier: Apache-2.0
#include "harness/record/provenance.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include "alsbench_build_info.h"
#include "harness/files/command_line.h"

namespace alsbench {
namespace {

// What changes results, and nothing else: an environment may hold secrets.
constexpr std::array kRecordedVariables{
    "OMP_NUM_THREADS",         "OMP_PROC_BIND",        "OMP_PLACES",
    "OMP_WAIT_POLICY",         "GOMP_SPINCOUNT",       "OPENBLAS_NUM_THREADS",
    "OPENBLAS_CORETYPE",       "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER",
    "CUDA_LAUNCH_BLOCKING",    "CUDA_MODULE_LOADING",  "NVIDIA_TF32_OVERRIDE",
    "CUBLAS_WORKSPACE_CONFIG", "ALSBENCH_KERNEL_DIR"};

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

}  // namespace

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

Json build_provenance() {
  const std::string toolkit = build_info::kCudaToolkit;
  return {{"version", ALSBENCH_VERSION},
          {"git_commit", build_info::kGitCommit},
          {"git_dirty", build_info::kGitDirty},
          {"build_type", build_info::kBuildType},
          {"compiler", build_info::kCompiler},
          {"flags", build_info::kFlags},
          {"cuda_toolkit", toolkit.empty() ? Json(nullptr) : Json(toolkit)}};
}

Json host_provenance() {
  utsname system{};
  uname(&system);
  Json environment = Json::object();
  for (const char* name : kRecordedVariables)
    if (const char* value = std::getenv(name)) environment[name] = value;
  return {{"name", system.nodename},
          {"system", std::string(system.sysname) + " " + system.release},
          {"architecture", system.machine},
          {"cpu", cpu_name()},
          {"hardware_threads", std::thread::hardware_concurrency()},
          {"memory_bytes", static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE)},
          {"environment", environment}};
}

std::string without_folder(const std::string& word) {
  const size_t start = word.starts_with('-') ? word.find('=') + 1 : 0;  // --json=/a/b.json
  if (start >= word.size() || word[start] != '/') return word;
  std::filesystem::path path = word.substr(start);
  if (!path.has_filename()) path = path.parent_path();
  return path.has_filename() ? word.substr(0, start) + path.filename().string() : word;
}

std::string google_benchmark_version() { return build_info::kGoogleBenchmark; }

std::string host_code_hash() { return build_info::kHostCodeHash; }

Json provenance() {
  Json words = Json::array();
  for (const std::string& word : process_command_line()) words.push_back(without_folder(word));
  return {{"time_utc", utc_now()},
          {"command_line", words},
          {"build", build_provenance()},
          {"host", host_provenance()}};
}

}  // namespace alsbench
