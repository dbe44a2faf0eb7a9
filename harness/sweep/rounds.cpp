// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/rounds.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "base/clock.h"

namespace alsbench {
namespace {

// Samples of one measurement in the coming round: one to learn what it costs, then up to the
// minimum, then half as many again; never beyond the time that is left.
int64_t round_samples(const Measurement& m, const StopRule& rule) {
  const auto count = static_cast<int64_t>(m.samples.size());
  if (count == 0) return 1;
  const int64_t wanted = std::max(rule.min_samples - count, (count + 1) / 2);
  const double cost = std::max(m.elapsed_seconds / static_cast<double>(count), 1e-9);
  const double affordable = std::ceil((rule.max_seconds - m.elapsed_seconds) / cost);
  const int64_t in_time = affordable < 1e9 ? static_cast<int64_t>(affordable) : wanted;
  return std::clamp<int64_t>(std::min(wanted, in_time), 1, rule.max_samples - count);
}

std::vector<double> seconds_of(const std::vector<Sample>& samples) {
  std::vector<double> seconds;
  for (const Sample& sample : samples) seconds.push_back(sample.seconds);
  return seconds;
}

// Takes a sample of a measurement and keeps it. False where it failed.
bool take_sample(Measurement& m, size_t index, const TakeSample& take) {
  const auto start = Clock::now();
  const std::optional<Sample> sample = take(index);
  const double elapsed = seconds_since(start);
  const bool disturbed = sample && is_to_be_taken_again(*sample);
  (disturbed ? m.lost_seconds : m.elapsed_seconds) += elapsed;
  if (sample) (disturbed ? m.left_out : m.samples).push_back(*sample);
  return sample.has_value();
}

// Whether other work left most samples too few processors.
bool crowded(const std::vector<Sample>& samples) {
  const auto count = std::ranges::count_if(
      samples, [](const Sample& sample) { return sample.contention.crowds(); });
  return !disturbed_times_count() && 2 * static_cast<size_t>(count) > samples.size();
}

// Why a measurement stops; empty: it goes on.
std::string reason_to_stop(Measurement& m, const StopRule& rule) {
  const std::string reason(stop_reason(rule, seconds_of(m.samples), m.elapsed_seconds));
  const bool patient = static_cast<int64_t>(m.left_out.size()) < kPatience * rule.max_samples &&
                       m.lost_seconds < kPatience * rule.max_seconds;
  if (reason.empty() && patient) return "";
  constexpr size_t kCleanSamples = 3;  // those that nothing disturbed have a median of their own
  const bool clean = m.samples.size() >= kCleanSamples;
  const bool enough = clean || static_cast<int64_t>(m.samples.size()) >= rule.min_samples;
  if (!reason.empty() || enough) {
    const bool mostly = !clean && m.left_out.size() > m.samples.size();
    if (mostly || crowded(m.samples)) return "disturbed";
    return reason.empty() ? "time" : reason;
  }
  m.samples.insert(m.samples.end(), m.left_out.begin(), m.left_out.end());
  m.elapsed_seconds += std::exchange(m.lost_seconds, 0);
  m.left_out.clear();
  return "disturbed";
}

}  // namespace

void measure_interleaved(std::vector<Measurement>& measurements, const StopRule& rule,
                         uint64_t seed, const TakeSample& take, const Decided& decided) {
  std::mt19937_64 generator(seed);
  std::vector<bool> failed(measurements.size(), false), over(measurements.size(), false);
  while (true) {
    std::vector<size_t> order;
    for (size_t i = 0; i < measurements.size(); ++i) {
      Measurement& m = measurements[i];
      if (over[i]) continue;
      order.insert(order.end(), static_cast<size_t>(round_samples(m, rule)), i);
    }
    if (order.empty()) break;
    std::shuffle(order.begin(), order.end(), generator);
    for (const size_t i : order)
      if (!failed[i]) failed[i] = !take_sample(measurements[i], i, take);
    for (size_t i = 0; i < measurements.size(); ++i) {
      Measurement& m = measurements[i];
      if (over[i]) continue;
      if (!failed[i]) m.stop_reason = reason_to_stop(m, rule);
      over[i] = failed[i] || !m.stop_reason.empty();
      if (over[i] && decided) decided(i);
    }
  }
}

}  // namespace alsbench
