// SPDX-License-Identifier: Apache-2.0
#include "harness/stage/als/update_fixture.h"

#include <algorithm>
#include <vector>

#include "harness/problem/factor_copy.h"
#include "variants/als/parameters.h"
#include "variants/als/stages.h"
#include "variants/pipeline.h"

namespace alsbench {

namespace {

constexpr int kNanByte = 0xFF;

FactorMatrix centred(Device& device, const FactorMatrix& factors) {
  constexpr float kMean = 0.1f;  // of the initial factors
  std::vector<float> values = factors.download();
  for (float& value : values) value -= kMean;
  FactorMatrix result(device, factors.view().rows, factors.view().rank);
  result.upload(values);
  return result;
}

}  // namespace

UpdateFixture::UpdateFixture(const FixtureRequest& request, const UpdateOperands& operands)
    : StageFixture(request),
      operands_(operands),
      centred_fixed_(operands.centred ? centred(device(), initial(other(side()), request.seed))
                                      : FactorMatrix()),
      centred_start_(operands.centred ? centred(device(), initial(side(), request.seed + 1))
                                      : FactorMatrix()),
      fixed_(operands.centred ? centred_fixed_ : initial(other(side()), request.seed)),
      start_(operands.centred ? centred_start_ : initial(side(), request.seed + 1)) {
  make_factors();
  make_batch();
  if (operands_.systems) make_systems();
}

void UpdateFixture::make_factors() {
  const Scalar type = request().storage.factors;
  if (has_scales(type) && operands_.alpha) {
    const Csr& ratings = problem().host_ratings(side());
    weights_.emplace(ratings, *operands_.alpha);
    weighted_ = weighted_ratings(device(), ratings, problem().ratings(side()), *weights_);
  }
  const Int8Weights weights = weights_ ? weights_->roots() : Int8Weights{};
  if (type != Scalar::fp32) {
    fixed_rounded_ = device().allocate(factor_copy_bytes(type, fixed_.view(), weights));
    copy_factors(device(), {fixed_rounded_.data(), type}, fixed_.view(), nullptr, weights);
  }
  solution_ = FactorMatrix(device(), shape_.rows, shape_.rank);
  device().copy(solution_.view().data, start_.view().data, start_.bytes());
  if (operands_.rounds && type != Scalar::fp32)
    solution_rounded_ = device().allocate(factor_copy_bytes(type, start_.view()));
}

// Outputs of one batch. The inputs of a solver must all lie in memory, so it covers one batch; the
// others loop.
void UpdateFixture::make_batch() {
  const int64_t matrix_bytes =
      int64_t{shape_.rank} * shape_.rank * size_of(request().storage.matrices);
  const int64_t copies = operands_.systems ? 2 : 1;
  const int64_t row_bytes = operands_.matrices ? copies * matrix_bytes : 0;
  const int64_t bias_bytes = int64_t{4} * factor_pitch(shape_.rank);
  constexpr int64_t kLibraryScratch = 64;
  shape_.batch_rows =
      batch_rows_for(device(), shape_.rows, row_bytes + copies * bias_bytes + kLibraryScratch);
  measured_rows_ = operands_.systems ? batch() : shape_.rows;
  if (operands_.matrices) matrices_ = device().allocate(batch() * matrix_bytes);
  bias_ = device().allocate(batch() * bias_bytes);
  device().fill(bias_.data(), 0, bias_.bytes());
  steps_ = device().allocate(batch() * 4);
  status_ = device().allocate(batch() * 4);
}

std::vector<PipelineStep> steps_to_systems(const Storage& storage, Backend backend) {
  const bool on_gpu = backend == Backend::cuda;
  PipelineStep hermitian = parse_step(on_gpu ? "hermitian:tiled" : "hermitian:blocked", backend);
  hermitian.config = hermitian.variant->space.assign(hermitian.config, parameters::output().name,
                                                     name_of(storage.matrices));
  return {hermitian, parse_step(on_gpu ? "bias:spmm" : "bias:rows", backend)};
}

void UpdateFixture::make_systems() {
  for (const PipelineStep& step : steps_to_systems(request().storage, device().traits().backend)) {
    UpdateParams params = update_params(0);
    params.factors = fixed_.view();
    device().prepare(*step.variant, step.config, shape_)->launch(params);
    device().synchronize();
  }
}

UpdateParams UpdateFixture::update_params(int64_t first_row) const {
  UpdateParams params;
  params.ratings = weights_ ? weighted_.view : problem().ratings(side());
  params.factors = fixed_.view();
  if (weights_) params.factors.rows *= weights_->roots().count;
  if (fixed_rounded_) params.factors.data = fixed_rounded_.data();
  params.solution = solution_.view();
  params.lambda = problem().lambda();
  params.first_row = first_row;
  params.row_count = std::min(batch(), measured_rows_ - first_row);
  params.matrices = matrices_.data();
  params.bias = bias_.as<float>();
  params.steps = steps_.as<int32_t>();
  params.status = status_.as<int32_t>();
  params.rounded = solution_rounded_.data();
  return params;
}

void UpdateFixture::restore(const Variant& variant) {
  if (operands_.solves) device().copy(solution_.view().data, start_.view().data, start_.bytes());
  if (!operands_.systems) return;
  if (destroyed_) {
    device().copy(matrices_.data(), pristine_matrices_.data(), matrices_.bytes());
    device().copy(bias_.data(), pristine_bias_.data(), bias_.bytes());
  } else if (variant.destroys_matrices) {
    pristine_matrices_ = device().allocate(matrices_.bytes());
    pristine_bias_ = device().allocate(bias_.bytes());
    device().copy(pristine_matrices_.data(), matrices_.data(), matrices_.bytes());
    device().copy(pristine_bias_.data(), bias_.data(), bias_.bytes());
  }
  destroyed_ = destroyed_ || variant.destroys_matrices;
}

void UpdateFixture::poison() {
  if (!operands_.systems) {
    fill_with_nan(matrices_);
    fill_with_nan(bias_);
  }
  fill_with_nan(solution_rounded_);
  fill_with_nan(steps_);
  fill_with_nan(status_);
  // Of bytes, a kernel raises the largest magnitudes from zero.
  if (solution_rounded_ && has_scales(request().storage.factors))
    clear_largest(device(), solution_rounded_.data(), shape_.rank);
}

void UpdateFixture::make_ready(const Variant& variant, const Config& config) {
  restore(variant);
  poison();
  const auto cg = parameters::cg_options(config);
  if (operands_.solves && !(cg && cg->warm_start))
    device().fill(solution_.view().data, kNanByte, solution_.bytes());
}

std::vector<InputAxis> UpdateFixture::table_axes() const {
  std::vector<InputAxis> axes{rows_axis(fixed_.view())};
  if (!fixed_rounded_) return axes;
  const Scalar type = request().storage.factors;
  const int64_t copies = weights_ ? weights_->roots().count : 1;
  char* const rows = fixed_rounded_.as<char>() + copy_rows_at(type, fixed_.view());
  axes.push_back({{rows, fixed_.view().rows, copies * copy_row_bytes(type, fixed_.view())}});
  return axes;
}

// The same systems in other coordinates: their solutions are as near to the warm start as before.
std::vector<InputAxis> UpdateFixture::system_axes() const {
  const int64_t rank = shape_.rank, item = size_of(request().storage.matrices);
  const int64_t pitch_bytes = int64_t{4} * factor_pitch(shape_.rank);
  void* const matrices = (pristine_matrices_ ? pristine_matrices_ : matrices_).data();
  void* const bias = (pristine_bias_ ? pristine_bias_ : bias_).data();
  const int64_t rows = measured_rows_;
  return {{{matrices, rank, rank * item, rows, rank * rank * item}, 0, 1},
          {{matrices, rank, item, rows * rank, rank * item}, 0, rank},
          {{bias, rank, 4, rows, pitch_bytes}, 0, 1},
          {{start_.view().data, rank, 4, rows, pitch_bytes}, 0, 1}};
}

Operands UpdateFixture::operands(const Variant& variant, int64_t first_row) const {
  const UpdateParams params = update_params(first_row);
  const int64_t rows = params.row_count;
  const Scalar stored = request().storage.matrices, factors = request().storage.factors;
  const Region matrices =
      region_of("A", matrices_.data(), rows * shape_.rank * shape_.rank * size_of(stored),
                numbers_of(stored));
  const Region bias =
      region_of("b", bias_.data(), rows * 4 * factor_pitch(shape_.rank), Numbers::fp32);
  Operands all;
  add_ratings(params.ratings, all.inputs);
  all.axes = operands_.systems ? system_axes() : table_axes();
  if (operands_.systems && !variant.destroys_matrices) {
    all.inputs.insert(all.inputs.end(), {matrices, bias});
  } else if (!operands_.systems) {
    all.inputs.push_back(fixed_rounded_ ? region_of("rounded factors", fixed_rounded_)
                                        : rows_of("factors", fixed_.view()));
  }
  const bool factorizes = operands_.systems && !operands_.solves;
  if (operands_.matrices && (!operands_.systems || factorizes)) all.outputs.push_back(matrices);
  const bool forms = !operands_.systems && !operands_.solves;
  if (forms && !operands_.matrix_alone) all.outputs.push_back(bias);
  if (operands_.solves) {
    all.outputs.push_back(rows_of("x", params.solution, first_row, rows));
    all.outputs.push_back(region_of("steps", params.steps, 4 * rows, Numbers::other));
  }
  if (operands_.systems)
    all.outputs.push_back(region_of("status", params.status, 4 * rows, Numbers::other));
  if (solution_rounded_ && !has_scales(factors)) {
    const int64_t row_bytes = copy_row_bytes(factors, solution_.view());
    all.outputs.push_back(region_of("x in the type of the factors",
                                    solution_rounded_.as<char>() + first_row * row_bytes,
                                    rows * row_bytes, Numbers::other));
  }
  return all;
}

}  // namespace alsbench
