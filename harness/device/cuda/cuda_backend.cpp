// SPDX-License-Identifier: Apache-2.0
// Queries of CUDA that create no context, and the door to CudaDevice.
#include "harness/device/cuda_backend.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "harness/device/cuda/check.h"
#include "harness/device/cuda/cuda_device.h"
#include "harness/device/cuda/nvrtc.h"
#include "kernels/load/shared_library.h"
#include "kernels/vendor/libraries.h"

namespace alsbench {
namespace {

// 13000 -> "13.0", as CUDA's own components number themselves
std::string version_text(int number) {
  return number > 0 ? fmt::format("{}.{}", number / 1000, number % 1000 / 10) : "";
}

// `query` returns the library's cu...GetProperty. Empty where the library is missing.
template <class Query>
std::string library_version(Query query) try {
  const auto get = query();
  int major = 0, minor = 0, patch = 0;
  const bool answered = get(MAJOR_VERSION, &major) == 0 && get(MINOR_VERSION, &minor) == 0 &&
                        get(PATCH_LEVEL, &patch) == 0;
  return answered ? fmt::format("{}.{}.{}", major, minor, patch) : "";
} catch (const MissingLibrary&) {
  return "";
}

std::string nvrtc_text() try {
  const auto [major, minor] = nvrtc_version();
  return fmt::format("{}.{}", major, minor);
} catch (const EnvironmentError&) {  // it is missing
  return "";
}

int attribute(cudaDeviceAttr name, int ordinal) {
  int value = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&value, name, ordinal));
  return value;
}

}  // namespace

bool cuda_built() { return true; }

bool has_cuda_driver() try {
  const SharedLibrary driver("libcuda.so.1", {});  // CUDA's runtime would start it
  return true;
} catch (const MissingLibrary&) {
  return false;
}

int cuda_device_count(std::string* reason) {
  int count = 0, driver = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return count;
  cudaGetLastError();
  cudaDriverGetVersion(&driver);
  if (reason != nullptr)
    *reason = driver == 0 ? "no CUDA device: no NVIDIA driver is installed"
                          : fmt::format("no CUDA device: {} ({})", cudaGetErrorString(status),
                                        cudaGetErrorName(status));
  return 0;
}

DeviceTraits cuda_device_traits(int ordinal) {
  std::string reason;
  const int count = cuda_device_count(&reason);
  if (count == 0) throw EnvironmentError(reason + "; see alsbench doctor, or use --device cpu");
  if (ordinal < 0 || ordinal >= count)
    throw EnvironmentError(
        fmt::format("no CUDA device {}; this machine has 0 to {}", ordinal, count - 1));
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, ordinal));
  DeviceTraits traits;
  traits.backend = Backend::cuda;
  traits.name = properties.name;
  traits.architecture = 10 * properties.major + properties.minor;
  traits.multiprocessors = properties.multiProcessorCount;
  traits.memory_bytes = static_cast<int64_t>(properties.totalGlobalMem);
  traits.l2_bytes = properties.l2CacheSize;
  traits.shared_bytes_per_block = static_cast<int64_t>(properties.sharedMemPerBlockOptin);
  traits.shared_bytes_per_multiprocessor =
      static_cast<int64_t>(properties.sharedMemPerMultiprocessor);
  traits.registers_per_multiprocessor = properties.regsPerMultiprocessor;
  traits.threads_per_multiprocessor = properties.maxThreadsPerMultiProcessor;
  traits.blocks_per_multiprocessor = attribute(cudaDevAttrMaxBlocksPerMultiprocessor, ordinal);
  return traits;
}

std::string cuda_pci_bus_id(int ordinal) {
  std::array<char, 32> text{};
  CUDA_CHECK(cudaDeviceGetPCIBusId(text.data(), text.size(), ordinal));
  return text.data();
}

std::unique_ptr<Device> open_cuda_device(int ordinal) {
  try {
    return std::make_unique<CudaDevice>(ordinal);
  } catch (const CudaError& error) {
    throw EnvironmentError(
        fmt::format("cannot open CUDA device {}: {}; see alsbench doctor", ordinal, error.what()));
  }
}

std::string built_cublas_version() {
  return fmt::format("{}.{}.{}", CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH);
}

CudaVersions cuda_versions() {
  int runtime = 0, driver = 0;
  cudaRuntimeGetVersion(&runtime);
  cudaDriverGetVersion(&driver);
  CudaVersions versions;
  versions.toolkit = version_text(CUDART_VERSION);
  versions.runtime = version_text(runtime);
  versions.driver = version_text(driver);
  versions.nvrtc = nvrtc_text();
  versions.cublas = library_version([] { return vendor::libcublas().cublasGetProperty; });
  versions.cusolver = library_version([] { return vendor::libcusolver().cusolverGetProperty; });
  versions.cusparse = library_version([] { return vendor::libcusparse().cusparseGetProperty; });
  return versions;
}

}  // namespace alsbench
