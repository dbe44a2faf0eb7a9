// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/bounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace alsbench {
namespace {

constexpr double kBusy = 0.6;                 // a unit that bounds
constexpr double kEmptyThreshold = 0.5;       // multiprocessors without a warp
constexpr double kMinCeilingShare = 1.0 / 3;  // of the nearest ceiling

struct Unit {
  Limiter limiter;
  double Counters::*share;
};

constexpr std::array kUnits{
    Unit{Limiter::tensor, &Counters::tensor}, Unit{Limiter::fp32, &Counters::fp32},
    Unit{Limiter::l1, &Counters::l1},         Unit{Limiter::l2, &Counters::l2},
    Unit{Limiter::dram, &Counters::dram},     Unit{Limiter::issue, &Counters::issue}};

// A launch whose blocks leave most multiprocessors without one.
bool is_small(const KernelReport& kernel, const DeviceTraits& traits) {
  return kernel.grid > 0 &&
         static_cast<double>(kernel.grid) < kEmptyThreshold * traits.multiprocessors;
}

bool all_small(const std::vector<KernelRecord>& kernels, const DeviceTraits& traits) {
  return !kernels.empty() && std::ranges::all_of(kernels, [&](const KernelRecord& kernel) {
    return is_small(kernel.report, traits);
  });
}

// Each input once, and gathered rows as often as the cache does not have them. Nothing of a row
// that the cache may hold from the execution before, nor of a table larger than it whose misses
// nobody counted.
std::optional<double> dram_model(const Work& work, CacheMode mode, double cache_bytes) {
  if (!(work.compulsory_bytes > 0)) return std::nullopt;
  if (mode == CacheMode::hot && !exceeds_cache(work, cache_bytes)) return std::nullopt;
  if (work.missed_bytes > 0) return work.compulsory_bytes - work.table_bytes + work.missed_bytes;
  if (work.table_bytes > cache_bytes) return std::nullopt;
  return work.compulsory_bytes;
}

std::optional<double> l2_model(const Work& work) {
  if (work.l2_bytes > 0) return work.l2_bytes;
  if (work.gathered_bytes > 0 || !(work.compulsory_bytes > 0)) return std::nullopt;
  return work.compulsory_bytes;
}

std::optional<double> known(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<BoundBy> measured_bound(const CountersRecord& counters) {
  if (!counters.counted()) return std::nullopt;
  const Counters& longest = longest_of(counters.kernels);
  const Unit* busiest = nullptr;
  for (const Unit& unit : kUnits)
    if (const double share = longest.*unit.share;
        std::isfinite(share) && (busiest == nullptr || share > longest.*busiest->share))
      busiest = &unit;
  if (busiest == nullptr) return std::nullopt;
  const double share = longest.*busiest->share;
  if (share >= kBusy) return BoundBy{busiest->limiter, share, true};
  return BoundBy{longest.active < kEmptyThreshold ? Limiter::launch : Limiter::latency, share,
                 true};
}

std::optional<BoundBy> predicted_bound(const CaseRecord& record, const MeasurementRecord& measured,
                                       const std::vector<ReferenceRate>& wanted,
                                       const DeviceTraits& traits) {
  if (all_small(record.kernels, traits)) return BoundBy{Limiter::launch, Counters::kUnknown, false};
  const Share* nearest = measured.nearest_ceiling();
  if (nearest == nullptr) return std::nullopt;
  // A nearer ceiling may not have been measured; it matters little to what is near this one.
  if (!measured.unmeasured_ceilings.empty() && nearest->value < kBusy) return std::nullopt;
  if (nearest->value < kMinCeilingShare) return BoundBy{Limiter::latency, nearest->value, false};
  for (const ReferenceRate& reference_rate : wanted)
    if (reference_rate.name == nearest->reference_rate)
      return BoundBy{reference_rate.limiter, nearest->value, false};
  return std::nullopt;
}

void add_traffic(const CaseRecord& record, CacheMode mode, const DeviceTraits& traits,
                 MeasurementRecord& measured) {
  measured.dram = measured.l2 = {};
  if (record.work && traits.backend == Backend::cuda) {
    measured.dram.model_bytes =
        dram_model(*record.work, mode, static_cast<double>(traits.l2_bytes));
    measured.l2.model_bytes = l2_model(*record.work);
  }
  if (!measured.counters || !measured.counters->counted()) return;
  const Counters all = sum_of(measured.counters->kernels);
  measured.dram.measured_bytes = known(all.dram_bytes());
  measured.l2.measured_bytes = known(all.l2_bytes);
}

}  // namespace alsbench
