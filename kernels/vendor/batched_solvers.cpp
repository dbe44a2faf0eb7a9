// SPDX-License-Identifier: Apache-2.0
#include "kernels/vendor/batched_solvers.h"

#include <stdexcept>
#include <string>

#include "kernels/vendor/check.h"
#include "kernels/vendor/libraries.h"

namespace alsbench::vendor {

void lu_factorize(void* cublas, const BatchedSystems& s) {
  VENDOR_CHECK(libcublas().cublasSgetrfBatched(static_cast<cublasHandle_t>(cublas), s.rank,
                                               s.matrices, s.rank, s.pivots, s.info, s.batch));
}

void lu_solve(void* cublas, const BatchedSystems& s) {
  int bad_argument = 0;
  VENDOR_CHECK(libcublas().cublasSgetrsBatched(
      static_cast<cublasHandle_t>(cublas), CUBLAS_OP_N, s.rank, 1, s.matrices, s.rank, s.pivots,
      s.right_sides, s.right_side_pitch, &bad_argument, s.batch));
  if (bad_argument != 0)
    throw std::runtime_error("cublasSgetrsBatched refused its argument " +
                             std::to_string(-bad_argument));
}

void cholesky_factorize(void* cusolver, const BatchedSystems& s) {
  VENDOR_CHECK(libcusolver().cusolverDnSpotrfBatched(static_cast<cusolverDnHandle_t>(cusolver),
                                                     CUBLAS_FILL_MODE_LOWER, s.rank, s.matrices,
                                                     s.rank, s.info, s.batch));
}

void cholesky_solve(void* cusolver, const BatchedSystems& s) {
  VENDOR_CHECK(libcusolver().cusolverDnSpotrsBatched(
      static_cast<cusolverDnHandle_t>(cusolver), CUBLAS_FILL_MODE_LOWER, s.rank, 1, s.matrices,
      s.rank, s.right_sides, s.right_side_pitch, s.solve_info, s.batch));
}

}  // namespace alsbench::vendor
