// SPDX-License-Identifier: Apache-2.0
// subsample: its cells are distinct ones of their row, in order and evenly spread. blend: elements
// of checked rows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/problem/ratings_subsample.h"
#include "harness/stage/check.h"
#include "harness/stage/supports.h"
#include "harness/stage/tolerance.h"
#include "variants/als/stages.h"

namespace alsbench {
namespace {

class SubsampleFixture : public StageFixture {
 public:
  explicit SubsampleFixture(const FixtureRequest& request)
      : StageFixture(request),
        subsample_(request.problem, side(), {kMeasuredShare, kMinValue}),
        params_(subsample_.params(request.seed)) {
    params_.mean = static_cast<float>(problem().set().mean);
    params_.averaged = 1;
  }
  void poison() override {
    const int64_t bytes = int64_t{4} * subsample_.view().nnz;
    device().fill(params_.indices, 0xFF, bytes);
    device().fill(params_.values, 0xFF, bytes);
  }
  StageParams params(int64_t) const override { return params_; }
  Operands operands(const Variant&, int64_t) const override {
    const int64_t bytes = int64_t{4} * subsample_.view().nnz;
    Operands all{{},
                 {region_of("columns", params_.indices, bytes, Numbers::other),
                  region_of("values", params_.values, bytes, Numbers::fp32)},
                 {}};
    add_ratings(problem().ratings(side()), all.inputs);
    return all;
  }
  RatingsView subsample() const { return subsample_.view(); }

 protected:
  void renew(std::optional<uint64_t> draw) override {
    params_.seed = draw.value_or(request().seed);
  }

 private:
  static constexpr int64_t kMinValue = 4;  // shorter rows are taken whole

  RatingsSubsample subsample_;
  SubsampleParams params_;
};

struct Cells {
  std::vector<int32_t> indices;
  std::vector<float> values;
};

Cells download_cells(Device& device, const RatingsView& ratings, int64_t begin, int64_t count) {
  Cells cells{std::vector<int32_t>(static_cast<size_t>(count)),
              std::vector<float>(static_cast<size_t>(count))};
  if (count == 0) return cells;
  device.download(cells.indices.data(), ratings.indices + begin, 4 * count);
  device.download(cells.values.data(), ratings.values + begin, 4 * count);
  return cells;
}

// Neighbours of a subsample of `taken` out of `count` cells are count / taken cells apart, rounded
// either way; so is the first one from the row's begin, and the last one from its end, at most.
RowCheck check_subsampled_row(const Csr& ratings, int64_t row, const Cells& found, float mean) {
  RowCheck check;
  check.tolerance = sum_tolerance(1);
  const auto taken = static_cast<int64_t>(found.indices.size());
  const int64_t begin = ratings.offsets[row], end = ratings.offsets[row + 1];
  const int64_t widest = taken > 0 ? (end - begin + taken - 1) / taken : 0;
  int64_t before = begin - 1;
  for (int64_t i = 0; i < taken; ++i) {
    const auto* cell =
        std::find(ratings.indices.data() + begin, ratings.indices.data() + end, found.indices[i]);
    const int64_t at = cell - ratings.indices.data();
    if (at == end || at <= before || at - before > widest)
      check.fail(fmt::format("cell {} names column {}", i, found.indices[i]));
    if (at == end) return check;
    const double rating = ratings.values[at];
    check.element({"r", i}, found.values[i], (rating - mean) / static_cast<double>(taken),
                  (std::abs(rating) + std::abs(mean)) / static_cast<double>(taken));
    before = at;
  }
  if (taken > 0 && end - before > widest) check.fail("the row's end is left out");
  return check;
}

Verification check_subsample(const CheckRequest& request) {
  auto& fixture = dynamic_cast<SubsampleFixture&>(request.fixture);
  const auto params = fixture.params(0).as<SubsampleParams>();
  const Csr& ratings = fixture.problem().host_ratings(fixture.side());
  const RatingsView subsample = fixture.subsample();
  fixture.poison();
  request.executable.launch(params);
  std::vector<int64_t> offsets(static_cast<size_t>(subsample.rows + 1));
  request.device().download(offsets.data(), subsample.offsets, 8 * (subsample.rows + 1));
  return check_rows(request, [&](int64_t row) {
    const Cells found =
        download_cells(request.device(), subsample, offsets[row], offsets[row + 1] - offsets[row]);
    return check_subsampled_row(ratings, row, found, params.mean);
  });
}

constexpr float kTargetWeight = 1.6f, kOtherWeight = -0.6f;

class BlendFixture : public StageFixture {
 public:
  explicit BlendFixture(const FixtureRequest& request)
      : StageFixture(request),
        start_(initial(side(), request.seed)),
        other_(initial(side(), request.seed + 1)),
        target_(device(), shape_.rows, shape_.rank) {}
  void restore(const Variant&) override {
    device().copy(target_.view().data, start_.view().data, start_.bytes());
  }
  void poison() override {}  // the target is an input, too: restore() fills it
  StageParams params(int64_t) const override {
    return BlendParams{target_.view(), other_.view(), kTargetWeight, kOtherWeight};
  }
  Operands operands(const Variant&, int64_t) const override {
    return {{rows_of("factors", other_.view())},
            {region_of("x", target_.view().data, target_.bytes(), Numbers::fp32)},
            {rows_axis(start_.view(), 0), rows_axis(other_.view(), 1)}};
  }
  const FactorMatrix& start() const { return start_; }

 private:
  const FactorMatrix &start_, &other_;
  FactorMatrix target_;
};

Verification check_blend(const CheckRequest& request) {
  auto& fixture = dynamic_cast<BlendFixture&>(request.fixture);
  const auto params = fixture.params(0).as<BlendParams>();
  fixture.restore(request.variant);
  request.executable.launch(params);
  return check_rows(request, [&](int64_t row) {
    const auto read = [&](const FactorsView& factors) {
      return download_values(request.device(), factors.data, row * factors.pitch, factors.pitch,
                             Scalar::fp32);
    };
    const std::vector<double> start = read(fixture.start().view()), other = read(params.other),
                              found = read(params.target);
    RowCheck check;
    check.tolerance = sum_tolerance(2);
    for (size_t j = 0; j < start.size(); ++j) {
      const double a = kTargetWeight * start[j], b = kOtherWeight * other[j];
      check.element({"x", static_cast<int64_t>(j)}, found[j], a + b, std::abs(a) + std::abs(b));
    }
    return check;
  });
}

}  // namespace

StageSupport subsample_support() { return {"subsample", make<SubsampleFixture>, check_subsample}; }
StageSupport blend_support() { return {"blend", make<BlendFixture>, check_blend}; }

}  // namespace alsbench
