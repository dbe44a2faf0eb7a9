// SPDX-License-Identifier: Apache-2.0
// VENDOR_CHECK(call) for every call of CUDA's libraries in kernels/vendor: throws
// std::runtime_error with the call, its status name and its place.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <cusparse.h>

namespace alsbench::vendor {

void check(cudaError_t status, const char* call, const char* file, int line);
void check(cublasStatus_t status, const char* call, const char* file, int line);
void check(cusolverStatus_t status, const char* call, const char* file, int line);
void check(cusparseStatus_t status, const char* call, const char* file, int line);

}  // namespace alsbench::vendor

#define VENDOR_CHECK(call) ::alsbench::vendor::check((call), #call, __FILE__, __LINE__)
