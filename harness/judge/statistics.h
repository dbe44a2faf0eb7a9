// SPDX-License-Identifier: Apache-2.0
// Statistics for comparing two small samples of launch medians: the shift with an exact interval,
// the exact test of no difference, and the correction for many cases. Reasons:
// docs/explanation/comparing.md.
#pragma once

#include <cstdint>
#include <vector>

namespace alsbench {

// Up to this many values a side everything is exact; beyond, the normal approximation with
// correction for ties and continuity.
inline constexpr int64_t kExactValues = 50;

struct LocationShift {
  double estimate = 0;       // median of all differences test - base
  double low = 0, high = 0;  // -inf and +inf where so few values allow no such interval
};
// Hodges and Lehmann's shift of `test` against `base`, with the distribution-free interval of at
// least `confidence`, whose ends are order statistics of the differences (Hollander, Wolfe and
// Chicken, Nonparametric Statistical Methods, 3rd ed., sections 4.2 and 4.3).
LocationShift hodges_lehmann(const std::vector<double>& base, const std::vector<double>& test,
                             double confidence);

// Two-sided p of Mann and Whitney's test. It is the share of all partitions of the pooled values
// whose rank sum lies at least as far from its mean. Ties get their mean rank, and the exact
// distribution is counted by dynamic programming.
double mann_whitney_p(const std::vector<double>& base, const std::vector<double>& test);

// The smallest p that n + m values can give: 2 / C(n + m, n); 1 for none.
double smallest_p(int64_t base_count, int64_t test_count);
// Whether one change among `family` tests, which none of the others resembles, can have an adjusted
// p below alpha.
bool can_be_significant(int64_t base_count, int64_t test_count, double alpha, int64_t family);
// The fewest launches of each side that can.
int64_t launches_for_significance(double alpha, int64_t family);

// Benjamini and Hochberg's adjusted p values (J. R. Statist. Soc. B 57, 1995), in the given order,
// as members of a family of `family` tests (at least as many as given; the others count as p = 1).
std::vector<double> benjamini_hochberg(const std::vector<double>& p, int64_t family = 0);

}  // namespace alsbench
