// SPDX-License-Identifier: Apache-2.0
// The functions of CUDA's libraries that the project calls: libnvrtc().nvrtcVersion(...). Each
// library is opened by its first call (SharedLibrary), in the major version that the program was
// built with. Where it is missing that call throws MissingLibrary, which names the remedy.
#pragma once

#include <cublas_v2.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <nvrtc.h>

#include <string>
#include <vector>

namespace alsbench::vendor {

// Where CUDA's libraries lie that Python's packages brought, where the toolkit lay when this
// program was built, and where it mostly lies: searched after the places that the loader knows.
std::vector<std::string> toolkit_folders();

// Symbols of the library, which are not always the names that its header gives them.
// clang-format off
#define ALSBENCH_NVRTC_FUNCTIONS(X) \
  X(nvrtcAddNameExpression)         \
  X(nvrtcCompileProgram)            \
  X(nvrtcCreateProgram)             \
  X(nvrtcDestroyProgram)            \
  X(nvrtcGetCUBIN)                  \
  X(nvrtcGetCUBINSize)              \
  X(nvrtcGetErrorString)            \
  X(nvrtcGetLoweredName)            \
  X(nvrtcGetNumSupportedArchs)      \
  X(nvrtcGetPTX)                    \
  X(nvrtcGetPTXSize)                \
  X(nvrtcGetProgramLog)             \
  X(nvrtcGetProgramLogSize)         \
  X(nvrtcGetSupportedArchs)         \
  X(nvrtcVersion)

#define ALSBENCH_CUBLAS_FUNCTIONS(X) \
  X(cublasCreate_v2)                 \
  X(cublasDestroy_v2)                \
  X(cublasGetProperty)               \
  X(cublasGetStatusName)             \
  X(cublasGetStatusString)           \
  X(cublasSetMathMode)               \
  X(cublasSetStream_v2)              \
  X(cublasSgemm_v2_64)               \
  X(cublasSgetrfBatched)             \
  X(cublasSgetrsBatched)

#define ALSBENCH_CUSOLVER_FUNCTIONS(X) \
  X(cusolverDnCreate)                  \
  X(cusolverDnDestroy)                 \
  X(cusolverDnSetStream)               \
  X(cusolverDnSpotrfBatched)           \
  X(cusolverDnSpotrsBatched)           \
  X(cusolverGetProperty)

#define ALSBENCH_CUSPARSE_FUNCTIONS(X) \
  X(cusparseCreate)                    \
  X(cusparseCreateConstCsr)            \
  X(cusparseCreateConstDnMat)          \
  X(cusparseCreateDnMat)               \
  X(cusparseDestroy)                   \
  X(cusparseDestroyDnMat)              \
  X(cusparseDestroySpMat)              \
  X(cusparseGetErrorName)              \
  X(cusparseGetErrorString)            \
  X(cusparseGetProperty)               \
  X(cusparseSetStream)                 \
  X(cusparseSpMM)                      \
  X(cusparseSpMM_bufferSize)           \
  X(cusparseSpMM_preprocess)
// clang-format on

// NOLINTNEXTLINE(bugprone-macro-parentheses): a member's name cannot stand in parentheses
#define ALSBENCH_MEMBER(name) decltype(&::name) name = nullptr;
struct Nvrtc {
  ALSBENCH_NVRTC_FUNCTIONS(ALSBENCH_MEMBER)
};
struct Cublas {
  ALSBENCH_CUBLAS_FUNCTIONS(ALSBENCH_MEMBER)
  // The header overloads these two for C++; the symbols are those that take a compute type.
  cublasStatus_t (*cublasGemmBatchedEx)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int,
                                        int, int, const void*, const void* const*, cudaDataType,
                                        int, const void* const*, cudaDataType, int, const void*,
                                        void* const*, cudaDataType, int, int, cublasComputeType_t,
                                        cublasGemmAlgo_t) = nullptr;
  cublasStatus_t (*cublasGemmStridedBatchedEx)(cublasHandle_t, cublasOperation_t, cublasOperation_t,
                                               int, int, int, const void*, const void*,
                                               cudaDataType, int, long long, const void*,
                                               cudaDataType, int, long long, const void*, void*,
                                               cudaDataType, int, long long, int,
                                               cublasComputeType_t, cublasGemmAlgo_t) = nullptr;
};
struct Cusolver {
  ALSBENCH_CUSOLVER_FUNCTIONS(ALSBENCH_MEMBER)
};
struct Cusparse {
  ALSBENCH_CUSPARSE_FUNCTIONS(ALSBENCH_MEMBER)
};
#undef ALSBENCH_MEMBER

const Nvrtc& libnvrtc();
const Cublas& libcublas();
const Cusolver& libcusolver();
const Cusparse& libcusparse();

}  // namespace alsbench::vendor
