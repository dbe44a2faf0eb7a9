// SPDX-License-Identifier: Apache-2.0
#include "harness/stage/tolerance.h"

#include <algorithm>
#include <cmath>

namespace alsbench {
namespace {

constexpr double kFloatRounding = 0x1p-24;

}  // namespace

double sum_tolerance(int64_t terms) {
  return 4 * kFloatRounding * (std::sqrt(static_cast<double>(terms)) + 1);
}

double truncation_tolerance(int64_t terms) {
  return kFloatRounding * static_cast<double>(terms) / 8;
}

double short_sum_tolerance(int64_t terms) { return 0x1p-14 * static_cast<double>(terms); }

double two_parts_tolerance(Scalar scalar) {
  return std::ldexp(1.0, -2 * significand_bits(scalar) - 2);
}

double storage_tolerance(Scalar scalar) {
  return scalar == Scalar::fp32 ? 0 : std::ldexp(1.0, -significand_bits(scalar));
}

double solver_tolerance(int32_t rank) { return sum_tolerance(rank); }

double cg_tolerance(double condition, int steps, double departure) {
  constexpr double kMaxValue = 1e-2;  // beyond, the comparison would accept anything
  const double attainable = 8 * kFloatRounding * std::max(1.0, condition) * (steps + 1);
  return std::min(kMaxValue, attainable + 30 * departure);
}

}  // namespace alsbench
