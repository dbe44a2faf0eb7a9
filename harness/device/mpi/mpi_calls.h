// SPDX-License-Identifier: Apache-2.0
// The calls that a team of processes makes of MPI, as plain functions. The library that implements
// them is opened where MPI started the program. Other starts need no MPI, and the program does not
// depend on a certain MPI.
#pragma once

#include <cstdint>

namespace alsbench {

struct MpiCalls {
  int rank = 0;
  int size = 1;
  int processes_of_host = 1;  // of this one
  int rank_on_host = 0;       // among them

  // Each begins a collective and returns its handle; a null handle is an error.
  void* (*broadcast)(void* data, int64_t bytes, int root) = nullptr;
  void* (*gather)(const void* own, int64_t bytes, void* all) = nullptr;  // `bytes` of each
  // 1: it has ended. 0: not yet. -1: it failed. After 1 or -1 the handle is gone.
  int (*ended)(void* collective) = nullptr;
  // A collective: for the end of all work.
  void (*finish)() = nullptr;
};

inline constexpr const char* kMpiLibrary = "libalsbench_mpi.so";
inline constexpr const char* kMpiStart = "alsbench_mpi_start";
// Starts MPI for this thread. Null where that fails.
using MpiStart = const MpiCalls*();

}  // namespace alsbench
