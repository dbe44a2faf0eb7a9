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
    "CUBLAS_WORKSPACE_CONFIG", "ALSBENCH_KERNEL_DIR",  "ALSBENCH_DISTURBED"};

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

BuildProvenance build_from_json(const JsonField& json) {
  return {json.at("version").text(),
          json.at("git_commit").text(),
          json.at("git_dirty").boolean(),
          json.at("build_type").text(),
          json.at("compiler").text(),
          json.at("flags").text(),
          json.at("cuda_toolkit").text_or_empty()};
}

Json host_json(const HostProvenance& host) {
  Json environment = Json::object();
  for (const auto& [name, value] : host.environment) environment[name] = value;
  return {{"name", host.name},
          {"system", host.system},
          {"architecture", host.architecture},
          {"cpu", host.cpu},
          {"hardware_threads", host.hardware_threads},
          {"memory_bytes", host.memory_bytes},
          {"environment", std::move(environment)}};
}

HostProvenance host_from_json(const JsonField& json) {
  HostProvenance host;
  host.name = json.at("name").text();
  host.system = json.at("system").text();
  host.architecture = json.at("architecture").text();
  host.cpu = json.at("cpu").text();
  host.hardware_threads = json.at("hardware_threads").integer();
  host.memory_bytes = json.at("memory_bytes").integer();
  for (const auto& [name, value] : json.at("environment").members())
    host.environment.emplace_back(name, value.text());
  return host;
}

Json known_json(const Provenance& provenance) {
  Json json{{"time_utc", provenance.time_utc},
            {"command_line", provenance.command_line},
            {"build", alsbench::to_json(provenance.build)},
            {"host", host_json(provenance.host)}};
  if (provenance.suite_hash) json["suite_hash"] = *provenance.suite_hash;
  if (provenance.seed) json["seed"] = *provenance.seed;
  return json;
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

Json to_json(const BuildProvenance& build) {
  return {{"version", build.version},
          {"git_commit", build.git_commit},
          {"git_dirty", build.git_dirty},
          {"build_type", build.build_type},
          {"compiler", build.compiler},
          {"flags", build.flags},
          {"cuda_toolkit", text_or_null(build.cuda_toolkit)}};
}

Json to_json(const Provenance& provenance) {
  Json json = known_json(provenance);
  json.update(provenance.unknown, true);
  return json;
}

Provenance provenance_from_json(const JsonField& json) {
  Provenance provenance;
  provenance.time_utc = json.at("time_utc").text();
  provenance.command_line =
      list_of(json.at("command_line"), [](const JsonField& word) { return word.text(); });
  provenance.build = build_from_json(json.at("build"));
  provenance.host = host_from_json(json.at("host"));
  provenance.suite_hash = optional_text(json.find("suite_hash"));
  provenance.seed =
      optional_of(json.find("seed"), [](const JsonField& seed) { return seed.unsigned_integer(); });
  provenance.unknown = unknown_fields(json.value(), known_json(provenance));
  return provenance;
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

Provenance provenance() {
  Provenance provenance;
  provenance.time_utc = utc_now();
  for (const std::string& word : process_command_line())
    provenance.command_line.push_back(without_folder(word));
  provenance.build = build_provenance();
  provenance.host = host_provenance();
  return provenance;
}

}  // namespace alsbench
