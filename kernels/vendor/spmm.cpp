// SPDX-License-Identifier: Apache-2.0
#include "kernels/vendor/spmm.h"

#include "kernels/vendor/check.h"
#include "kernels/vendor/libraries.h"

namespace alsbench::vendor {
namespace {

constexpr float kOne = 1, kZero = 0;

// The descriptors of a problem, for the time of a call.
class Descriptors {
 public:
  explicit Descriptors(const SpmmProblem& p) {
    try {
      VENDOR_CHECK(libcusparse().cusparseCreateConstCsr(
          &ratings, p.rows, p.cols, p.nnz, p.offsets, p.indices, p.values, CUSPARSE_INDEX_32I,
          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
      VENDOR_CHECK(libcusparse().cusparseCreateConstDnMat(
          &factors, p.cols, p.width, p.width, p.factors, CUDA_R_32F, CUSPARSE_ORDER_ROW));
      VENDOR_CHECK(libcusparse().cusparseCreateDnMat(&product, p.rows, p.width, p.width, p.product,
                                                     CUDA_R_32F, CUSPARSE_ORDER_ROW));
    } catch (...) {
      destroy();
      throw;
    }
  }
  ~Descriptors() { destroy(); }
  Descriptors(const Descriptors&) = delete;
  Descriptors& operator=(const Descriptors&) = delete;

  cusparseConstSpMatDescr_t ratings = nullptr;
  cusparseConstDnMatDescr_t factors = nullptr;
  cusparseDnMatDescr_t product = nullptr;

 private:
  void destroy() {
    if (ratings != nullptr) libcusparse().cusparseDestroySpMat(ratings);
    if (factors != nullptr) libcusparse().cusparseDestroyDnMat(factors);
    if (product != nullptr) libcusparse().cusparseDestroyDnMat(product);
  }
};

cusparseSpMMAlg_t algorithm_of(SpmmAlgorithm algorithm) {
  switch (algorithm) {
    case SpmmAlgorithm::csr1:
      return CUSPARSE_SPMM_CSR_ALG1;
    case SpmmAlgorithm::csr2:
      return CUSPARSE_SPMM_CSR_ALG2;
    case SpmmAlgorithm::csr3:
      return CUSPARSE_SPMM_CSR_ALG3;
    case SpmmAlgorithm::standard:
      break;
  }
  return CUSPARSE_SPMM_ALG_DEFAULT;
}

}  // namespace

int64_t spmm_workspace_bytes(void* cusparse, const SpmmProblem& problem) {
  const Descriptors d(problem);
  size_t bytes = 0;
  VENDOR_CHECK(libcusparse().cusparseSpMM_bufferSize(
      static_cast<cusparseHandle_t>(cusparse), CUSPARSE_OPERATION_NON_TRANSPOSE,
      CUSPARSE_OPERATION_NON_TRANSPOSE, &kOne, d.ratings, d.factors, &kZero, d.product, CUDA_R_32F,
      algorithm_of(problem.algorithm), &bytes));
  return static_cast<int64_t>(bytes);
}

void spmm(void* cusparse, const SpmmProblem& problem, void* workspace) {
  const Descriptors d(problem);
  VENDOR_CHECK(libcusparse().cusparseSpMM(
      static_cast<cusparseHandle_t>(cusparse), CUSPARSE_OPERATION_NON_TRANSPOSE,
      CUSPARSE_OPERATION_NON_TRANSPOSE, &kOne, d.ratings, d.factors, &kZero, d.product, CUDA_R_32F,
      algorithm_of(problem.algorithm), workspace));
}

}  // namespace alsbench::vendor
