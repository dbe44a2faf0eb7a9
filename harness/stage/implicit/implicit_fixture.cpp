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

constexpr float kAlpha = 4;

// The Gram matrix of a side's factors, summed in double on the host.
std::vector<float> gram_of(const FactorMatrix& factors) {
  const std::vector<float> values = factors.download();
  const auto rank = static_cast<size_t>(factors.view().rank);
  Vector sums(rank * rank, 0.0);
  for (size_t row = 0; row * rank < values.size(); ++row)
    for (size_t i = 0; i < rank; ++i)
      for (size_t j = 0; j < rank; ++j)
        sums[i * rank + j] += double{values[row * rank + i]} * double{values[row * rank + j]};
  return std::vector<float>(sums.begin(), sums.end());
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
  return factors == Scalar::fp32
             ? reference::implicit_row(params, 0)
             : reference::weighted_implicit_row(params, 0, rounding_to(factors));
}

std::vector<ReferenceRow> form(const ImplicitFixture& fixture, Scalar type, int64_t sampled) {
  const DeviceProblem& problem = fixture.problem();
  const Csr& ratings = problem.host_ratings(fixture.side());
  const FactorReader factors(
      problem.device(),
      type == Scalar::fp32 ? fixture.fixed_factors() : fixture.update_params(0).factors, type);
  std::vector<ReferenceRow> rows;
  for (const int64_t row : rows_to_check(ratings, fixture.measured_rows(), problem.rank(), sampled))
    rows.push_back({row, ratings.offsets[row + 1] - ratings.offsets[row], {}, {}, {}, {}, {}});
  FirstError error;
#pragma omp parallel for schedule(dynamic)
  for (size_t i = 0; i < rows.size(); ++i)
    error.run([&] {
      auto expected = expected_row(fixture, factors.row(ratings, rows[i].row), type);
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
      [&] { return form(fixture, factors, cache.sampled()); });
}

}  // namespace alsbench
