// SPDX-License-Identifier: Apache-2.0
// RunContext: what a vendor-library or CPU variant gets in addition to its params. Opaque, so
// variants and kernels need no CUDA header.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <memory>

namespace alsbench {

struct RunContext {
  void* stream = nullptr;    // cudaStream_t
  void* cublas = nullptr;    // cublasHandle_t, its stream set
  void* cusolver = nullptr;  // cusolverDnHandle_t, its stream set
  void* cusparse = nullptr;  // cusparseHandle_t, its stream set
  // Memory of the device, kept by the executable between runs: slot `slot` holds at least `bytes`
  // (256-byte aligned) after the call. The first run (verification) allocates, timed runs of the
  // same size do not.
  std::function<void*(int slot, int64_t bytes)> scratch;
  // Host state that a variant keeps between runs of one executable, e.g. what it has put in
  // scratch.
  std::shared_ptr<std::any> memo = std::make_shared<std::any>();
  int threads = 0;  // CPU: OpenMP threads to use
};

}  // namespace alsbench
