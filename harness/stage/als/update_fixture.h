// SPDX-License-Identifier: Apache-2.0
// UpdateFixture: the fixture of every stage of a half-iteration of ALS. Which inputs and outputs it
// has is a matter of the stage.
#pragma once

#include <optional>
#include <vector>

#include "harness/problem/rating_weights.h"
#include "harness/stage/stage_fixture.h"
#include "kernels/shared/params/als.h"
#include "variants/pipeline.h"

namespace alsbench {

// Operands of a stage of a half-iteration in addition to the ratings and the fixed factors.
struct UpdateOperands {
  bool matrices = false;      // A_u of a batch, read or written
  bool matrix_alone = false;  // it writes no b_u
  bool systems = false;       // A_u and b_u are inputs, which must all lie in memory: one batch
  bool solves = false;        // it changes the solution, which begins near the answer
  bool rounds = false;        // it writes its solution once more in the type of the factors
  // Factors of both signs, as trained ones have: the initial ones, of one sign, less their mean.
  bool centred = false;
  // Of implicit ALS: ratings weigh factors that are bytes (harness/problem/rating_weights.h).
  std::optional<float> alpha = std::nullopt;
};

// The steps that form a solver's operands in FP32 sums: A_u, in the type of `storage`, and b_u.
std::vector<PipelineStep> steps_to_systems(const Storage& storage, Backend backend);

class UpdateFixture : public StageFixture {
 public:
  UpdateFixture(const FixtureRequest& request, const UpdateOperands& operands);

  int64_t measured_rows() const override { return measured_rows_; }
  void restore(const Variant& variant) override;
  void poison() override;
  // Solutions of a configuration that does not read them are NaN, so an unwritten one is seen.
  void make_ready(const Variant& variant, const Config& config) override;
  Operands operands(const Variant& variant, int64_t first_row) const override;
  StageParams params(int64_t first_row) const override { return update_params(first_row); }
  UpdateParams update_params(int64_t first_row) const;
  // The fixed side as it is before a configuration's storage type rounds it.
  FactorsView fixed_factors() const { return fixed_.view(); }
  const FactorMatrix& fixed() const { return fixed_; }
  // Where ratings weigh the factors, else null.
  const RatingWeights* weights() const { return weights_ ? &*weights_ : nullptr; }

 protected:
  int64_t batch() const override { return shape_.launch_rows(); }

 private:
  void make_factors();
  void make_batch();
  void make_systems();  // of the fixed factors
  std::vector<InputAxis> table_axes() const;
  std::vector<InputAxis> system_axes() const;

  UpdateOperands operands_;
  int64_t measured_rows_ = 0;
  FactorMatrix centred_fixed_, centred_start_;  // empty where they are not wanted
  const FactorMatrix& fixed_;                   // those, or the problem's own, as is the warm start
  const FactorMatrix& start_;
  std::optional<RatingWeights> weights_;
  WeightedRatings weighted_;
  FactorMatrix solution_;
  Buffer fixed_rounded_, solution_rounded_;
  Buffer matrices_, bias_, pristine_matrices_, pristine_bias_;
  Buffer steps_, status_;
  bool destroyed_ = false;  // the matrices no longer hold A_u
};

}  // namespace alsbench
