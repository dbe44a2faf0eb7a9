// SPDX-License-Identifier: Apache-2.0
// CUDA_CHECK(call) for every call of the runtime and its libraries in this folder. It throws an
// error that quotes the call, its name, text and place.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <cusparse.h>

namespace alsbench {

// cudaErrorMemoryAllocation -> OutOfMemoryError, everything else -> CudaError.
void check(cudaError_t status, const char* call, const char* file, int line);
void check(cublasStatus_t status, const char* call, const char* file, int line);
void check(cusolverStatus_t status, const char* call, const char* file, int line);
void check(cusparseStatus_t status, const char* call, const char* file, int line);

// Of a launch or of what prepares one: asking for too much -> LaunchRefusedError (the context
// survives), everything else as check.
void check_launch(cudaError_t status, const char* call, const char* file, int line);

}  // namespace alsbench

#define CUDA_CHECK(call) ::alsbench::check((call), #call, __FILE__, __LINE__)
#define CUDA_CHECK_LAUNCH(call) ::alsbench::check_launch((call), #call, __FILE__, __LINE__)
