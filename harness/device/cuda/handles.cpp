// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/handles.h"

#include <fmt/format.h>

#include <limits>

#include "base/error.h"
#include "kernels/load/shared_library.h"

namespace alsbench {

CudaGraph::CudaGraph(cudaGraph_t captured) {
  const cudaError_t status = cudaGraphInstantiate(&handle_, captured, 0);
  cudaGraphDestroy(captured);
  check(status, "cudaGraphInstantiate", __FILE__, __LINE__);
}

LoadedKernel::LoadedKernel(const std::string& cubin, const std::string& lowered_name,
                           int64_t shared_bytes)
    : shared_bytes_(shared_bytes) {
  CUDA_CHECK(
      cudaLibraryLoadData(&library_, cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  try {
    CUDA_CHECK(cudaLibraryGetKernel(&kernel_, library_, lowered_name.c_str()));
    CUDA_CHECK_LAUNCH(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel_),
                                           cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           static_cast<int>(shared_bytes)));
  } catch (...) {
    cudaLibraryUnload(library_);
    throw;
  }
}

void LoadedKernel::launch(const KernelLaunch& launch, void** arguments, cudaStream_t stream) const {
  const int64_t grid = launch.grid;
  if (grid == 0) return;
  if (grid < 0 || grid > std::numeric_limits<int32_t>::max())
    throw LaunchRefusedError(fmt::format("a grid of {} blocks; CUDA allows 1 to 2^31 - 1", grid));
  CUDA_CHECK_LAUNCH(
      cudaLaunchKernel(reinterpret_cast<const void*>(kernel_),
                       dim3(static_cast<unsigned>(grid), launch.grid_yz[0], launch.grid_yz[1]),
                       dim3(launch.block, launch.block_yz[0], launch.block_yz[1]), arguments,
                       shared_bytes_, stream));
}

VendorHandles::VendorHandles(cudaStream_t stream) try {
  cublasHandle_t cublas = nullptr;
  CUDA_CHECK(vendor::libcublas().cublasCreate(&cublas));
  cublas_.reset(cublas);
  CUDA_CHECK(vendor::libcublas().cublasSetStream(cublas, stream));
  cusolverDnHandle_t cusolver = nullptr;
  CUDA_CHECK(vendor::libcusolver().cusolverDnCreate(&cusolver));
  cusolver_.reset(cusolver);
  CUDA_CHECK(vendor::libcusolver().cusolverDnSetStream(cusolver, stream));
  cusparseHandle_t cusparse = nullptr;
  CUDA_CHECK(vendor::libcusparse().cusparseCreate(&cusparse));
  cusparse_.reset(cusparse);
  CUDA_CHECK(vendor::libcusparse().cusparseSetStream(cusparse, stream));
} catch (const MissingLibrary& error) {
  throw EnvironmentError(error.what());
}

}  // namespace alsbench
