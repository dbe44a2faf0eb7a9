// SPDX-License-Identifier: Apache-2.0
#include "harness/device/energy_window.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/error.h"

namespace alsbench {
namespace {

constexpr double kChunkSeconds = 0.005;             // of executions that are waited for at once
constexpr std::chrono::milliseconds kLookPause(5);  // between two looks at the source
// Before and behind the window, as the first and the last new value are waited for.
constexpr double kEdgeSeconds = 0.25;

struct Reading {
  double seconds = 0, value = 0;
};

// Executions that take about as long as a chunk.
int64_t chunk_of(const std::function<void(int64_t)>& execute) {
  constexpr int64_t kMost = 1 << 20;
  int64_t count = 1;
  for (;; count *= 2) {
    const double begin = steady_seconds();
    execute(count);
    const double seconds = steady_seconds() - begin;
    if (seconds >= kChunkSeconds / 2 || count >= kMost) return count;
  }
}

// Readings of a counter where it has a new value, and of power each time.
std::vector<Reading> readings_of(const EnergyMeter& meter, const std::stop_token& stop) {
  const bool counts = meter.source() == EnergySource::counter;
  std::vector<Reading> news;
  double last = meter.read();
  while (!stop.stop_requested()) {
    std::this_thread::sleep_for(kLookPause);
    const Reading now{steady_seconds(), meter.read()};
    if (now.value != last || !counts) news.push_back(now);
    last = now.value;
  }
  return news;
}

double mean_of(const std::vector<Reading>& readings) {
  double sum = 0;
  for (const Reading& reading : readings) sum += reading.value;
  return sum / static_cast<double>(readings.size());
}

}  // namespace

EnergyRecord measure_energy(const EnergyMeter& meter, const std::function<void(int64_t)>& execute,
                            double window_seconds) {
  if (!meter.source())
    throw EnvironmentError(fmt::format("the device tells no energy: {}", meter.remedy()));
  const int64_t chunk = chunk_of(execute);
  std::vector<Reading> news;
  EnergyRecord record;
  record.source = *meter.source();
  const double begin = steady_seconds();
  double seconds = 0;
  {
    std::jthread reader([&](const std::stop_token& stop) { news = readings_of(meter, stop); });
    while (seconds < window_seconds + kEdgeSeconds) {
      execute(chunk);
      record.executions += chunk;
      seconds = steady_seconds() - begin;
    }
  }  // the reader has ended
  if (news.size() < 2)
    throw EnvironmentError(
        fmt::format("the counter of energy had no two new values within {:.1f} s; measure on a "
                    "device whose counter counts",
                    seconds));
  const Reading &first = news.front(), &last = news.back();
  record.window_seconds = last.seconds - first.seconds;
  record.seconds = seconds / static_cast<double>(record.executions);
  record.watts = record.source == EnergySource::counter
                     ? (last.value - first.value) / record.window_seconds
                     : mean_of(news);
  record.joules = record.watts * record.seconds;
  record.resolution_seconds = record.window_seconds / static_cast<double>(news.size() - 1);
  return record;
}

}  // namespace alsbench
