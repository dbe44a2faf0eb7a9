// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/als/sketch.h"

#include <utility>

#include "harness/algorithms/als/prepared.h"
#include "kernels/cpu/sketch.h"
#include "kernels/shared/params/als.h"
#include "kernels/shared/params/basis.h"
#include "variants/als/stages.h"

namespace alsbench {
namespace {

constexpr const char* kOf = "start";  // whose stages these are

// Rows of the sketch have so many ratings at least, where they have them at all.
constexpr int64_t kMinValue = 64;
// The length of a row of the sketch besides its 1, on average over the ratings.
constexpr double kRowNorm = 1;

// [1, 0, ...] in each row.
std::vector<float> ones(int64_t rows, int32_t rank) {
  std::vector<float> values(static_cast<size_t>(rows * rank), 0.0f);
  for (int64_t row = 0; row < rows; ++row) values[row * rank] = 1;
  return values;
}

}  // namespace

Sketch::Sketch(const DeviceProblem& problem, double share, uint64_t seed)
    : problem_(&problem),
      seed_(seed),
      x_(of_side(Side::x, share)),
      theta_(of_side(Side::theta, share)),
      rotate_(prepared(problem, &stages::rotate, "tiled", Side::theta)),
      blend_(prepared(problem, &stages::blend, "elements", Side::theta)),
      product_(problem.device(), problem.ratings(Side::theta).rows, problem.rank()),
      ones_(problem.device(), problem.ratings(Side::theta).rows, problem.rank()),
      basis_(problem.device().allocate(x_.gram_matrix.bytes())) {
  ones_.upload(ones(problem.ratings(Side::theta).rows, problem.rank()));
  const auto elements = static_cast<size_t>(problem.rank()) * problem.rank();
  host_grams_.resize(2 * elements);
  host_basis_.resize(elements);
}

Sketch::SideState Sketch::of_side(Side side, double share) const {
  const auto mean = static_cast<float>(problem_->set().mean);
  const int64_t bytes = int64_t{sizeof(float)} * problem_->rank() * problem_->rank();
  return {DrawnSubsample(*problem_, side, {share, kMinValue}, seed_).averaged_residuals(mean),
          prepared(*problem_, &stages::bias, "rows", side), prepared_gram(*problem_, side),
          problem_->device().allocate(bytes)};
}

void Sketch::run(FactorMatrix& x, FactorMatrix& theta, StageClock& clock) {
  Device& device = problem_->device();
  for (SideState* of : {&x_, &theta_})
    clock.device(kOf, "subsample", [&] { of->residuals.draw(); });
  multiply(x_, Side::x, theta, x, clock);
  multiply(theta_, Side::theta, x, product_, clock);

  bool found = false;
  clock.host(kOf, "basis", [&] { found = find_basis(); });

  if (found) {
    const RotateParams rotate{product_.view(), theta.view(), basis_.as<float>()};
    clock.device(kOf, "rotate", [&] { rotate_->launch(rotate); });
  }
  const FactorMatrix& uniform = problem_->initial(Side::theta, seed_);
  clock.device(kOf, "blend", [&] {
    if (found)
      blend_->launch(BlendParams{theta.view(), ones_.view(), 1, 1});
    else
      device.copy(theta.view().data, uniform.view().data, theta.bytes());
    device.fill(x.view().data, 0, x.bytes());
  });
}

void Sketch::multiply(SideState& of, Side side, const FactorMatrix& factors, FactorMatrix& target,
                      StageClock& clock) {
  UpdateParams product;
  product.ratings = of.residuals.view();
  product.factors = factors.view();
  product.solution = target.view();
  product.bias = static_cast<float*>(target.view().data);
  product.row_count = target.view().rows;
  clock.device(kOf, "bias", [&] { of.product->launch(product); });
  const GramParams gram{problem_->ratings(side), target.view(), of.gram_matrix.as<float>()};
  clock.device(kOf, "gram", [&] { of.gram->launch(gram); });
}

bool Sketch::find_basis() {
  Device& device = problem_->device();
  float* const grams = host_grams_.data();
  float* const products = grams + host_basis_.size();
  device.download(grams, x_.gram_matrix.data(), x_.gram_matrix.bytes());
  device.download(products, theta_.gram_matrix.data(), theta_.gram_matrix.bytes());
  const auto ratings = static_cast<double>(problem_->ratings(Side::x).nnz);
  if (!sketch_basis({grams, products, problem_->rank(), ratings, kRowNorm}, host_basis_.data()))
    return false;
  device.upload(basis_.data(), host_basis_.data(), basis_.bytes());
  return true;
}

DrawnSubsample::DrawnSubsample(const DeviceProblem& problem, Side side, SubsampleRule rule,
                               uint64_t seed)
    : subsample_(problem, side, rule),
      params_(subsample_.params(seed)),
      stage_(prepared(problem, &stages::subsample, "rows", side)) {}

DrawnSubsample DrawnSubsample::averaged_residuals(float mean) && {
  params_.mean = mean;
  params_.averaged = 1;
  return std::move(*this);
}

void DrawnSubsample::draw() { stage_->launch(params_); }

}  // namespace alsbench
