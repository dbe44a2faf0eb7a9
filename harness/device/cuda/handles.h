// SPDX-License-Identifier: Apache-2.0
// RAII owners of CUDA's handles: stream, event, loaded kernel, vendor libraries.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "harness/device/cuda/check.h"
#include "kernels/vendor/libraries.h"
#include "variants/core/kernel_plan.h"

namespace alsbench {

// Owns a handle of CUDA's runtime.
template <class Handle, auto destroy>
class CudaHandle {
 public:
  CudaHandle(const CudaHandle&) = delete;
  CudaHandle& operator=(const CudaHandle&) = delete;
  Handle get() const { return handle_; }

 protected:
  CudaHandle() = default;
  ~CudaHandle() {
    if (handle_ != nullptr) destroy(handle_);
  }
  Handle handle_ = nullptr;
};

struct CudaStream : CudaHandle<cudaStream_t, cudaStreamDestroy> {
  CudaStream() { CUDA_CHECK(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking)); }
};

struct CudaEvent : CudaHandle<cudaEvent_t, cudaEventDestroy> {
  CudaEvent() { CUDA_CHECK(cudaEventCreate(&handle_)); }
};

// A CUDA graph of what a stream was given while it was captured.
struct CudaGraph : CudaHandle<cudaGraphExec_t, cudaGraphExecDestroy> {
  explicit CudaGraph(cudaGraph_t captured);  // owns it
};

// Host memory that the device writes without a copy by the driver.
class PinnedBytes {
 public:
  explicit PinnedBytes(int64_t bytes) { CUDA_CHECK(cudaMallocHost(&data_, bytes)); }
  ~PinnedBytes() { cudaFreeHost(data_); }
  PinnedBytes(const PinnedBytes&) = delete;
  PinnedBytes& operator=(const PinnedBytes&) = delete;
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

// One kernel of a cubin, launched with one params struct by value.
class LoadedKernel {
 public:
  LoadedKernel(const std::string& cubin, const std::string& lowered_name, int64_t shared_bytes);
  ~LoadedKernel() {
    if (library_ != nullptr) cudaLibraryUnload(library_);
  }
  LoadedKernel(LoadedKernel&& other) noexcept
      : library_(std::exchange(other.library_, nullptr)),
        kernel_(other.kernel_),
        shared_bytes_(other.shared_bytes_) {}
  LoadedKernel& operator=(LoadedKernel&&) = delete;

  // Throws LaunchRefusedError. A grid of 0 launches nothing.
  template <class Params>
  requires(!std::is_pointer_v<Params>) void launch(int64_t grid, int block, Params params,
                                                   cudaStream_t stream) const {
    void* arguments[] = {&params};
    KernelLaunch launch;
    launch.grid = grid;
    launch.block = block;
    this->launch(launch, arguments, stream);
  }
  // The same, of arguments that lie at `arguments`.
  void launch(const KernelLaunch& launch, void** arguments, cudaStream_t stream) const;

 private:
  cudaLibrary_t library_ = nullptr;
  cudaKernel_t kernel_ = nullptr;
  int64_t shared_bytes_ = 0;
};

// cuBLAS, cuSOLVER and cuSPARSE on one stream. A member each, so those already created are
// destroyed when a later one cannot be.
class VendorHandles {
 public:
  // Throws EnvironmentError where one of the libraries is missing.
  explicit VendorHandles(cudaStream_t stream);
  cublasHandle_t cublas() const { return cublas_.get(); }
  cusolverDnHandle_t cusolver() const { return cusolver_.get(); }
  cusparseHandle_t cusparse() const { return cusparse_.get(); }

 private:
  struct DestroyCublas {
    using pointer = cublasHandle_t;
    void operator()(pointer handle) const { vendor::libcublas().cublasDestroy(handle); }
  };
  struct DestroyCusolver {
    using pointer = cusolverDnHandle_t;
    void operator()(pointer handle) const { vendor::libcusolver().cusolverDnDestroy(handle); }
  };
  struct DestroyCusparse {
    using pointer = cusparseHandle_t;
    void operator()(pointer handle) const { vendor::libcusparse().cusparseDestroy(handle); }
  };

  std::unique_ptr<void, DestroyCublas> cublas_;
  std::unique_ptr<void, DestroyCusolver> cusolver_;
  std::unique_ptr<void, DestroyCusparse> cusparse_;
};

}  // namespace alsbench
