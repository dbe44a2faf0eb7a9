// SPDX-License-Identifier: Apache-2.0
#include "harness/record/provenance.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
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

// Variables that change results, and nothing else: an environment may hold secrets.
constexpr std::array kRecordedVariables{
    "OMP_NUM_THREADS",         "OMP_THREAD_LIMIT",     "OMP_DYNAMIC",
    "OMP_PROC_BIND",           "OMP_PLACES",           "GOMP_CPU_AFFINITY",
    "OMP_WAIT_POLICY",         "GOMP_SPINCOUNT",       "OPENBLAS_NUM_THREADS",
    "OPENBLAS_CORETYPE",       "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER",
    "CUDA_LAUNCH_BLOCKING",    "CUDA_MODULE_LOADING",  "NVIDIA_TF32_OVERRIDE",
    "CUBLAS_WORKSPACE_CONFIG", "ALSBENCH_KERNEL_DIR",  "ALSBENCH_DISTURBED"};

std::vector<KernelsProvenance>& recorded_kernels() {
  static std::vector<KernelsProvenance> kernels;
  return kernels;
}

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

BuildProvenance build_provenance() {
  return {ALSBENCH_VERSION,        build_info::kGitCommit, build_info::kGitDirty,
          build_info::kBuildType,  build_info::kCompiler,  build_info::kFlags,
          build_info::kCudaToolkit};
}

HostProvenance host_provenance() {
  utsname system{};
  uname(&system);
  HostProvenance host;
  host.name = system.nodename;
  host.system = std::string(system.sysname) + " " + system.release;
  host.architecture = system.machine;
  host.cpu = cpu_name();
  host.hardware_threads = std::thread::hardware_concurrency();
  host.memory_bytes = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  for (const char* name : kRecordedVariables)
    if (const char* value = std::getenv(name)) host.environment.emplace_back(name, value);
  return host;
}

void describe(Fields<BuildProvenance>& fields) {
  fields.record("build", "The program that measured.");
  fields("version", &BuildProvenance::version).column();
  fields("git_commit", &BuildProvenance::git_commit);
  fields("git_dirty", &BuildProvenance::git_dirty, "with local changes");
  fields.column(
      "git_commit",
      [](const BuildProvenance& build) { return build.git_commit + (build.git_dirty ? "+" : ""); },
      "with + where there were local changes");
  fields("build_type", &BuildProvenance::build_type);
  fields("compiler", &BuildProvenance::compiler);
  fields("flags", &BuildProvenance::flags);
  fields("cuda_toolkit", &BuildProvenance::cuda_toolkit, "null: built without").nullable();
}

void describe(Fields<HostProvenance>& fields) {
  fields.record("host", "The machine of a run.");
  fields("name", &HostProvenance::name);
  fields("system", &HostProvenance::system);
  fields("architecture", &HostProvenance::architecture);
  fields("cpu", &HostProvenance::cpu);
  fields("hardware_threads", &HostProvenance::hardware_threads);
  fields("memory_bytes", &HostProvenance::memory_bytes);
  fields("environment", &HostProvenance::environment,
         "variables that change results, where they were set");
}

void describe(Fields<KernelsProvenance>& fields) {
  fields.record("custom_kernels", "A folder of custom kernels.");
  fields("name", &KernelsProvenance::name, "of the stage");
  fields("hash", &KernelsProvenance::hash, "SHA-256 of its files' names and contents");
}

void describe(Fields<Provenance>& fields) {
  fields.record("provenance", "Where a document comes from: build, host, time, command line.");
  fields("time_utc", &Provenance::time_utc).column();
  fields("command_line", &Provenance::command_line, "without the folders of paths");
  fields("build", &Provenance::build);
  fields.columns_of(&Provenance::build);
  fields.column("command", [](const Provenance& provenance) {
    return fmt::format("{}", fmt::join(provenance.command_line, " "));
  });
  fields("host", &Provenance::host);
  fields("suite_hash", &Provenance::suite_hash, "of a run of a suite, as is the seed").omitted();
  fields("seed", &Provenance::seed, "of the order of samples").omitted();
  fields("kernels", &Provenance::kernels, "custom kernels that the program was given").omitted();
  fields.keep_unknown(&Provenance::unknown);
}

std::string without_folder(const std::string& word) {
  const size_t start = word.starts_with('-') ? word.find('=') + 1 : 0;  // --json=/a/b.json
  if (start >= word.size() || word[start] != '/') return word;
  std::filesystem::path path = word.substr(start);
  if (!path.has_filename()) path = path.parent_path();
  return path.has_filename() ? word.substr(0, start) + path.filename().string() : word;
}

std::string without_folders(const std::string& line) {
  std::string text;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find(' ', begin), line.size());
    if (begin > 0) text += ' ';
    text += without_folder(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return text;
}

std::string host_code_hash() { return build_info::kHostCodeHash; }

void record_kernels(KernelsProvenance kernels) { recorded_kernels().push_back(std::move(kernels)); }

Provenance provenance() {
  Provenance provenance;
  provenance.time_utc = utc_now();
  for (const std::string& word : process_command_line())
    provenance.command_line.push_back(without_folders(without_folder(word)));
  provenance.build = build_provenance();
  provenance.host = host_provenance();
  provenance.kernels = recorded_kernels();
  return provenance;
}

}  // namespace alsbench
