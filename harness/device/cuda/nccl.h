// SPDX-License-Identifier: Apache-2.0
// The few functions of NCCL that a team calls, found by dlopen("libnccl.so.2"). Neither its header
// nor the library is needed to build or start. Names and numbers are those of nccl.h 2.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace alsbench::nccl {

using Communicator = struct ncclComm*;
struct UniqueId {  // ncclUniqueId
  char internal[128];
};
constexpr int kSuccess = 0;
constexpr int kChar = 0;  // ncclDataType_t
constexpr int kUint32 = 3;
constexpr int kMax = 2;  // ncclRedOp_t

struct Library {
  int (*ncclCommInitAll)(Communicator* communicators, int count, const int* ordinals);
  int (*ncclGetUniqueId)(UniqueId* id);
  int (*ncclCommInitRank)(Communicator* communicator, int count, UniqueId id, int rank);
  int (*ncclCommDestroy)(Communicator communicator);
  int (*ncclCommAbort)(Communicator communicator);
  int (*ncclAllReduce)(const void* source, void* target, size_t count, int type, int operation,
                       Communicator communicator, cudaStream_t stream);
  int (*ncclBroadcast)(const void* source, void* target, size_t count, int type, int root,
                       Communicator communicator, cudaStream_t stream);
  int (*ncclGroupStart)();
  int (*ncclGroupEnd)();
  const char* (*ncclGetErrorString)(int status);
};

// Loads it once. Throws EnvironmentError that says what is missing.
const Library& library();

// Each of `count` words on the device becomes the largest of all members'. Enqueued. Throws
// CudaError.
void all_reduce_max(uint32_t* words, int64_t count, Communicator communicator, cudaStream_t stream);

}  // namespace alsbench::nccl
