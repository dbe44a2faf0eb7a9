#include "harness/verify/reference_rows.h"

#include <cmath>

#include "harness/verify/check.h"

namespace alsbench {
namespace {

reference::Vector bias_magnitude(const FactorReader::Row& row) {
  reference::Vector magnitude(static_cast<size_t>(row.rank), 0.0);
  for (int64_t k = 0; k < row.count(); ++k)
    for (size_t i = 0; i < magnitude.size(); ++i)
      magnitude[i] += std::abs(double{row.values[k]} * double{row.factors[k * row.rank + i]});
  return magnitude;
}

std::vector<ReferenceRow> form(const StageFixture& fixture, Scalar scalar, int64_t sampled) {
  const DeviceProblem& problem = fixture.problem();
  const Csr& ratings = problem.host_ratings(fixture.side());
  const std::vector<int64_t> chosen =
      rows_to_check(ratings, fixture.measured_rows(), problem.rank(), sampled);
  if (chosen.empty()) return {};
  const FactorReader factors(problem.device(), std::get<UpdateParams>(fixture.params(0)).factors,
                             scalar);
  std::vector<FactorReader::Row> inputs;
  for (const int64_t row : chosen) inputs.push_back(factors.row(ratings, row));
  std::vector<ReferenceRow> rows(chosen.size());
#pragma omp parallel for schedule(dynamic)
  for (size_t i = 0; i < rows.size(); ++i) {
    const RatingsView own = inputs[i].ratings_view();
    const FactorsView read = inputs[i].factors_view();
    rows[i] = {chosen[i], inputs[i].count(),
               reference::normal_matrix(own, read, problem.lambda(), 0),
               reference::right_hand_side(own, read, 0), bias_magnitude(inputs[i])};
  }
  return rows;
}

}  // namespace

const std::vector<ReferenceRow>& ReferenceRows::of(const StageFixture& fixture, Scalar factors) {
  const std::pair key{fixture.side(), factors};
  const auto found = rows_.find(key);
  if (found != rows_.end()) return found->second;
  return rows_.emplace(key, form(fixture, factors, sampled_)).first->second;
}

}  // namespace alsbench
