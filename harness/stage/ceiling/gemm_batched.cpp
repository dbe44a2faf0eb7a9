// SPDX-License-Identifier: Apache-2.0
// gemm_batched: every element of the checked products. The error is relative to sqrt(ref_ii
// ref_jj).
#include "variants/ceiling/gemm_batched.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "harness/device/uploaded.h"
#include "harness/stage/ceiling/ceiling.h"
#include "harness/stage/check.h"
#include "harness/stage/supports.h"
#include "harness/stage/tolerance.h"
#include "kernels/cpu/reference/reference.h"
#include "kernels/shared/params/ceiling.h"
#include "variants/ceiling/sizes.h"

namespace alsbench {
namespace {

using reference::Vector;

// Random operands of as many items as make a block that the others repeat, with zeros around them.
template <class Element, class Draw>
std::vector<Element> block_of_items(const GemmParams& p, bool transposed, const Draw& draw) {
  constexpr int64_t kBlock = int64_t{1} << 20;  // elements
  const int64_t items = std::clamp<int64_t>(kBlock / p.a_stride(), 1, p.batch);
  std::vector<Element> block(static_cast<size_t>(items * p.a_stride()), Element{});
  for (int64_t item = 0; item < items; ++item)
    for (int64_t row = 0; row < p.k; ++row)
      for (int64_t i = 0; i < p.m; ++i)
        block[item * p.a_stride() + (transposed ? i * p.padded_k + row : row * p.padded_m + i)] =
            draw();
  return block;
}

class GemmFixture : public StageFixture {
 public:
  explicit GemmFixture(const FixtureRequest& request) : StageFixture(request) {
    const GemmShape size = gemm_shape(shape_);
    params_ = {nullptr,
               nullptr,
               size.batch,
               size.k,
               padded_for_gemm(size.k),
               shape_.rank,
               static_cast<int32_t>(padded_for_gemm(shape_.rank))};
    make_source(request.storage.factors, request.seed);
    target_ = device().allocate(params_.batch * params_.c_stride() * 4);
    params_.a = source_.data();
    params_.c = target_.data();
  }
  void poison() override { fill_with_nan(target_); }
  StageParams params(int64_t) const override { return params_; }
  Operands operands(const Variant&, int64_t) const override {
    return {{region_of("A", source_)},
            {region_of("C", target_)},
            {items_axis(source_, source_.bytes() / params_.batch)}};
  }

 private:
  void make_source(Scalar type, uint64_t seed) {
    std::mt19937_64 generator(seed);
    if (type == Scalar::int8) {
      std::uniform_int_distribution<int> bytes(-127, 127);
      const auto block = block_of_items<int8_t>(
          params_, true, [&] { return static_cast<int8_t>(bytes(generator)); });
      return repeat(uploaded(device(), block), type);
    }
    std::uniform_real_distribution<float> floats(-0.5f, 0.5f);
    const auto block = block_of_items<float>(params_, false, [&] { return floats(generator); });
    Buffer on_device = uploaded(device(), block);
    if (type != Scalar::fp32)
      on_device =
          rounded_copy(device(), type, on_device.data(), static_cast<int64_t>(block.size()));
    repeat(on_device, type);
  }
  void repeat(const Buffer& block, Scalar type) {
    const int64_t bytes = params_.batch * params_.a_stride() * size_of(type);
    source_ = device().allocate(bytes);
    for (int64_t first = 0; first < bytes; first += block.bytes())
      device().copy(source_.as<char>() + first, block.data(),
                    std::min(block.bytes(), bytes - first));
    device().synchronize();  // the block goes
  }

  GemmParams params_;
  Buffer source_, target_;
};

// Operand of an item, k x m, as doubles.
Vector operand(Device& device, const GemmParams& p, Scalar precision, int64_t item) {
  const int64_t k = p.k, m = p.m;
  Vector a(static_cast<size_t>(k * m));
  if (precision == Scalar::int8) {
    std::vector<int8_t> bytes(static_cast<size_t>(p.a_stride()));
    device.download(bytes.data(), static_cast<const int8_t*>(p.a) + item * p.a_stride(),
                    p.a_stride());
    for (int64_t row = 0; row < k; ++row)
      for (int64_t i = 0; i < m; ++i) a[row * m + i] = bytes[i * p.padded_k + row];
    return a;
  }
  const Scalar storage = precision == Scalar::fp16 ? Scalar::fp16 : Scalar::fp32;
  const Vector padded = download_values(device, p.a, item * p.a_stride(), p.a_stride(), storage);
  for (int64_t row = 0; row < k; ++row)
    for (int64_t i = 0; i < m; ++i) a[row * m + i] = padded[row * p.padded_m + i];
  return a;
}

// The product of an item, m x m, as doubles.
Vector product(Device& device, const GemmParams& p, Scalar precision, int64_t item) {
  const int64_t m = p.m;
  std::vector<uint32_t> words(static_cast<size_t>(p.c_stride()));
  device.download(words.data(), static_cast<const uint32_t*>(p.c) + item * p.c_stride(),
                  4 * p.c_stride());
  Vector c(static_cast<size_t>(m * m));
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < m; ++j) {
      const uint32_t word = words[i * p.padded_m + j];
      if (precision == Scalar::int8)
        c[i * m + j] = std::bit_cast<int32_t>(word);
      else
        c[i * m + j] = std::bit_cast<float>(word);
    }
  return c;
}

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
  fixture.poison();
  request.executable.launch(params);
  const std::vector<int64_t> items =
      sampled_numbers(params.batch, request.references.sampled(), request.references.draw());
  std::vector<Vector> inputs, outputs;
  for (const int64_t item : items) {
    inputs.push_back(operand(device, params, precision, item));
    outputs.push_back(product(device, params, precision, item));
  }
  const auto what = [&](size_t at) { return fmt::format("item {}", items[at]); };
  Tally tally;
  tally.add_all(items.size(), what, [&](size_t at, RowCheck& row) {
    const Vector &c = outputs[at], expected = gram(inputs[at], k, m);
    row.tolerance = sum_tolerance(k) + input_tolerance(precision);
    if (precision == Scalar::fp16 || precision == Scalar::tf32)
      row.tolerance += truncation_tolerance(k);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < m; ++j)
        row.element({"C", i, j}, c[i * m + j], expected[i * m + j],
                    std::sqrt(expected[i * m + i] * expected[j * m + j]));
  });
  return tally.result();
}

}  // namespace

StageSupport gemm_batched_support() { return {"gemm_batched", make<GemmFixture>, check_products}; }

}  // namespace alsbench
