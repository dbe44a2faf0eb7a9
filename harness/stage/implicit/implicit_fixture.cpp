// SPDX-License-Identifier: Apache-2.0
#include "harness/stage/implicit/implicit_fixture.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "harness/stage/als/update_check.h"
#include "harness/stage/check.h"
#include "kernels/cpu/first_error.h"
#include "kernels/cpu/reference/implicit.h"

namespace alsbench {
namespace {

using reference::Vector;

// The Gram matrix of a side's factors, summed in double on the host.
std::vector<float> gram_of(const FactorMatrix& factors) {
  const std::vector<float> values = factors.download();
  const auto rank = static_cast<size_t>(factors.view().rank);
  Vector sums(rank * rank, 0.0);
#pragma omp parallel for schedule(static)  // cannot throw
  for (size_t i = 0; i < rank; ++i)
    for (size_t row = 0; row < values.size(); row += rank)
      for (size_t j = 0; j < rank; ++j)
        sums[i * rank + j] += double{values[row + i]} * double{values[row + j]};
  return std::vector<float>(sums.begin(), sums.end());
}

// A row's ratings and factors as the variants with a type of factors read them.
FactorReader::Row inputs_of(const ImplicitFixture& fixture, const FactorReader& factors,
                            int64_t row) {
  const Csr& ratings = fixture.problem().host_ratings(fixture.side());
  if (fixture.weights() == nullptr || factors.scales().empty()) return factors.row(ratings, row);
  const RatingWeights& weights = *fixture.weights();
  const RatingsView read = fixture.update_params(0).ratings;
  std::vector<int32_t> indices;
  std::vector<float> targets;
  for (int64_t k = ratings.offsets[row]; k < ratings.offsets[row + 1]; ++k) {
    indices.push_back(weights.row(ratings.indices[k], ratings.values[k]));
    targets.push_back(weights.target(ratings.values[k]));
  }
  round_ratings(Scalar::int8, read.half_scale, targets);
  const auto count = static_cast<int64_t>(indices.size());
  FactorReader::Row inputs =
      factors.row({1, read.cols, Array<int64_t>(std::vector<int64_t>{0, count}),
                   Array<int32_t>(std::move(indices)), Array<float>(std::move(targets))},
                  0);
  for (size_t i = 0; i < inputs.factors.size(); ++i)
    inputs.factors[i] *= static_cast<float>(factors.scales()[i % factors.scales().size()]);
  return inputs;
}

reference::ImplicitRow expected_row(const ImplicitFixture& fixture, const FactorReader::Row& inputs,
                                    Scalar factors) {
  const std::array<int64_t, 2> offsets{0, inputs.count()};
  ImplicitParams params = fixture.implicit_params(0);
  params.gram = fixture.host_gram();
  const float half_scale = params.update.ratings.half_scale;
  params.update.ratings = {offsets.data(),       nullptr,   inputs.indices.data(),
                           inputs.values.data(), 1,         inputs.count(),
                           inputs.count(),       half_scale};
  params.update.factors = {const_cast<float*>(inputs.factors.data()), inputs.count(), inputs.rank,
                           inputs.rank};
  if (factors == Scalar::int8) return reference::summed_implicit_row(params, 0);
  return factors == Scalar::fp32
             ? reference::implicit_row(params, 0)
             : reference::weighted_implicit_row(params, 0, rounding_to(factors));
}

std::vector<ReferenceRow> form(const ImplicitFixture& fixture, Scalar type,
                               const ReferenceCache& references) {
  const DeviceProblem& problem = fixture.problem();
  const Csr& ratings = problem.host_ratings(fixture.side());
  const FactorReader factors(
      problem.device(),
      type == Scalar::fp32 ? fixture.fixed_factors() : fixture.update_params(0).factors, type);
  std::vector<ReferenceRow> rows;
  for (const int64_t row :
       rows_to_check(ratings, fixture.measured_rows(), problem.rank(), references))
    rows.push_back({row, ratings.offsets[row + 1] - ratings.offsets[row], {}, {}, {}, {}, {}});
  FirstError error;
#pragma omp parallel for schedule(dynamic)
  for (size_t i = 0; i < rows.size(); ++i)
    error.run([&] {
      auto expected = expected_row(fixture, inputs_of(fixture, factors, rows[i].row), type);
      rows[i].a = std::move(expected.a);
      rows[i].b = std::move(expected.b);
      rows[i].magnitude = std::move(expected.magnitude);
    });
  error.rethrow();
  return rows;
}

}  // namespace

ImplicitFixture::ImplicitFixture(const FixtureRequest& request, const UpdateOperands& operands)
    : UpdateFixture(request, operands),
      host_gram_(gram_of(fixed())),
      gram_(device().allocate(static_cast<int64_t>(host_gram_.size()) * 4)) {
  device().upload(gram_.data(), host_gram_.data(), gram_.bytes());
}

ImplicitParams ImplicitFixture::implicit_params(int64_t first_row) const {
  return {update_params(first_row), gram_.as<float>(), kAlpha, side() == Side::theta ? 1 : 0};
}

double ImplicitFixture::diagonal(int64_t count) const {
  const double weight = side() == Side::theta ? static_cast<double>(count) : 1.0;
  return double{problem().lambda()} * weight;
}

const std::vector<ReferenceRow>& implicit_rows(ReferenceCache& cache,
                                               const ImplicitFixture& fixture, Scalar factors) {
  return cache.get<std::vector<ReferenceRow>>(
      fmt::format("implicit/{}/{}", name_of(fixture.side()), name_of(factors)),
      [&] { return form(fixture, factors, cache); });
}

}  // namespace alsbench
