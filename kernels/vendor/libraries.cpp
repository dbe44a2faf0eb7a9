// SPDX-License-Identifier: Apache-2.0
#include "kernels/vendor/libraries.h"

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <string>

#include "kernels/load/shared_library.h"

namespace alsbench::vendor {
namespace {

// `name`: "cublas" for libcublas.so.MAJOR.
SharedLibrary open(const std::string& name, int major) {
  const std::string file = "lib" + name + ".so." + std::to_string(major);
  try {
    return SharedLibrary(file, toolkit_folders());
  } catch (const MissingLibrary& error) {
    throw MissingLibrary("GPU kernels need " + file + " of the CUDA toolkit " +
                         std::to_string(CUDART_VERSION / 1000) + ": " + error.what() +
                         "; install it" + python_extra(std::to_string(CUDART_VERSION / 1000)) +
                         ", or name its folder in LD_LIBRARY_PATH");
  }
}

// NVRTC opens this part of itself by its name alone, which the loader may not find where it found
// NVRTC: that of CUDA 13.0 names no folder of its own. Once open it is found. A release without
// such a part does without, and one that misses it says so when it compiles.
void open_builtins(const Nvrtc& nvrtc) {
  int major = 0, minor = 0;
  nvrtc.nvrtcVersion(&major, &minor);
  const std::string file = folder_of(reinterpret_cast<const void*>(nvrtc.nvrtcVersion)) +
                           "/libnvrtc-builtins.so." + std::to_string(major) + "." +
                           std::to_string(minor);
  dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

std::vector<std::string> toolkit_folders() {
  std::vector<std::string> folders = python_package_folders();
  folders.insert(folders.end(), {ALSBENCH_CUDA_LIBRARY_DIR, "/usr/local/cuda/lib64"});
  return folders;
}

#define ALSBENCH_BIND(name) library.bind(#name, functions.name);

const Nvrtc& libnvrtc() {
  static const Nvrtc loaded = [] {
    const SharedLibrary library = open("nvrtc", CUDART_VERSION / 1000);
    Nvrtc functions;
    ALSBENCH_NVRTC_FUNCTIONS(ALSBENCH_BIND)
    open_builtins(functions);
    return functions;
  }();
  return loaded;
}

const Cublas& libcublas() {
  static const Cublas loaded = [] {
    const SharedLibrary library = open("cublas", CUBLAS_VER_MAJOR);
    Cublas functions;
    ALSBENCH_CUBLAS_FUNCTIONS(ALSBENCH_BIND)
    ALSBENCH_BIND(cublasGemmBatchedEx)
    ALSBENCH_BIND(cublasGemmStridedBatchedEx)
    return functions;
  }();
  return loaded;
}

const Cusolver& libcusolver() {
  static const Cusolver loaded = [] {
    const SharedLibrary library = open("cusolver", CUSOLVER_VER_MAJOR);
    Cusolver functions;
    ALSBENCH_CUSOLVER_FUNCTIONS(ALSBENCH_BIND)
    return functions;
  }();
  return loaded;
}

const Cusparse& libcusparse() {
  static const Cusparse loaded = [] {
    const SharedLibrary library = open("cusparse", CUSPARSE_VER_MAJOR);
    Cusparse functions;
    ALSBENCH_CUSPARSE_FUNCTIONS(ALSBENCH_BIND)
    return functions;
  }();
  return loaded;
}

#undef ALSBENCH_BIND

}  // namespace alsbench::vendor
