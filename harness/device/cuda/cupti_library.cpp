// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/cupti_library.h"

#ifdef ALSBENCH_WITH_CUPTI

#include <cuda.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "harness/device/counters_unavailable.h"
#include "harness/device/cuda/nvrtc.h"
#include "kernels/load/shared_library.h"

namespace alsbench {
namespace {

// The toolkit's CUPTI, which is often kept apart from its other libraries.
std::vector<std::string> folders() {
  std::vector<std::string> all = vendor::toolkit_folders();
  all.push_back(folder_of(reinterpret_cast<const void*>(libnvrtc().nvrtcVersion)));
  for (size_t i = 0, count = all.size(); i < count; ++i)
    all.push_back(all[i] + "/../extras/CUPTI/lib64");
  return all;
}

CuptiLibrary load() try {
  const SharedLibrary cupti(fmt::format("libcupti.so.{}", CUDA_VERSION / 1000), folders());
  CuptiLibrary library;
#define ALSBENCH_CUPTI_BIND(name) cupti.bind(#name, library.name);
  ALSBENCH_CUPTI_FUNCTIONS(ALSBENCH_CUPTI_BIND)
#undef ALSBENCH_CUPTI_BIND
  return library;
} catch (const MissingLibrary& error) {
  throw CountersUnavailable(
      CountersFailureKind::library, error.what(),
      fmt::format("install CUPTI of CUDA {}, 12.6 or newer (the toolkit has it), "
                  "or name its folder in LD_LIBRARY_PATH",
                  CUDA_VERSION / 1000));
}

struct Answer {
  CountersFailureKind why;
  const char* remedy;
};

// Remedies: developer.nvidia.com/ERR_NVGPUCTRPERM and the errors of cupti_result.h.
Answer answer_of(CUptiResult status) {
  switch (status) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return {CountersFailureKind::permission,
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
      return {CountersFailureKind::unsupported,
              "use a whole GPU of compute capability 7.5 or newer that this CUPTI knows"};
    case CUPTI_ERROR_HARDWARE_BUSY:
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return {CountersFailureKind::busy,
              "end the other profiler: ncu, nsys, or DCGM (dcgmi profile --pause)"};
    default:
      return {CountersFailureKind::failed, "see docs/explanation/profiling.md; ncu may say more"};
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
  throw CountersUnavailable(answer.why,
                            fmt::format("{}: {}", call, text != nullptr ? text : "unknown error"),
                            answer.remedy);
}

}  // namespace alsbench

#endif
