// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/reference/ccd.h"

#include <cmath>

namespace alsbench::reference {

CcdRow ccd_row(const CcdUpdateParams& params, int64_t row) {
  const int64_t begin = params.ratings.offsets[row], end = params.ratings.offsets[row + 1];
  const CcdValues& own = params.own[row];
  CcdRow result;
  double products = 0, magnitude = 0;
  double squares = double{params.lambda} * static_cast<double>(end - begin);
  for (int64_t k = begin; k < end; ++k) {
    const CcdValues& other = params.others[params.ratings.indices[k]];
    double residual = params.residuals[k], terms = std::abs(residual);
    if (params.first != 0) {
      const double before = double{own.last_before} * other.last_before;
      const double after = double{own.last_after} * other.last_after;
      residual += before - after;
      terms += std::abs(before) + std::abs(after);
    }
    result.residuals.push_back(residual);
    result.residual_magnitudes.push_back(terms);
    const double part = double{own.before} * other.before;
    products += (residual + part) * other.now;
    magnitude += (terms + std::abs(part)) * std::abs(other.now);
    squares += double{other.now} * other.now;
  }
  result.now = squares > 0 ? products / squares : own.before;
  result.magnitude = (squares > 0 ? magnitude / squares : 0) + std::abs(result.now);
  return result;
}

}  // namespace alsbench::reference
