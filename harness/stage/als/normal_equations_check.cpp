// SPDX-License-Identifier: Apache-2.0
// hermitian, bias and normal_equations: every element of the checked rows. The error of A is
// relative to sqrt(ref_ii ref_jj), that of b to sum |r theta|.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/stage/als/reference_rows.h"
#include "harness/stage/check.h"
#include "harness/stage/supports.h"
#include "harness/stage/tolerance.h"
#include "variants/als/parameters.h"
#include "variants/als/stages.h"

namespace alsbench {
namespace {

using reference::Vector;

struct Outputs {
  Vector matrix;  // empty where the stage does not write it
  Vector bias;    // with its padding
};

// A in half holds A_u / n_u; `count` is n_u.
void compare_matrix(const ReferenceRow& row, Scalar storage, const Vector& out, RowCheck& check) {
  const auto rank = static_cast<int64_t>(row.b.size());
  const double divisor =
      storage == Scalar::fp16 && row.count > 0 ? static_cast<double>(row.count) : 1.0;
  const Vector& ref = row.a;
  Vector roots(row.b.size());
  for (int64_t i = 0; i < rank; ++i) roots[i] = std::sqrt(ref[i * rank + i] / divisor);
  for (int64_t i = 0; i < rank; ++i)
    for (int64_t j = 0; j < rank; ++j) {
      const double value = out[i * rank + j], expected = ref[i * rank + j] / divisor;
      const double scale = roots[i] * roots[j];
      if (std::abs(value - expected) <= check.error * scale) continue;  // as nearly all are
      check.element({"A", i, j}, value, expected, scale);
    }
  if (check.wrong()) return;
  for (int64_t i = 0; i < rank; ++i)
    for (int64_t j = 0; j < i; ++j)
      if (out[i * rank + j] != out[j * rank + i]) {
        check.error = std::abs(out[i * rank + j] - out[j * rank + i]);
        check.tolerance = 0;
        check.detail = fmt::format("A({}, {}) is {:.9g} but A({}, {}) is {:.9g}; A is symmetric", i,
                                   j, out[i * rank + j], j, i, out[j * rank + i]);
        return;
      }
}

// Sums of signed bytes are exact: A's elements to the bit, as kernels/cuda/mma/byte_sums.cuh rounds
// them.
void compare_integers(const ReferenceRow& row, float lambda, const Vector& out, RowCheck& check) {
  const size_t rank = row.scales.size();
  for (size_t i = 0; i < rank; ++i)
    for (size_t j = 0; j < rank; ++j) {
      const float scale = static_cast<float>(row.scales[i]) * static_cast<float>(row.scales[j]);
      float expected = static_cast<float>(row.sums[i * rank + j]) * scale;
      if (i == j) expected += row.count > 0 ? lambda * static_cast<float>(row.count) : 1.0f;
      if (out[i * rank + j] == expected || check.is_nan) continue;
      return check.fail(fmt::format("A({}, {}) is {:.9g}, the sum of bytes gives {:.9g}", i, j,
                                    out[i * rank + j], expected));
    }
}

void compare_bias(const ReferenceRow& row, const Vector& out, RowCheck& check) {
  for (size_t i = 0; i < out.size(); ++i) {
    const bool padding = i >= row.b.size();
    check.element({"b", static_cast<int64_t>(i)}, out[i], padding ? 0 : row.b[i],
                  padding ? 0 : row.magnitude[i]);
  }
}

double error_of(const Outputs& outputs, Scalar storage, const ReferenceRow& row) {
  RowCheck check;
  check.tolerance = std::numeric_limits<double>::infinity();
  if (!outputs.bias.empty()) compare_bias(row, outputs.bias, check);
  if (!outputs.matrix.empty()) compare_matrix(row, storage, outputs.matrix, check);
  return check.error;
}

// The rows all lie in the batch that `params` has treated.
std::vector<Outputs> download_outputs(StageFixture& fixture, const UpdateParams& params,
                                      Scalar storage, std::span<const ReferenceRow> rows) {
  const Stage stage = fixture.stage();
  const int64_t pitch = params.solution.pitch;
  const int64_t elements = int64_t{params.factors.rank} * params.factors.rank;
  Device& device = fixture.problem().device();
  std::vector<int64_t> items;
  for (const ReferenceRow& row : rows) items.push_back(row.row - params.first_row);
  std::vector<Vector> matrices, biases;
  if (stage != &stages::bias)
    matrices = download_rows(device, {params.matrices, storage, elements, elements}, items);
  if (stage != &stages::hermitian)
    biases = download_rows(device, {params.bias, Scalar::fp32, pitch, pitch}, items);
  std::vector<Outputs> outputs(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!matrices.empty()) outputs[i].matrix = std::move(matrices[i]);
    if (!biases.empty()) outputs[i].bias = std::move(biases[i]);
  }
  return outputs;
}

Verification check_equations(const CheckRequest& request) {
  auto& fixture = dynamic_cast<UpdateFixture&>(request.fixture);
  const Config& config = request.config;
  const Scalar factors = parameters::factors_type(config);
  const std::vector<ReferenceRow>& all = reference_rows(request.references, fixture, factors);
  const std::vector<ReferenceRow>& exact =
      reference_rows(request.references, fixture, Scalar::fp32);
  const Scalar storage = parameters::matrices_type(config);
  const int architecture = fixture.problem().device().traits().architecture;
  Tally tally;
  for (size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    const int64_t batch = fixture.update_params(0).row_count;
    const UpdateParams params = fixture.update_params(all[begin].row / batch * batch);
    while (end < all.size() && all[end].row < params.first_row + params.row_count) ++end;
    const std::span<const ReferenceRow> rows(all.data() + begin, end - begin);
    fixture.poison();
    request.executable.launch(params);
    const std::vector<Outputs> outputs = download_outputs(fixture, params, storage, rows);
    const auto what = [&](size_t i) {
      return fmt::format("row {} ({} ratings)", rows[i].row, rows[i].count);
    };
    tally.add_all(rows.size(), what, [&](size_t i, RowCheck& check) {
      check.tolerance = row_tolerance(config, rows[i].count, architecture);
      if (!outputs[i].bias.empty()) compare_bias(rows[i], outputs[i].bias, check);
      if (!outputs[i].matrix.empty()) {
        check.tolerance += storage_tolerance(storage);
        compare_matrix(rows[i], storage, outputs[i].matrix, check);
        if (factors == Scalar::int8 && storage == Scalar::fp32 && !check.wrong())
          compare_integers(rows[i], fixture.problem().lambda(), outputs[i].matrix, check);
      }
      if (factors != Scalar::fp32)
        check.storage_error = error_of(outputs[i], storage, exact[begin + i]);
    });
  }
  return tally.result();
}

template <bool kMatrices>
std::unique_ptr<StageFixture> make_equations(const FixtureRequest& request) {
  return std::make_unique<UpdateFixture>(
      request,
      UpdateOperands{.matrices = kMatrices, .matrix_alone = request.stage == &stages::hermitian});
}

}  // namespace

StageSupport hermitian_support() { return {"hermitian", make_equations<true>, check_equations}; }
StageSupport bias_support() { return {"bias", make_equations<false>, check_equations}; }
StageSupport normal_equations_support() {
  return {"normal_equations", make_equations<true>, check_equations};
}

}  // namespace alsbench
