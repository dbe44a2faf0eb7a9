// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/nccl.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "base/error.h"
#include "harness/device/device.h"
#include "kernels/load/shared_library.h"

namespace alsbench::nccl {
namespace {

Library load() try {
  // Multicast over NVLink gains nothing here, and a program that ends within it can leave the
  // switch in need of a reset.
  constexpr int kKeep = 0;
  setenv("NCCL_NVLS_ENABLE", "0", kKeep);
  const SharedLibrary nccl("libnccl.so.2", python_package_folders());
  Library library{};
  nccl.bind("ncclCommInitAll", library.ncclCommInitAll);
  nccl.bind("ncclGetUniqueId", library.ncclGetUniqueId);
  nccl.bind("ncclCommInitRank", library.ncclCommInitRank);
  nccl.bind("ncclCommDestroy", library.ncclCommDestroy);
  nccl.bind("ncclCommAbort", library.ncclCommAbort);
  nccl.bind("ncclAllReduce", library.ncclAllReduce);
  nccl.bind("ncclBroadcast", library.ncclBroadcast);
  nccl.bind("ncclGroupStart", library.ncclGroupStart);
  nccl.bind("ncclGroupEnd", library.ncclGroupEnd);
  nccl.bind("ncclGetErrorString", library.ncclGetErrorString);
  return library;
} catch (const MissingLibrary& error) {
  throw EnvironmentError(fmt::format(
      "training on several GPUs needs NCCL 2.18 or newer: {}; install libnccl2, or name "
      "its folder in LD_LIBRARY_PATH",
      error.what()));
}

}  // namespace

const Library& library() {
  static const Library loaded = load();
  return loaded;
}

void all_reduce_max(uint32_t* words, int64_t count, Communicator communicator,
                    cudaStream_t stream) {
  const int status = library().ncclAllReduce(words, words, static_cast<size_t>(count), kUint32,
                                             kMax, communicator, stream);
  if (status != kSuccess)
    throw CudaError(fmt::format("ncclAllReduce: {}", library().ncclGetErrorString(status)));
}

}  // namespace alsbench::nccl
