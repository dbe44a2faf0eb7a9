// SPDX-License-Identifier: Apache-2.0
// How a block of the CG kernel divides a matrix among its threads. Plain constants, seen by the
// kernel (cg.cuh) and by its plan (variants/als/solve/solve_cuda.cpp).
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

// Where A_u stays between the steps.
enum class MatrixCache {
  none,       // read from global memory in every step (the paper's solver)
  shared,     // copied to shared memory once
  registers,  // held by the threads that multiply with it
};

struct CgLayout {
  int rank = 0;
  int threads = 0;
  int element_bytes = 4;  // of an element of A_u

  // Elements a thread reads at once: the widest vector of at most 16 bytes that divides a row.
  ALSBENCH_HOST_DEVICE constexpr int vector() const {
    int vector = 16 / element_bytes;
    while (rank % vector != 0) vector /= 2;
    return vector;
  }
  ALSBENCH_HOST_DEVICE constexpr int vectors() const { return rank / vector(); }  // of a row
  // `lanes` threads read a row together (in `columns` turns); `groups` of them read different rows.
  ALSBENCH_HOST_DEVICE constexpr int lanes() const {
    return vectors() < threads ? vectors() : threads;
  }
  ALSBENCH_HOST_DEVICE constexpr int columns() const { return (vectors() + lanes() - 1) / lanes(); }
  ALSBENCH_HOST_DEVICE constexpr int groups() const {
    return threads / lanes() < rank ? threads / lanes() : rank;
  }
  ALSBENCH_HOST_DEVICE constexpr int rows() const { return (rank + groups() - 1) / groups(); }
  // Registers a thread needs to hold its part of the matrix, in float whatever the storage.
  ALSBENCH_HOST_DEVICE constexpr int words() const { return rows() * columns() * vector(); }
  // Blocks an SM should hold: bounds the registers. 512 threads leave 128 each; that their matrices
  // are few also keeps them in the caches from step to step.
  ALSBENCH_HOST_DEVICE constexpr int blocks_per_multiprocessor(MatrixCache cache) const {
    const int resident = cache == MatrixCache::registers && words() > 80 ? 256 : 512;
    return resident / threads > 0 ? resident / threads : 1;
  }
};

}  // namespace alsbench
