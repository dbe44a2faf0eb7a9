// SPDX-License-Identifier: Apache-2.0
#include "kernels/vendor/spmm.h"

#include <tuple>

#include "kernels/vendor/check.h"
#include "kernels/vendor/libraries.h"

namespace alsbench::vendor {
namespace {

constexpr float kOne = 1, kZero = 0;

// The descriptors of the dense operands, for the time of a call.
class Operands {
 public:
  Operands(const SpmmProblem& p, const float* factors_data, float* product_data) {
    try {
      VENDOR_CHECK(libcusparse().cusparseCreateConstDnMat(
          &factors, p.cols, p.width, p.width, factors_data, CUDA_R_32F, CUSPARSE_ORDER_ROW));
      VENDOR_CHECK(libcusparse().cusparseCreateDnMat(&product, p.rows, p.width, p.width,
                                                     product_data, CUDA_R_32F, CUSPARSE_ORDER_ROW));
    } catch (...) {
      destroy();
      throw;
    }
  }
  ~Operands() { destroy(); }
  Operands(const Operands&) = delete;
  Operands& operator=(const Operands&) = delete;

  cusparseConstDnMatDescr_t factors = nullptr;
  cusparseDnMatDescr_t product = nullptr;

 private:
  void destroy() {
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

Spmm::Spmm(const SpmmProblem& p) : problem_(p) {
  cusparseConstSpMatDescr_t ratings = nullptr;
  VENDOR_CHECK(libcusparse().cusparseCreateConstCsr(
      &ratings, p.rows, p.cols, p.nnz, p.offsets, p.indices, p.values, CUSPARSE_INDEX_32I,
      CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  matrix_ = const_cast<cusparseSpMatDescr*>(ratings);
}

Spmm::~Spmm() { libcusparse().cusparseDestroySpMat(static_cast<cusparseSpMatDescr_t>(matrix_)); }

bool Spmm::fits(const SpmmProblem& other) const {
  const auto matrix = [](const SpmmProblem& p) {
    return std::tie(p.rows, p.cols, p.nnz, p.offsets, p.indices, p.values, p.width, p.algorithm);
  };
  return matrix(problem_) == matrix(other);
}

int64_t Spmm::workspace_bytes(void* cusparse) const {
  const Operands d(problem_, problem_.factors, problem_.product);
  size_t bytes = 0;
  VENDOR_CHECK(libcusparse().cusparseSpMM_bufferSize(
      static_cast<cusparseHandle_t>(cusparse), CUSPARSE_OPERATION_NON_TRANSPOSE,
      CUSPARSE_OPERATION_NON_TRANSPOSE, &kOne, static_cast<cusparseSpMatDescr_t>(matrix_),
      d.factors, &kZero, d.product, CUDA_R_32F, algorithm_of(problem_.algorithm), &bytes));
  return static_cast<int64_t>(bytes);
}

void Spmm::analyse(void* cusparse, void* workspace) const {
  const Operands d(problem_, problem_.factors, problem_.product);
  VENDOR_CHECK(libcusparse().cusparseSpMM_preprocess(
      static_cast<cusparseHandle_t>(cusparse), CUSPARSE_OPERATION_NON_TRANSPOSE,
      CUSPARSE_OPERATION_NON_TRANSPOSE, &kOne, static_cast<cusparseSpMatDescr_t>(matrix_),
      d.factors, &kZero, d.product, CUDA_R_32F, algorithm_of(problem_.algorithm), workspace));
}

void Spmm::multiply(void* cusparse, const float* factors, float* product, void* workspace) const {
  const Operands d(problem_, factors, product);
  VENDOR_CHECK(libcusparse().cusparseSpMM(
      static_cast<cusparseHandle_t>(cusparse), CUSPARSE_OPERATION_NON_TRANSPOSE,
      CUSPARSE_OPERATION_NON_TRANSPOSE, &kOne, static_cast<cusparseSpMatDescr_t>(matrix_),
      d.factors, &kZero, d.product, CUDA_R_32F, algorithm_of(problem_.algorithm), workspace));
}

}  // namespace alsbench::vendor
