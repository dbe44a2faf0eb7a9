// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/cupti_library.h"

#ifdef ALSBENCH_WITH_CUPTI

#include <cuda.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <nvrtc.h>

#include <filesystem>
#include <vector>

#include "harness/device/counters_refused.h"

namespace alsbench {
namespace {

// Where the toolkit lies whose NVRTC this process has loaded.
std::string nvrtc_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&nvrtcVersion), &info) == 0) return "";
  return std::filesystem::path(info.dli_fname).parent_path().string();
}

void* open_library() {
  const std::string name = fmt::format("libcupti.so.{}", CUDA_VERSION / 1000);
  std::vector<std::string> places{name};
  for (const std::string& folder :
       {nvrtc_folder(), nvrtc_folder() + "/../extras/CUPTI/lib64",
        std::string("/usr/local/cuda/lib64"), std::string("/usr/local/cuda/extras/CUPTI/lib64")})
    places.push_back(folder + "/" + name);
  std::string error;
  for (const std::string& place : places) {
    if (void* handle = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
    if (error.empty()) error = dlerror();
  }
  throw CountersRefused(NoCounters::library, error,
                        fmt::format("install CUPTI of CUDA {} (the toolkit has it), or name its "
                                    "folder in LD_LIBRARY_PATH",
                                    CUDA_VERSION / 1000));
}

template <class Function>
void bind_to(void* handle, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(handle, name));
  if (function == nullptr)
    throw CountersRefused(NoCounters::library, fmt::format("libcupti has no {}", name),
                          "install CUPTI of CUDA 12.6 or newer");
}

CuptiLibrary load() {
  void* const handle = open_library();
  CuptiLibrary library;
#define ALSBENCH_CUPTI_BIND(name) bind_to(handle, #name, library.name);
  ALSBENCH_CUPTI_FUNCTIONS(ALSBENCH_CUPTI_BIND)
#undef ALSBENCH_CUPTI_BIND
  return library;
}

struct Answer {
  NoCounters why;
  const char* remedy;
};

// Remedies: developer.nvidia.com/ERR_NVGPUCTRPERM and the errors of cupti_result.h.
Answer answer_of(CUptiResult status) {
  switch (status) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return {NoCounters::permission,
              "load the driver's module with NVreg_RestrictProfilingToAdminUsers=0 (then "
              "RmProfilingAdminOnly in /proc/driver/nvidia/params is 0), or run as root or with "
              "CAP_SYS_ADMIN"};
    case CUPTI_ERROR_NOT_SUPPORTED:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
    case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_INVALID_CHIP_NAME:
      return {NoCounters::unsupported,
              "use a whole GPU of compute capability 7.5 or newer that this CUPTI knows"};
    case CUPTI_ERROR_HARDWARE_BUSY:
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return {NoCounters::busy,
              "end the other profiler: ncu, nsys, or DCGM (dcgmi profile --pause)"};
    default:
      return {NoCounters::failed, "see docs/explanation/profiling.md; ncu may say more"};
  }
}

}  // namespace

const CuptiLibrary& cupti_library() {
  static const CuptiLibrary library = load();
  return library;
}

void check_cupti(CUptiResult status, const char* call) {
  if (status == CUPTI_SUCCESS) return;
  const char* text = nullptr;
  cupti_library().cuptiGetResultString(status, &text);
  const Answer answer = answer_of(status);
  throw CountersRefused(answer.why,
                        fmt::format("{}: {}", call, text != nullptr ? text : "unknown error"),
                        answer.remedy);
}

}  // namespace alsbench

#endif
