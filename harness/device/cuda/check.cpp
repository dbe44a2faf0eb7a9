// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/check.h"

#include <fmt/format.h>

#include <string>

#include "base/error.h"
#include "harness/device/device.h"
#include "kernels/vendor/libraries.h"

namespace alsbench {
namespace {

std::string message(const char* call, const std::string& name, const std::string& text,
                    const std::string& place) {
  return fmt::format("{} failed: {} ({}) at {}", call, name, text, place);
}

std::string place_of(const char* file, int line) {
  const std::string path(file);
  const size_t root = path.rfind("harness/");
  return fmt::format("{}:{}", root == std::string::npos ? path : path.substr(root), line);
}

}  // namespace

void check(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // a refusal must not be seen again by the next call
  const std::string text =
      message(call, cudaGetErrorName(status), cudaGetErrorString(status), place_of(file, line));
  if (status == cudaErrorMemoryAllocation) throw OutOfMemoryError(text);
  throw CudaError(text);
}

void check_launch(cudaError_t status, const char* call, const char* file, int line) {
  if (status != cudaErrorLaunchOutOfResources && status != cudaErrorInvalidConfiguration &&
      status != cudaErrorInvalidValue)
    return check(status, call, file, line);
  cudaGetLastError();
  throw LaunchRefusedError(
      message(call, cudaGetErrorName(status), cudaGetErrorString(status), place_of(file, line)));
}

void check(cublasStatus_t status, const char* call, const char* file, int line) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  const std::string text =
      message(call, vendor::libcublas().cublasGetStatusName(status),
              vendor::libcublas().cublasGetStatusString(status), place_of(file, line));
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw OutOfMemoryError(text);
  throw CudaError(text);
}

void check(cusolverStatus_t status, const char* call, const char* file, int line) {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  const std::string text =
      message(call, "cusolverStatus_t", std::to_string(status), place_of(file, line));
  if (status == CUSOLVER_STATUS_ALLOC_FAILED) throw OutOfMemoryError(text);
  throw CudaError(text);
}

void check(cusparseStatus_t status, const char* call, const char* file, int line) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  const std::string text =
      message(call, vendor::libcusparse().cusparseGetErrorName(status),
              vendor::libcusparse().cusparseGetErrorString(status), place_of(file, line));
  if (status == CUSPARSE_STATUS_ALLOC_FAILED) throw OutOfMemoryError(text);
  throw CudaError(text);
}

}  // namespace alsbench
