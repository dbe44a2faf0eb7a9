// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/nccl.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "variants/core/error.h"

namespace alsbench::nccl {
namespace {

template <class Function>
void bind(void* handle, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(handle, name));
  if (function == nullptr)
    throw EnvironmentError(fmt::format(
        "libnccl.so.2 has no {}; install NCCL 2.18 or newer to train on several GPUs", name));
}

Library load() {
  // Multicast over NVLink gains nothing here, and a program that ends within it can leave the
  // switch in need of a reset.
  constexpr int kKeep = 0;
  setenv("NCCL_NVLS_ENABLE", "0", kKeep);
  void* const handle = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    throw EnvironmentError(
        fmt::format("training on several GPUs needs NCCL: {}; install "
                    "libnccl2, or name its folder in LD_LIBRARY_PATH",
                    dlerror()));
  Library library{};
  bind(handle, "ncclCommInitAll", library.ncclCommInitAll);
  bind(handle, "ncclCommDestroy", library.ncclCommDestroy);
  bind(handle, "ncclCommAbort", library.ncclCommAbort);
  bind(handle, "ncclAllReduce", library.ncclAllReduce);
  bind(handle, "ncclGetErrorString", library.ncclGetErrorString);
  return library;
}

}  // namespace

const Library& library() {
  static const Library loaded = load();
  return loaded;
}

}  // namespace alsbench::nccl
