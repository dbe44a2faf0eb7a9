// SPDX-License-Identifier: Apache-2.0
#include "harness/device/energy_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/clock.h"
#include "base/error.h"

namespace alsbench {
namespace {

constexpr double kChunkSeconds = 0.005;  // between two looks at the source
constexpr double kPatienceFactor = 3;    // of a window, for a source that stands still

struct Reading {
  double seconds = 0, value = 0;
  int64_t executions = 0;  // until then
};

// Executions that take about as long as a chunk.
int64_t chunk_of(const EnergyClock& clock, const std::function<void(int64_t)>& execute) {
  constexpr int64_t kMost = 1 << 20;
  int64_t count = 1;
  for (;; count *= 2) {
    const double begin = clock.seconds();
    execute(count);
    const double seconds = clock.seconds() - begin;
    if (seconds >= kChunkSeconds / 2 || count >= kMost) return count;
  }
}

// Mean over time of what was read at these moments.
double mean_of(const std::vector<Reading>& readings) {
  double sum = 0;
  for (const Reading& reading : readings) sum += reading.value;
  return sum / static_cast<double>(readings.size());
}

}  // namespace

EnergyRecord measure_energy(EnergySource source, const EnergyClock& clock,
                            const std::function<void(int64_t)>& execute, double window_seconds) {
  const int64_t chunk = chunk_of(clock, execute);
  const bool counts = source == EnergySource::counter;
  std::vector<Reading> news;  // each time the source had a new value
  double last = clock.read();
  const double start = clock.seconds();
  int64_t executions = 0;
  if (!counts) news.push_back({start, last, 0});
  while (true) {
    execute(chunk);
    executions += chunk;
    const double now = clock.seconds(), value = clock.read();
    if (value != last || !counts) news.push_back({now, value, executions});
    const bool is_new = value != last;
    last = value;
    const bool long_enough = !news.empty() && now - news.front().seconds >= window_seconds;
    if (long_enough && (is_new || !counts)) break;
    if (now - start >= kPatienceFactor * window_seconds) break;
  }
  EnergyRecord record;
  record.source = source;
  if (news.size() < 2)
    throw EnvironmentError(
        fmt::format("the counter of energy had no two new values within {:.1f} s; measure on a "
                    "device whose counter counts",
                    kPatienceFactor * window_seconds));
  const Reading &first = news.front(), &end = news.back();
  record.window_seconds = end.seconds - first.seconds;
  record.executions = std::max<int64_t>(1, end.executions - first.executions);
  record.seconds = record.window_seconds / static_cast<double>(record.executions);
  record.watts = counts ? (end.value - first.value) / record.window_seconds : mean_of(news);
  record.joules = record.watts * record.seconds;
  record.resolution_seconds = record.window_seconds / static_cast<double>(news.size() - 1);
  return record;
}

EnergyRecord measure_energy(const EnergyMeter& meter, const std::function<void(int64_t)>& execute,
                            double window_seconds) {
  const auto source = meter.source();
  if (!source)
    throw EnvironmentError(fmt::format("the device tells no energy: {}", meter.remedy()));
  const EnergyClock clock{steady_seconds, [&] { return meter.read(); }};
  return measure_energy(*source, clock, execute, window_seconds);
}

}  // namespace alsbench
