// SPDX-License-Identifier: Apache-2.0
#include "kernels/vendor/check.h"

#include <stdexcept>
#include <string>

#include "kernels/vendor/libraries.h"

namespace alsbench::vendor {
namespace {

[[noreturn]] void fail(const std::string& status, const char* call, const char* file, int line) {
  throw std::runtime_error(std::string(call) + " failed with " + status + " at " + file + ":" +
                           std::to_string(line));
}

const char* name_of(cusolverStatus_t status) {
  switch (status) {
    case CUSOLVER_STATUS_NOT_INITIALIZED:
      return "CUSOLVER_STATUS_NOT_INITIALIZED";
    case CUSOLVER_STATUS_ALLOC_FAILED:
      return "CUSOLVER_STATUS_ALLOC_FAILED";
    case CUSOLVER_STATUS_INVALID_VALUE:
      return "CUSOLVER_STATUS_INVALID_VALUE";
    case CUSOLVER_STATUS_ARCH_MISMATCH:
      return "CUSOLVER_STATUS_ARCH_MISMATCH";
    case CUSOLVER_STATUS_EXECUTION_FAILED:
      return "CUSOLVER_STATUS_EXECUTION_FAILED";
    case CUSOLVER_STATUS_INTERNAL_ERROR:
      return "CUSOLVER_STATUS_INTERNAL_ERROR";
    case CUSOLVER_STATUS_NOT_SUPPORTED:
      return "CUSOLVER_STATUS_NOT_SUPPORTED";
    default:
      return "a cuSOLVER status";
  }
}

}  // namespace

void check(cudaError_t status, const char* call, const char* file, int line) {
  if (status != cudaSuccess)
    fail(std::string(cudaGetErrorName(status)) + " (" + cudaGetErrorString(status) + ")", call,
         file, line);
}
void check(cublasStatus_t status, const char* call, const char* file, int line) {
  if (status != CUBLAS_STATUS_SUCCESS)
    fail(libcublas().cublasGetStatusName(status), call, file, line);
}
void check(cusolverStatus_t status, const char* call, const char* file, int line) {
  if (status != CUSOLVER_STATUS_SUCCESS)
    fail(std::string(name_of(status)) + " (" + std::to_string(status) + ")", call, file, line);
}
void check(cusparseStatus_t status, const char* call, const char* file, int line) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    fail(libcusparse().cusparseGetErrorName(status), call, file, line);
}

}  // namespace alsbench::vendor
