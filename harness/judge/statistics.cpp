// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/median.h"

namespace alsbench {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

int64_t count_of(const std::vector<double>& values) { return static_cast<int64_t>(values.size()); }

// P(U <= u) of samples of n and m values without ties, u = 0 .. n m. Its generating function is the
// Gaussian binomial coefficient: the product of (1 - q^(m + i)) / (1 - q^i) over i = 1 .. n.
std::vector<double> make_u_distribution(int64_t n, int64_t m) {
  const int64_t maximum = n * m;
  std::vector<double> counts(static_cast<size_t>(maximum + 1), 0.0);
  counts[0] = 1;
  for (int64_t i = 1; i <= n; ++i) {
    for (int64_t u = maximum; u >= m + i; --u)
      counts[static_cast<size_t>(u)] -= counts[static_cast<size_t>(u - m - i)];
    for (int64_t u = i; u <= maximum; ++u)
      counts[static_cast<size_t>(u)] += counts[static_cast<size_t>(u - i)];
  }
  std::partial_sum(counts.begin(), counts.end(), counts.begin());
  const double all = counts.back();
  for (double& count : counts) count /= all;
  return counts;
}

const std::vector<double>& u_distribution(int64_t n, int64_t m) {
  thread_local std::map<std::pair<int64_t, int64_t>, std::vector<double>> known;
  auto& distribution = known[std::minmax(n, m)];
  if (distribution.empty()) distribution = make_u_distribution(std::min(n, m), std::max(n, m));
  return distribution;
}

double normal_upper_tail(double z) { return std::erfc(z / std::sqrt(2.0)) / 2; }

// The z whose upper tail is `p`, by bisection.
double normal_quantile_of_tail(double p) {
  double low = 0, high = 40;
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    (normal_upper_tail(middle) > p ? low : high) = middle;
  }
  return low;
}

// How many of the smallest and of the largest differences the interval may leave out, and one more:
// its ends are the c-th smallest and the c-th largest. 0: there is no such interval.
int64_t interval_rank(int64_t n, int64_t m, double confidence) {
  const double tail = (1 - confidence) / 2;
  if (n > kExactValues || m > kExactValues) {
    const double product = static_cast<double>(n * m);
    const double spread = std::sqrt(product * static_cast<double>(n + m + 1) / 12);
    const double rank = product / 2 - normal_quantile_of_tail(tail) * spread;
    return std::max<int64_t>(0, static_cast<int64_t>(std::floor(rank)));
  }
  const std::vector<double>& distribution = u_distribution(n, m);
  int64_t rank = 0;
  while (rank < n * m / 2 && distribution[static_cast<size_t>(rank)] <= tail) ++rank;
  return rank;
}

struct Ranks {
  std::vector<int64_t> doubled;  // of the pooled values in ascending order; mean ranks are halves
  int64_t doubled_sum = 0;       // of the first sample
  bool ties = false;
  double tie_term = 0;  // sum of t^3 - t over groups of t equal values
};

Ranks rank(const std::vector<double>& first, const std::vector<double>& second) {
  std::vector<std::pair<double, bool>> pooled;
  pooled.reserve(first.size() + second.size());
  for (const double value : first) pooled.emplace_back(value, true);
  for (const double value : second) pooled.emplace_back(value, false);
  std::ranges::sort(pooled);
  Ranks ranks;
  for (size_t begin = 0; begin < pooled.size();) {
    size_t end = begin;
    while (end < pooled.size() && pooled[end].first == pooled[begin].first) ++end;
    const auto size = static_cast<double>(end - begin);
    ranks.ties = ranks.ties || end - begin > 1;
    ranks.tie_term += size * size * size - size;
    for (size_t i = begin; i < end; ++i) {
      ranks.doubled.push_back(static_cast<int64_t>(begin + 1 + end));
      if (pooled[i].second) ranks.doubled_sum += ranks.doubled.back();
    }
    begin = end;
  }
  return ranks;
}

// Over all subsets of n of the doubled ranks, the share whose sum is at least as far from the mean.
double exact_p_with_ties(const Ranks& ranks, int64_t n) {
  const int64_t total = std::accumulate(ranks.doubled.begin(), ranks.doubled.end(), int64_t{0});
  const auto width = static_cast<size_t>(total + 1);
  std::vector<std::vector<double>> ways(static_cast<size_t>(n + 1), std::vector<double>(width, 0));
  ways[0][0] = 1;
  for (size_t taken = 0; taken < ranks.doubled.size(); ++taken) {
    const auto value = static_cast<size_t>(ranks.doubled[taken]);
    for (size_t k = std::min(static_cast<size_t>(n), taken + 1); k >= 1; --k)
      for (size_t sum = width - 1; sum >= value; --sum) ways[k][sum] += ways[k - 1][sum - value];
  }
  // In units of 1 / (2 N): the mean of the doubled sum is n total / N.
  const auto size = static_cast<int64_t>(ranks.doubled.size());
  const auto distance = [&](int64_t sum) { return std::abs(sum * size - n * total); };
  double all = 0, far = 0;
  for (size_t sum = 0; sum < width; ++sum) {
    const double count = ways[static_cast<size_t>(n)][sum];
    all += count;
    if (distance(static_cast<int64_t>(sum)) >= distance(ranks.doubled_sum)) far += count;
  }
  return std::min(1.0, far / all);
}

double approximate_p(const Ranks& ranks, double u, double n, double m) {
  const double size = n + m;
  const double variance = n * m / 12 * (size + 1 - ranks.tie_term / (size * (size - 1)));
  if (variance <= 0) return 1;
  const double z = std::max(0.0, std::abs(u - n * m / 2) - 0.5) / std::sqrt(variance);
  return std::min(1.0, 2 * normal_upper_tail(z));
}

}  // namespace

LocationShift hodges_lehmann(const std::vector<double>& base, const std::vector<double>& test,
                             double confidence) {
  std::vector<double> differences;
  differences.reserve(base.size() * test.size());
  for (const double b : base)
    for (const double t : test) differences.push_back(t - b);
  if (differences.empty()) return {std::numeric_limits<double>::quiet_NaN(), -kInfinity, kInfinity};
  const int64_t rank = interval_rank(count_of(base), count_of(test), confidence);
  LocationShift shift{0, -kInfinity, kInfinity};
  double* const end = differences.data() + differences.size();
  double* first = differences.data();
  double* last = end - 1;
  if (rank > 0) {  // equally many lie below and above, so the median is among what is left
    first += rank - 1, last -= rank - 1;
    select(differences.data(), first, end);
    shift.low = *first;
    select(first, last, end);
    shift.high = *last;
  }
  shift.estimate = median({first, last + 1});
  return shift;
}

double mann_whitney_p(const std::vector<double>& base, const std::vector<double>& test) {
  if (base.empty() || test.empty()) return 1;
  const int64_t n = count_of(base), m = count_of(test);
  const Ranks ranks = rank(base, test);
  const double u = (static_cast<double>(ranks.doubled_sum) - static_cast<double>(n * (n + 1))) / 2;
  if (n > kExactValues || m > kExactValues)
    return approximate_p(ranks, u, static_cast<double>(n), static_cast<double>(m));
  if (ranks.ties) return exact_p_with_ties(ranks, n);
  const auto nearer = static_cast<int64_t>(std::min(u, static_cast<double>(n * m) - u));
  return std::min(1.0, 2 * u_distribution(n, m)[static_cast<size_t>(nearer)]);
}

double smallest_p(int64_t base_count, int64_t test_count) {
  if (base_count < 1 || test_count < 1) return 1;
  double ways = 1;  // C(n + m, n)
  for (int64_t i = 1; i <= base_count; ++i)
    ways *= static_cast<double>(test_count + i) / static_cast<double>(i);
  return std::min(1.0, 2 / ways);
}

bool can_be_significant(int64_t base_count, int64_t test_count, double alpha, int64_t family) {
  return smallest_p(base_count, test_count) * static_cast<double>(family) < alpha;
}

int64_t launches_for_significance(double alpha, int64_t family) {
  int64_t launches = 1;
  while (!can_be_significant(launches, launches, alpha, family) && launches < 500) ++launches;
  return launches;
}

std::vector<double> benjamini_hochberg(const std::vector<double>& p, int64_t family) {
  const auto tests = static_cast<double>(std::max(family, count_of(p)));
  std::vector<size_t> order(p.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, [&](size_t a, size_t b) { return p[a] > p[b]; });
  std::vector<double> adjusted(p.size(), 1.0);
  double minimum = 1;
  for (size_t i = 0; i < order.size(); ++i) {
    const auto position = static_cast<double>(order.size() - i);  // 1 is the smallest p
    minimum = std::min(minimum, p[order[i]] * tests / position);
    adjusted[order[i]] = minimum;
  }
  return adjusted;
}

}  // namespace alsbench
