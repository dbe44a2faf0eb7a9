// SPDX-License-Identifier: Apache-2.0
#include "harness/record/contention.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string_view>

#include "harness/record/core_codecs.h"

namespace alsbench {

void describe(Fields<ProcessorUse>& fields) {
  fields.record("processor", "Processor time that the threads of a process got.");
  fields("cpu_seconds", &ProcessorUse::cpu_seconds, "of all threads");
  fields("waited_seconds", &ProcessorUse::waited_seconds,
         "the longest that a thread was ready to run and had no processor");
  fields("involuntary_switches", &ProcessorUse::involuntary_switches).range(Range::Kind::from_0);
  fields("running", &ProcessorUse::running, "tasks of the machine that could run at the end");
  fields("others_share", &ProcessorUse::others_share,
         "of the processors, that other processes had meanwhile, in two seconds at least")
      .omitted();
  fields("others_error", &ProcessorUse::others_error, "that others_share may be off by").omitted();
  fields("processors", &ProcessorUse::processors, "that the process may run on").omitted();
  fields("threads", &ProcessorUse::threads, "that compute on them").omitted();
}

void describe(Fields<DeviceUse>& fields) {
  fields.record("device_use", "Share of a device that another process had.");
  fields("id", &DeviceUse::id, "as the machine counts processes");
  fields("name", &DeviceUse::name, "null where this process cannot see it").nullable();
  fields("busy", &DeviceUse::busy, "the share of time in which its kernels ran");
}

void describe(Fields<Contention>& fields) {
  fields("processor", &Contention::processor, "of a time on a CPU").omitted();
  fields("others", &Contention::others,
         "other processes that ran kernels on the GPU in the second before the end")
      .omitted();
}

void merge_device_uses(std::vector<DeviceUse>& uses, const std::vector<DeviceUse>& more) {
  for (const DeviceUse& use : more) {
    const auto known = std::find_if(uses.begin(), uses.end(),
                                    [&](const DeviceUse& one) { return one.id == use.id; });
    if (known == uses.end())
      uses.push_back(use);
    else
      known->busy = std::max(known->busy, use.busy);
  }
}

// Waiting counts beyond 2 % of the time and what threads take to wake up, at most a tenth of it.
// Threads also wait for each other: that others had processors must be certain, where it is known.
bool Contention::disturbs(double seconds) const {
  constexpr double kWakeUpSeconds = 30e-6, kMaxWakeUpShare = 0.1;
  if (!others.empty()) return *taken_share(seconds) > kDisturbingShare;
  if (!processor || !processor->waited_seconds) return false;
  if (processor->others_share &&
      *processor->others_share - processor->others_error.value_or(0) <= kDisturbingShare)
    return false;
  return *processor->waited_seconds >
         kDisturbingShare * seconds + std::min(kWakeUpSeconds, kMaxWakeUpShare * seconds);
}

bool Contention::crowds() const {
  if (!processor || !processor->others_share || !processor->processors || !processor->threads)
    return false;
  const double sure = *processor->others_share - processor->others_error.value_or(0);
  const int64_t needed = std::min(*processor->threads, *processor->processors);
  const double left = static_cast<double>(*processor->processors) * (1 - sure);
  return left < kCrowdingShare * static_cast<double>(needed);
}

std::optional<double> Contention::taken_share(double seconds) const {
  if (!others.empty()) {
    const auto add = [](double sum, const DeviceUse& use) { return sum + use.busy; };
    return std::min(1.0, std::accumulate(others.begin(), others.end(), 0.0, add));
  }
  if (processor && processor->others_share) return processor->others_share;
  if (!processor || !processor->waited_seconds || !(seconds > 0)) return std::nullopt;
  // A thread that waited as the time began counts all of its wait in the end.
  return std::min(1.0, *processor->waited_seconds / seconds);
}

bool disturbed_times_count() {
  static const bool keep = [] {
    const char* value = std::getenv("ALSBENCH_DISTURBED");
    return value != nullptr && std::string_view(value) == "keep";
  }();
  return keep;
}

}  // namespace alsbench
