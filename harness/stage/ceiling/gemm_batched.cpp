// SPDX-License-Identifier: Apache-2.0
// gemm_batched: every element of the checked products. The error is relative to sqrt(ref_ii
// ref_jj).
#include "variants/ceiling/gemm_batched.h"

#include <fmt/format.h>

#include <cmath>

#include "harness/stage/ceiling/ceiling.h"
#include "harness/stage/check.h"
#include "harness/stage/supports.h"
#include "harness/stage/tolerance.h"
#include "kernels/cpu/first_error.h"
#include "kernels/cpu/reference/reference.h"
#include "kernels/shared/params/ceiling.h"
#include "variants/ceiling/sizes.h"

namespace alsbench {
namespace {

using reference::Vector;

class GemmFixture : public StageFixture {
 public:
  explicit GemmFixture(const FixtureRequest& request)
      : StageFixture(request), size_(gemm_shape(shape_)) {
    const int64_t inputs = size_.batch * size_.k * shape_.rank;
    source_ = device().allocate(inputs * 4);
    fill_random(device(), source_, request.seed);
    if (request.storage.factors != Scalar::fp32)
      source_ = rounded_copy(device(), request.storage.factors, source_.data(), inputs);
    target_ = device().allocate(size_.batch * shape_.rank * shape_.rank * int64_t{4});
  }
  void poison() override { fill_with_nan(target_); }
  StageParams params(int64_t) const override {
    return GemmParams{source_.data(), target_.as<float>(), size_.batch, size_.k, shape_.rank};
  }

 private:
  GemmShape size_;
  Buffer source_, target_;
};

Vector gram(const Vector& a, int64_t k, int64_t m) {
  Vector c(static_cast<size_t>(m * m), 0.0);
  for (int64_t row = 0; row < k; ++row)
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < m; ++j) c[i * m + j] += a[row * m + i] * a[row * m + j];
  return c;
}

// TF32 keeps 10 bits of each operand's fraction, and hardware may truncate: 2^-10 each.
double input_tolerance(Scalar precision) { return precision == Scalar::tf32 ? 0x1p-9 : 0; }

Verification check_products(const CheckRequest& request) {
  StageFixture& fixture = request.fixture;
  const auto params = fixture.params(0).as<GemmParams>();
  Device& device = request.device();
  const int64_t k = params.k, m = params.m;
  const Scalar precision = gemm_precision(request.config);
  const Scalar storage = precision == Scalar::fp16 ? Scalar::fp16 : Scalar::fp32;
  fixture.poison();
  request.executable.launch(params);
  const std::vector<int64_t> items = sampled_numbers(params.batch, request.references.sampled());
  std::vector<Vector> inputs, outputs;
  for (const int64_t item : items) {
    inputs.push_back(download_values(device, params.a, item * k * m, k * m, storage));
    outputs.push_back(download_values(device, params.c, item * m * m, m * m, Scalar::fp32));
  }
  std::vector<RowCheck> checks(items.size());
  const auto check_item = [&](size_t at) {
    const Vector &c = outputs[at], expected = gram(inputs[at], k, m);
    RowCheck& row = checks[at];
    row.tolerance = sum_tolerance(k) + input_tolerance(precision);
    if (precision != Scalar::fp32) row.tolerance += truncation_tolerance(k);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < m; ++j)
        row.element({"C", i, j}, c[i * m + j], expected[i * m + j],
                    std::sqrt(expected[i * m + i] * expected[j * m + j]));
  };
  FirstError error;
#pragma omp parallel for schedule(dynamic)
  for (size_t at = 0; at < items.size(); ++at) error.run([&] { check_item(at); });
  error.rethrow();
  Tally tally;
  for (size_t at = 0; at < items.size(); ++at)
    tally.add(fmt::format("item {}", items[at]), checks[at]);
  return tally.result();
}

}  // namespace

StageSupport gemm_batched_support() { return {"gemm_batched", make<GemmFixture>, check_products}; }

}  // namespace alsbench
