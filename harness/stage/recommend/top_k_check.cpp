// SPDX-License-Identifier: Apache-2.0
// top_k: items that the row has not seen, with their scores, in order, and none that is better left
// out. Scores that differ by rounding alone may change places.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "harness/stage/check.h"
#include "harness/stage/supports.h"
#include "harness/stage/tolerance.h"
#include "kernels/shared/params/recommend.h"

namespace alsbench {
namespace {

class TopKFixture : public StageFixture {
 public:
  explicit TopKFixture(const FixtureRequest& request)
      : StageFixture(request),
        rows_(initial(side(), request.seed + 1)),
        items_(initial(other(side()), request.seed)),
        found_(device().allocate(shape_.rows * kMeasuredTopK * int64_t{4})),
        scores_(device().allocate(shape_.rows * kMeasuredTopK * int64_t{4})) {}

  void poison() override {
    fill_with_nan(found_);
    fill_with_nan(scores_);
  }
  StageParams params(int64_t) const override {
    return TopKParams{problem().ratings(side()), rows_.view(),       items_.view(), kMeasuredTopK,
                      found_.as<int32_t>(),      scores_.as<float>()};
  }
  Operands operands(const Variant&, int64_t) const override {
    Operands all{{rows_of("rows", rows_.view()), rows_of("items", items_.view())},
                 {region_of("items found", found_), region_of("scores", scores_)},
                 {rows_axis(rows_.view(), 0), rows_axis(items_.view(), 1)}};
    add_ratings(problem().ratings(side()), all.inputs);
    return all;
  }

 private:
  const FactorMatrix &rows_, &items_;
  Buffer found_, scores_;
};

// The scores of a row in double.
struct Scores {
  std::vector<double> score;
  std::vector<double> rounding;  // how far a sum in float may be off
  std::vector<bool> seen;
};

class Reference {
 public:
  Reference(Device& device, const TopKParams& params, const Csr& seen)
      : rank_(params.x.rank), pitch_(params.x.pitch), seen_(seen) {
    const auto read = [&](const FactorsView& factors) {
      return download_values(device, factors.data, 0, factors.rows * factors.pitch, Scalar::fp32);
    };
    x_ = read(params.x);
    theta_ = read(params.theta);
  }

  Scores scores(int64_t row) const {
    const auto items = static_cast<size_t>(seen_.cols);
    Scores result{std::vector<double>(items), std::vector<double>(items), std::vector<bool>(items)};
    const double* x = x_.data() + row * pitch_;
    for (size_t item = 0; item < items; ++item) {
      const double* theta = theta_.data() + static_cast<int64_t>(item) * pitch_;
      double magnitude = 0;
      for (int64_t i = 0; i < rank_; ++i) {
        result.score[item] += x[i] * theta[i];
        magnitude += std::abs(x[i] * theta[i]);
      }
      result.rounding[item] = sum_tolerance(rank_) * magnitude;
    }
    for (int64_t k = seen_.offsets[row]; k < seen_.offsets[row + 1]; ++k)
      result.seen[static_cast<size_t>(seen_.indices[k])] = true;
    return result;
  }

 private:
  int64_t rank_, pitch_;
  const Csr& seen_;
  std::vector<double> x_, theta_;
};

// Conditions that an output meets in each place, whatever the scores. Empty: it is.
std::string fault_of_order(std::span<const int32_t> items, std::span<const float> scores,
                           const Scores& reference) {
  const auto count = static_cast<int64_t>(reference.seen.size());
  const int64_t left = std::ranges::count(reference.seen, false);
  std::vector<bool> taken(reference.seen);
  for (size_t place = 0; place < items.size(); ++place) {
    const int32_t item = items[place];
    if (static_cast<int64_t>(place) >= left) {
      if (item != -1 || scores[place] != -std::numeric_limits<float>::infinity())
        return fmt::format("place {} is item {} of score {}, though only {} are left", place, item,
                           scores[place], left);
      continue;
    }
    if (item < 0 || item >= count) return fmt::format("place {} is item {}", place, item);
    if (taken[static_cast<size_t>(item)])
      return fmt::format("place {} is item {}, which was seen or comes twice", place, item);
    taken[static_cast<size_t>(item)] = true;
    if (place == 0) continue;
    const float before = scores[place - 1];
    if (!(before > scores[place] || (before == scores[place] && items[place - 1] < item)))
      return fmt::format("place {}, item {} of score {}, comes after item {} of score {}", place,
                         item, scores[place], items[place - 1], before);
  }
  return {};
}

RowCheck check_row(std::span<const int32_t> items, std::span<const float> scores,
                   const Scores& reference, double tolerance) {
  RowCheck check;
  check.tolerance = tolerance;
  if (std::string fault = fault_of_order(items, scores, reference); !fault.empty()) {
    check.fail(std::move(fault));
    return check;
  }
  double worst = std::numeric_limits<double>::infinity();  // of those found
  std::vector<bool> taken(reference.seen);
  for (size_t place = 0; place < items.size() && items[place] >= 0; ++place) {
    const auto item = static_cast<size_t>(items[place]);
    check.element({"score", static_cast<int64_t>(place)}, static_cast<double>(scores[place]),
                  reference.score[item], reference.rounding[item] / tolerance);
    worst = std::min(worst, reference.score[item] + reference.rounding[item]);
    taken[item] = true;
  }
  for (size_t item = 0; item < taken.size(); ++item)
    if (!taken[item] && reference.score[item] - reference.rounding[item] > worst)
      check.fail(fmt::format("item {} of score {} is left out for one of at most {}", item,
                             reference.score[item], worst));
  return check;
}

Verification check_top_k(const CheckRequest& request) {
  StageFixture& fixture = request.fixture;
  Device& device = request.device();
  const auto params = fixture.params(0).as<TopKParams>();
  const Csr& seen = fixture.problem().host_ratings(fixture.side());
  fixture.poison();
  request.executable.launch(params);
  std::vector<int32_t> items(static_cast<size_t>(params.x.rows * params.k));
  std::vector<float> scores(items.size());
  const auto bytes = static_cast<int64_t>(items.size() * 4);
  device.download(items.data(), params.items, bytes);
  device.download(scores.data(), params.scores, bytes);
  const Reference reference(device, params, seen);
  const auto k = static_cast<size_t>(params.k);
  const double tolerance = sum_tolerance(params.x.rank);
  return check_rows(request, [&](int64_t row) {
    const size_t at = static_cast<size_t>(row) * k;
    return check_row({items.data() + at, k}, {scores.data() + at, k}, reference.scores(row),
                     tolerance);
  });
}

}  // namespace

StageSupport top_k_support() { return {"top_k", make<TopKFixture>, check_top_k}; }

}  // namespace alsbench
