// SPDX-License-Identifier: Apache-2.0
#include "harness/stage/als/reference_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/stage/check.h"
#include "harness/stage/tolerance.h"
#include "kernels/cpu/element.h"
#include "kernels/cpu/first_error.h"
#include "kernels/shared/byte_factors.h"
#include "variants/als/parameters.h"

namespace alsbench {
namespace {

using reference::Vector;

// Ratings [begin, end) of a row. The longest row may have as many as thousands of others: it is
// formed in pieces, whose sums (lambda n_u I among them) add up to it.
struct Piece {
  int64_t row = 0;
  int64_t begin = 0, end = 0;
};

std::vector<Piece> pieces_of(const Csr& ratings, const std::vector<int64_t>& rows) {
  constexpr int64_t kRatings = 2048;
  std::vector<Piece> pieces;
  for (const int64_t row : rows) {
    const int64_t count = ratings.offsets[row + 1] - ratings.offsets[row];
    int64_t begin = 0;
    do {
      const int64_t end = std::min(count, begin + kRatings);
      pieces.push_back({row, begin, end});
      begin = end;
    } while (begin < count);
  }
  return pieces;
}

ReferenceRow form_piece(FactorReader::Row& inputs, float lambda) {
  const int64_t count = inputs.count(), rank = inputs.rank;
  const std::array<int64_t, 2> offsets{0, count};
  const float *values = inputs.values.data(), *read = inputs.factors.data();
  const RatingsView ratings{offsets.data(), nullptr, inputs.indices.data(), values, 1,
                            count,          count};
  const FactorsView factors{inputs.factors.data(), count, inputs.rank, inputs.rank};
  ReferenceRow sums;
  sums.count = count;
  sums.a = reference::normal_matrix(ratings, factors, lambda, 0);
  sums.b = reference::right_hand_side(ratings, factors, 0);
  sums.magnitude.assign(static_cast<size_t>(rank), 0.0);
  for (int64_t k = 0; k < count; ++k)
    for (int64_t i = 0; i < rank; ++i)
      sums.magnitude[i] += std::abs(double{values[k]} * double{read[k * rank + i]});
  return sums;
}

// From sums of bytes to A_u and b_u.
void scale(const Vector& scales, double unit, float lambda, ReferenceRow& row) {
  const size_t rank = scales.size();
  if (row.count == 0) std::fill(row.a.begin(), row.a.end(), 0.0);
  row.scales = scales;
  row.sums = row.a;
  row.unit = unit;
  for (size_t i = 0; i < rank; ++i) {
    row.b[i] *= scales[i];
    row.magnitude[i] *= scales[i];
    for (size_t j = 0; j < rank; ++j) row.a[i * rank + j] *= scales[i] * scales[j];
    row.a[i * rank + i] += row.count > 0 ? double{lambda} * static_cast<double>(row.count) : 1.0;
  }
}

void add(const Vector& part, Vector& sum) {
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
}

std::vector<ReferenceRow> form(const UpdateFixture& fixture, Scalar scalar,
                               const ReferenceCache& references) {
  const DeviceProblem& problem = fixture.problem();
  const Csr& ratings = problem.host_ratings(fixture.side());
  const std::vector<int64_t> chosen =
      rows_to_check(ratings, fixture.measured_rows(), problem.rank(), references);
  if (chosen.empty()) return {};
  const FactorReader factors(problem.device(),
                             scalar == Scalar::fp32 ? fixture.fixed_factors()
                                                    : fixture.params(0).as<UpdateParams>().factors,
                             scalar);
  const bool scaled = !factors.scales().empty();
  const float lambda = scaled ? 0 : problem.lambda();
  const std::vector<Piece> pieces = pieces_of(ratings, chosen);
  std::vector<ReferenceRow> parts(pieces.size());
  const auto form_part = [&](const Piece& piece) {
    FactorReader::Row inputs = factors.part_of_row(ratings, piece.row, piece.begin, piece.end);
    if (scaled) round_ratings(scalar, problem.ratings(fixture.side()).half_scale, inputs.values);
    return form_piece(inputs, lambda);
  };
  FirstError error;
#pragma omp parallel for schedule(dynamic) if (factors.allows_threads())
  for (size_t i = 0; i < pieces.size(); ++i) error.run([&] { parts[i] = form_part(pieces[i]); });
  error.rethrow();
  std::vector<ReferenceRow> rows;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].begin == 0) {
      rows.push_back(std::move(parts[i]));
      rows.back().row = pieces[i].row;
      continue;
    }
    rows.back().count += parts[i].count;
    add(parts[i].a, rows.back().a);
    add(parts[i].b, rows.back().b);
    add(parts[i].magnitude, rows.back().magnitude);
  }
  if (scaled) {
    const double unit = scalar == Scalar::fp8 ? Fp8::kUnit : Int8::kUnit;
    for (ReferenceRow& row : rows) scale(factors.scales(), unit * unit, problem.lambda(), row);
  }
  return rows;
}

}  // namespace

void round_ratings(Scalar type, float half_scale, std::vector<float>& ratings) {
  const auto e4m3 = [](float value) { return e4m3_to_float(float_to_e4m3(value)); };
  const auto as_fp8 = [&](float scaled) {
    const float high = Fp8::kRatingHigh * e4m3(scaled / Fp8::kRatingHigh);
    return high + Fp8::kRatingLow * e4m3((scaled - high) / Fp8::kRatingLow);
  };
  const auto as_int8 = [](float scaled) { return 2 * std::nearbyint(scaled * 0.5f); };
  for (float& rating : ratings) {
    const float scaled = rating * half_scale;
    rating = (type == Scalar::fp8 ? as_fp8(scaled) : as_int8(scaled)) / half_scale;
  }
}

const std::vector<ReferenceRow>& reference_rows(ReferenceCache& cache, const UpdateFixture& fixture,
                                                Scalar factors) {
  const std::string key = fmt::format("{}/{}", name_of(fixture.side()), name_of(factors));
  return cache.get<std::vector<ReferenceRow>>(key, [&] { return form(fixture, factors, cache); });
}

double row_tolerance(const Config& config, int64_t count, int architecture) {
  const double tolerance = sum_tolerance(count);
  const Scalar factors = parameters::factors_type(config);
  constexpr double kScaled = 0x1p-22;  // by two scales
  if (factors == Scalar::int8) return tolerance + kScaled;
  if (!parameters::sums_truncate(config)) return tolerance;
  // Pieces are added up by floating-point units, which round to nearest.
  const int64_t terms = parameters::ratings_of_piece(config, count);
  if (factors != Scalar::fp8)
    return tolerance + truncation_tolerance(terms) + two_parts_tolerance(factors);
  return tolerance + kScaled +
         (architecture == 89 ? short_sum_tolerance(terms) : truncation_tolerance(terms));
}

}  // namespace alsbench
