// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/ccd/ccd_side.h"

#include <algorithm>

#include "variants/catalog.h"
#include "variants/ccd/ccd.h"

namespace alsbench {

CcdSide::CcdSide(const DeviceProblem& problem, Side side, const PipelineStep& update)
    : problem_(&problem),
      side_(side),
      factors_(problem.device(), problem.ratings(side).rows, problem.rank()),
      bins_(problem.device(), problem.host_ratings(side), update.storage().order),
      values_(problem.device().allocate(factors_.view().rows *
                                        static_cast<int64_t>(sizeof(CcdValues)))),
      residuals_(problem.device().allocate(int64_t{4} * problem.ratings(side).nnz)),
      update_(problem.device().prepare(*update.variant, update.config, problem.shape(side))) {
  const Variant& next = variant_named(&stages::ccd_next, "rows", problem.device().traits().backend);
  next_ = problem.device().prepare(next, next.space.default_config(), problem.shape(side));
}

void CcdSide::fill(uint64_t seed) {
  const Csr& ratings = problem_->host_ratings(side_);
  const int64_t rank = problem_->rank();
  std::vector<float> values = initial_factors(ratings.rows, problem_->rank(), seed);
  for (int64_t row = 0; row < ratings.rows; ++row)
    if (ratings.offsets[row] == ratings.offsets[row + 1])
      std::fill_n(values.begin() + row * rank, rank, 0.0f);
  upload(values);
}

void CcdSide::upload(const std::vector<float>& factors) {
  factors_.upload(factors);
  is_zero_ = false;
}

void CcdSide::begin(const CcdSide& other) {
  compute_residuals(other);
  problem_->device().fill(values_.data(), 0, values_.bytes());
  advance(-1, 0);
}

void CcdSide::update(const CcdSide& other, bool first) {
  update_->launch(CcdUpdateParams{problem_->ratings(side_), residuals_.as<float>(),
                                  values_.as<CcdValues>(), other.values_.as<CcdValues>(),
                                  bins_.view(), problem_->lambda(), first ? 1 : 0});
}

void CcdSide::advance(int32_t last, int32_t next) {
  next_->launch(CcdNextParams{factors_.view(), values_.as<CcdValues>(), last, next});
}

void CcdSide::compute_residuals(const CcdSide& other) {
  Device& device = problem_->device();
  if (is_zero_ || other.is_zero_)
    return device.copy(residuals_.data(), problem_->ratings(side_).values, residuals_.bytes());
  const Csr& ratings = problem_->host_ratings(side_);
  const int64_t rank = problem_->rank();
  const std::vector<float> own = factors_.download(), others = other.factors_.download();
  std::vector<float> residuals(static_cast<size_t>(ratings.nnz()));
#pragma omp parallel for schedule(dynamic, 64)  // cannot throw
  for (int64_t row = 0; row < ratings.rows; ++row)
    for (int64_t k = ratings.offsets[row]; k < ratings.offsets[row + 1]; ++k) {
      double residual = ratings.values[k];
      const float *a = own.data() + row * rank, *b = others.data() + ratings.indices[k] * rank;
      for (int64_t i = 0; i < rank; ++i) residual -= double{a[i]} * b[i];
      residuals[k] = static_cast<float>(residual);
    }
  device.upload(residuals_.data(), residuals.data(), residuals_.bytes());
}

}  // namespace alsbench
