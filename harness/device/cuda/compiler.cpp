// SPDX-License-Identifier: Apache-2.0
// The run-time compiler: NVRTC to cubin, through the disk cache, one kernel or many at once.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <tuple>

#include "base/clock.h"
#include "base/error.h"
#include "base/split.h"
#include "harness/device/cuda/compiler_output.h"
#include "harness/device/cuda/cubin_cache.h"
#include "harness/device/cuda/kernel_dump.h"
#include "harness/device/cuda/kernel_pack.h"
#include "harness/device/cuda/kernel_sources.h"
#include "harness/device/cuda/nvrtc.h"
#include "harness/device/cuda_backend.h"
#include "harness/files/debug_log.h"
#include "harness/files/hash.h"
#include "kernels/load/shared_library.h"

namespace alsbench {
namespace {

std::string ptx_of(nvrtcProgram program) {
  size_t size = 0;
  NVRTC_CHECK(nvrtcGetPTXSize, program, &size);
  std::string text(size, '\0');
  NVRTC_CHECK(nvrtcGetPTX, program, text.data());
  text.resize(size > 0 ? size - 1 : 0);  // its terminating zero
  return text;
}

// The two parts of a launch's instance.
struct Instance {
  explicit Instance(const std::string& text)
      : expression(text.substr(0, text.find(" -"))),
        options(expression.size() == text.size()
                    ? std::vector<std::string>()
                    : split_texts(text.substr(expression.size() + 1), " ")) {}
  std::string expression;
  std::vector<std::string> options;
};

class Program {
 public:
  Program(const KernelSources& sources, const std::string& source) {
    std::vector<const char*> texts, names;
    const auto reachable = sources.reachable(source);
    for (const auto& [name, path] : reachable) {
      names.push_back(name.c_str());
      texts.push_back(sources.text(path).c_str());
    }
    const std::string main = fmt::format("#include \"{}\"\n", source);
    NVRTC_CHECK(nvrtcCreateProgram, &program_, main.c_str(), "alsbench.cu",
                static_cast<int>(names.size()), texts.data(), names.data());
  }
  ~Program() { libnvrtc().nvrtcDestroyProgram(&program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  nvrtcProgram get() const { return program_; }

  std::string log() const {
    size_t size = 0;
    NVRTC_CHECK(nvrtcGetProgramLogSize, program_, &size);
    std::string text(size, '\0');
    NVRTC_CHECK(nvrtcGetProgramLog, program_, text.data());
    text.resize(size > 0 ? size - 1 : 0);  // its terminating zero
    return text;
  }
  std::string cubin() const {
    size_t size = 0;
    NVRTC_CHECK(nvrtcGetCUBINSize, program_, &size);
    std::string bytes(size, '\0');
    NVRTC_CHECK(nvrtcGetCUBIN, program_, bytes.data());
    return bytes;
  }
  std::string ptx() const { return ptx_of(program_); }

 private:
  nvrtcProgram program_ = nullptr;
};

// sm_90a: the architecture-specific instructions of Hopper (wgmma, setmaxnreg) need the suffix.
std::string arch_option(int architecture) {
  return fmt::format("-arch=sm_{}{}", architecture, architecture == 90 ? "a" : "");
}

// Those that shape the code; `more` are of the instance.
std::vector<std::string> code_options(int architecture, const std::vector<std::string>& more = {}) {
  const auto names_standard = [](const std::string& option) {
    return option.starts_with("--std") || option.starts_with("-std");
  };
  std::vector<std::string> options{arch_option(architecture), "--ptxas-options=-v", "-lineinfo"};
  if (std::ranges::none_of(more, names_standard)) options.insert(options.begin(), "--std=c++17");
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

std::vector<std::string> options_of(int architecture, const std::vector<std::string>& more = {}) {
  std::vector<std::string> options = code_options(architecture, more);
  // NVRTC 13 keeps a cache of its own, and what comes from there has no ptxas log.
  if (nvrtc_version().first >= 13) options.emplace_back("--no-cache");
  return options;
}

// Headers of the toolkit, which no source of the project includes.
std::optional<std::string> toolkit_includes(const CompileRequest& request) {
  if (request.source.starts_with("kernels/")) return std::nullopt;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* folder = std::getenv(variable); folder != nullptr && *folder != '\0')
      return fmt::format("--include-path={}/include", folder);
  return "--include-path=/usr/local/cuda/include";
}

// NVRTC says its version without the build; the head of its PTX has both:
// "// Cuda compilation tools, release 13.0, V13.0.88".
std::string release_in_ptx() {
  nvrtcProgram program = nullptr;
  NVRTC_CHECK(nvrtcCreateProgram, &program, "", "release.cu", 0, nullptr, nullptr);
  const std::unique_ptr<nvrtcProgram, void (*)(nvrtcProgram*)> owner(
      &program, [](nvrtcProgram* p) { libnvrtc().nvrtcDestroyProgram(p); });
  NVRTC_CHECK(nvrtcCompileProgram, program, 0, nullptr);
  const std::string ptx = ptx_of(program);
  const size_t at = ptx.find(", V");
  if (at != std::string::npos) return ptx.substr(at + 3, ptx.find_first_of("\r\n", at) - at - 3);
  const auto [major, minor] = nvrtc_version();
  return fmt::format("{}.{}", major, minor);
}

std::string hash_of(const KernelSources& sources, const CompileRequest& request,
                    const std::string& compiler, const std::vector<std::string>& options) {
  Fnv1a128 key;
  key.add_field(compiler).add_field(request.instance);
  for (const auto& option : options) key.add_field(option);
  for (const auto& [name, path] : sources.reachable(request.source))
    key.add_field(path).add_field(sources.text(path));
  return key.hex();
}

std::string key_of(const KernelSources& sources, const CompileRequest& request) {
  return hash_of(sources, request, "nvrtc " + nvrtc_release(), options_of(request.architecture));
}

// Whichever release compiled it; nor is NVRTC opened, which a machine may lack.
std::string pack_key_of(const KernelSources& sources, const CompileRequest& request) {
  return hash_of(sources, request, "any nvrtc", code_options(request.architecture));
}

std::optional<CompiledKernel> find_packed(const KernelSources& sources,
                                          const CompileRequest& request) {
  const KernelPack* const pack = request.packed ? KernelPack::current() : nullptr;
  if (pack == nullptr || !pack->runs_here() || !sources.contains(request.source))
    return std::nullopt;
  return pack->find(pack_key_of(sources, request));
}

CompiledKernel build(const KernelSources& sources, const CompileRequest& request,
                     const std::string& key) {
  const auto begin = Clock::now();
  const Program program(sources, request.source);
  const Instance instance(request.instance);
  NVRTC_CHECK(nvrtcAddNameExpression, program.get(), instance.expression.c_str());
  auto options = options_of(request.architecture, instance.options);
  if (const auto includes = toolkit_includes(request)) options.push_back(*includes);
  std::vector<const char*> arguments;
  for (const auto& option : options) arguments.push_back(option.c_str());
  const nvrtcResult result = libnvrtc().nvrtcCompileProgram(
      program.get(), static_cast<int>(arguments.size()), arguments.data());
  if (result != NVRTC_SUCCESS)
    throw CompileError(fmt::format("{} of {} for sm_{}: {}\n{}", request.instance, request.source,
                                   request.architecture, libnvrtc().nvrtcGetErrorString(result),
                                   program.log()));
  const char* lowered = nullptr;
  NVRTC_CHECK(nvrtcGetLoweredName, program.get(), instance.expression.c_str(), &lowered);
  CompiledKernel kernel;
  kernel.lowered_name = lowered;
  kernel.cubin = program.cubin();
  kernel.code_hash = code_hash_of(kernel.cubin);
  read_ptxas_log(program.log(), kernel);
  const KernelDump& dump = KernelDump::current();
  if (dump.lacks(request, key)) dump.write(request, key, program.ptx(), kernel.cubin);
  kernel.compile_seconds = seconds_since(begin);
  return kernel;
}

CompiledKernel find_or_build(const KernelSources& sources, const CompileRequest& request) {
  if (KernelDump::current().is_off())
    if (auto packed = find_packed(sources, request)) return *std::move(packed);
  const CubinCache cache;
  const std::string key = key_of(sources, request);
  auto kernel = KernelDump::current().lacks(request, key) ? std::nullopt : cache.find(key);
  const bool cached = kernel.has_value();
  if (!cached) cache.store(key, kernel.emplace(build(sources, request, key)));
  if (logs_debug())
    log_debug(fmt::format(
        "kernel {} of {} for sm_{}: {}", request.instance, request.source, request.architecture,
        cached ? "cached" : fmt::format("compiled in {:.2f} s", kernel->compile_seconds)));
  return *std::move(kernel);
}

CompileResult attempt(const KernelSources& sources, const CompileRequest& request) {
  try {
    return {find_or_build(sources, request), ""};
  } catch (const CompileError& error) {
    return {{}, error.what()};
  }
}

}  // namespace

const vendor::Nvrtc& libnvrtc() {
  try {
    return vendor::libnvrtc();
  } catch (const MissingLibrary& error) {
    throw EnvironmentError(error.what());
  }
}

void nvrtc_check(nvrtcResult result, const char* call) {
  if (result != NVRTC_SUCCESS)
    throw CompileError(fmt::format("{} failed: {}", call, libnvrtc().nvrtcGetErrorString(result)));
}

std::pair<int, int> nvrtc_version() {
  int major = 0, minor = 0;
  NVRTC_CHECK(nvrtcVersion, &major, &minor);
  return {major, minor};
}

std::string nvrtc_release() {
  static const std::string release = release_in_ptx();
  return release;
}

void check_compilable(int architecture) {
  int count = 0;
  NVRTC_CHECK(nvrtcGetNumSupportedArchs, &count);
  std::vector<int> known(static_cast<size_t>(count));
  NVRTC_CHECK(nvrtcGetSupportedArchs, known.data());
  if (std::ranges::find(known, architecture) == known.end())
    throw UsageError(fmt::format("NVRTC {} does not compile for sm_{} (it does for: sm_{})",
                                 nvrtc_release(), architecture, fmt::join(known, ", sm_")));
}

CompiledKernel compile_kernel(const CompileRequest& request) {
  return find_or_build(*KernelSources::current(), request);
}

std::optional<CompiledKernel> find_compiled(const CompileRequest& request) {
  const auto sources = KernelSources::current();
  if (auto packed = find_packed(*sources, request)) return packed;
  return CubinCache().find(key_of(*sources, request));
}

void write_kernel_pack(const KernelPackInfo& info, const std::vector<CompileRequest>& requests,
                       const std::vector<CompileResult>& results) {
  const auto sources = KernelSources::current();
  std::map<std::string, const CompiledKernel*> kernels;
  for (size_t i = 0; i < requests.size(); ++i)
    kernels[pack_key_of(*sources, requests[i])] = &results[i].kernel;
  KernelPack::write(info, kernels);
}

std::vector<std::string> source_hashes(const std::vector<CompileRequest>& requests) {
  const auto sources = KernelSources::current();
  std::vector<std::string> hashes;
  for (const CompileRequest& request : requests)
    hashes.push_back(sources->contains(request.source) ? key_of(*sources, request) : "");
  return hashes;
}

std::vector<CompileResult> compile_all(const std::vector<CompileRequest>& requests, int jobs,
                                       const std::function<void(size_t)>& progress,
                                       const std::atomic<bool>* stop) {
  const auto sources = KernelSources::current();
  KernelDump::current();  // may throw, which no thread may
  std::map<std::tuple<std::string, std::string, int, bool>, std::vector<size_t>> equal;
  for (size_t i = 0; i < requests.size(); ++i)
    equal[{requests[i].source, requests[i].instance, requests[i].architecture, requests[i].packed}]
        .push_back(i);
  std::vector<const std::vector<size_t>*> work;
  for (const auto& [request, indices] : equal) work.push_back(&indices);

  std::vector<CompileResult> results(requests.size(), CompileResult{{}, "not compiled: stopped"});
  std::atomic<size_t> next{0};
  std::mutex progress_lock;
  size_t done = 0;
  const auto worker = [&] {
    for (size_t at = next++; at < work.size() && !(stop && *stop); at = next++) {
      const CompileResult result = attempt(*sources, requests[work[at]->front()]);
      for (const size_t index : *work[at]) results[index] = result;
      const std::lock_guard lock(progress_lock);
      done += work[at]->size();
      if (progress) progress(done);
    }
  };
  const size_t wanted = jobs > 0 ? jobs : std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::jthread> threads;
  for (size_t i = 1; i < std::min(wanted, work.size()); ++i) threads.emplace_back(worker);
  worker();
  threads.clear();  // joins
  return results;
}

}  // namespace alsbench
