// SPDX-License-Identifier: Apache-2.0
// The fixture of the stages that form or solve the equations of implicit ALS, and their reference.
#pragma once

#include "harness/stage/als/reference_rows.h"
#include "kernels/shared/params/implicit.h"

namespace alsbench {

// Lambda is plain where X is updated and weighted where Theta is, so both are checked. Factors must
// be centred. Those of one sign give the Gram matrix one eigenvalue thousands of times as large as
// the others. A few steps of CG in float then lose most digits.
class ImplicitFixture : public UpdateFixture {
 public:
  static constexpr float kAlpha = 4;

  ImplicitFixture(const FixtureRequest& request, const UpdateOperands& operands);
  StageParams params(int64_t first_row) const override { return implicit_params(first_row); }
  Operands operands(const Variant& variant, int64_t first_row) const override {
    Operands all = UpdateFixture::operands(variant, first_row);
    all.inputs.push_back(region_of("Gram matrix", gram_));
    return all;
  }
  ImplicitParams implicit_params(int64_t first_row) const;
  // Of a row with `count` ratings, what the diagonal of A_u has besides the sums.
  double diagonal(int64_t count) const;
  const float* host_gram() const { return host_gram_.data(); }

 private:
  std::vector<float> host_gram_;
  Buffer gram_;
};

// The equations of the checked rows; where `factors` is no fp32, of weighted rows rounded to it.
const std::vector<ReferenceRow>& implicit_rows(ReferenceCache& cache,
                                               const ImplicitFixture& fixture, Scalar factors);

}  // namespace alsbench
