// SPDX-License-Identifier: Apache-2.0
// Batched direct solvers of cuBLAS (LU) and cuSOLVER (Cholesky), in place on symmetric matrices.
// Handles are opaque (cublasHandle_t, cusolverDnHandle_t) and carry their stream.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench::vendor {

// All pointers are of the device.
struct BatchedSystems {
  int32_t rank = 0;
  int32_t batch = 0;
  float** matrices = nullptr;     // overwritten by the factors
  float** right_sides = nullptr;  // overwritten by the solutions; not needed to factorise
  int32_t right_side_pitch = 0;   // elements
  int32_t* info = nullptr;        // batch: 0, or the pivot that failed
  int32_t* pivots = nullptr;      // LU: batch x rank, or null for no pivoting
  int32_t* solve_info = nullptr;  // Cholesky: one element
};

void lu_factorize(void* cublas, const BatchedSystems& systems);
void lu_solve(void* cublas, const BatchedSystems& systems);
void cholesky_factorize(void* cusolver, const BatchedSystems& systems);
void cholesky_solve(void* cusolver, const BatchedSystems& systems);

}  // namespace alsbench::vendor
