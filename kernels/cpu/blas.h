// SPDX-License-Identifier: Apache-2.0
// OpenBLAS and the LAPACK in it, as the CPU backend uses them: one BLAS thread, since the rows are
// spread over threads already.
#pragma once

#include <cblas.h>

#include <string>

// LAPACK's Fortran interface; OpenBLAS ships no header for it.
extern "C" {
void sgetrf_(const int* m, const int* n, float* a, const int* lda, int* ipiv, int* info);
void sgetrs_(const char* trans, const int* n, const int* nrhs, const float* a, const int* lda,
             const int* ipiv, float* b, const int* ldb, int* info);
void spotrf_(const char* uplo, const int* n, float* a, const int* lda, int* info);
void spotrs_(const char* uplo, const int* n, const int* nrhs, const float* a, const int* lda,
             float* b, const int* ldb, int* info);
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dpotrs_(const char* uplo, const int* n, const int* nrhs, const double* a, const int* lda,
             double* b, const int* ldb, int* info);
void dtrtri_(const char* uplo, const char* diag, const int* n, double* a, const int* lda,
             int* info);
void dsyevd_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda, double* w,
             double* work, const int* lwork, int* iwork, const int* liwork, int* info);
}

namespace alsbench {

// clang-format off
#define ALSBENCH_BLAS_FUNCTIONS(X) \
  X(cblas_ddot)                    \
  X(cblas_dsyrk)                   \
  X(cblas_dtrmm)                   \
  X(cblas_sgemm)                   \
  X(cblas_ssyrk)                   \
  X(dpotrf_)                       \
  X(dpotrs_)                       \
  X(dsyevd_)                       \
  X(dtrtri_)                       \
  X(openblas_get_config)           \
  X(openblas_get_corename)         \
  X(openblas_get_num_threads)      \
  X(openblas_set_num_threads)      \
  X(sgetrf_)                       \
  X(sgetrs_)                       \
  X(spotrf_)                       \
  X(spotrs_)
// clang-format on

// NOLINTNEXTLINE(bugprone-macro-parentheses): a member's name cannot stand in parentheses
#define ALSBENCH_MEMBER(name) decltype(&::name) name = nullptr;
struct Blas {
  ALSBENCH_BLAS_FUNCTIONS(ALSBENCH_MEMBER)
};
#undef ALSBENCH_MEMBER

// Opened by the first call, so a program that computes nothing starts without it. It then runs the
// kernels that fit the processor: an OpenBLAS that is older falls back to its oldest (seen with
// 0.3.21 on Sapphire Rapids: "Prescott", a tenth of the speed). Throws MissingLibrary where it is
// not there, or where `ulimit -v` leaves no addresses for the buffers of OpenMP's threads. A thread
// that opens it must be the only one that reads or changes the environment.
const Blas& blas();

std::string blas_config();  // the library's version and build options, as it states them itself
std::string blas_core();    // what it runs, e.g. "SkylakeX"
// The value of OPENBLAS_CORETYPE that fits this processor better; "" where it runs the right one.
std::string better_blas_core();
// Of the OpenBLAS that this program was built with; opens nothing.
std::string built_blas_version();

// OpenBLAS's own threads off while it lives.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas()
      : set_threads_(blas().openblas_set_num_threads), threads_(blas().openblas_get_num_threads()) {
    set_threads_(1);
  }
  ~SingleThreadedBlas() { set_threads_(threads_); }
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

 private:
  void (*set_threads_)(int);
  int threads_;
};

}  // namespace alsbench
