// SPDX-License-Identifier: Apache-2.0
// MeasurementRecord: the times of a case in one cache mode: samples, their statistics, the rates
// they come to and their shares of those of references.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/contention.h"
#include "harness/record/counters.h"
#include "harness/record/fields/fields.h"
#include "variants/core/limiter.h"
#include "variants/core/work.h"

namespace alsbench {

enum class CacheMode { cold, hot };
inline constexpr std::array kCacheModes{CacheMode::cold, CacheMode::hot};

struct Sample {
  double seconds = 0;
  double host_seconds = 0;
  double sm_clock_hz = 0;  // 0: not known
  bool throttled = false;
  Contention contention = {};
  std::optional<double> power_watts = {}, temperature_celsius = {};  // of a GPU, at its end
  bool disturbed() const { return contention.disturbs(seconds); }
};

struct Statistics {
  int64_t count = 0;
  double min = 0, q1 = 0, median = 0, q3 = 0, max = 0, mean = 0;
  // Of one sample nothing is known of these: NaN.
  double relative_iqr = 0;  // (q3 - q1) / median
  double median_noise = 0;  // relative IQR of the median: relative_iqr / sqrt(count)
};

// One process launch's part of the samples.
struct LaunchRecord {
  double median_seconds = 0;
  int64_t count = 0;
  std::string stop_reason;
};

// Of rates that nobody measured.
struct Shares {
  std::optional<double> flops, logical_bytes, compulsory_bytes;
};

// A rate over the same rate of a reference, as the fastest row that measured it in the run has it.
struct Share {
  std::string reference_rate;  // "copy", "mma fp16"
  std::string row;             // the reference's, named as tables name it
  Count count = Count::useful_flops;
  bool ceiling = false;  // nobody passes it; else a comparison
  double value = 0;
};
std::optional<double> value_of(const Share* share);                      // nothing of none
inline constexpr std::string_view kProducts = "gemm", kCopies = "copy";  // rates of comparisons

// The resource that bounds a row.
struct BoundBy {
  Limiter by = Limiter::latency;
  double share = 0;       // of what the busiest unit sustains
  bool measured = false;  // by counters; else predicted of counted work and measured ceilings
};

std::string_view source_of(const BoundBy& bound);  // "counters" or "predicted"

// Bytes through one level of memory: what the stage's work says, and what counters saw.
struct Traffic {
  std::optional<double> model_bytes, measured_bytes;
  std::optional<double> difference() const;  // measured / model - 1
};

// By the names that members of documents and columns of tables have.
constexpr auto enum_names(Count) {
  return std::to_array<EnumName<Count>>({{Count::useful_flops, "flops_per_second"},
                                         {Count::compulsory_bytes, "compulsory_bytes_per_second"},
                                         {Count::gathered_bytes, "gathered_bytes_per_second"}});
}

struct MeasurementRecord {
  std::vector<Sample> samples;  // of all launches, in their order
  // Those that other work disturbed, and that were taken again. The stop reason is "disturbed"
  // where they are more, or where other work crowds most samples. Where too few are left without
  // them, all are among the samples.
  std::vector<Sample> left_out;
  Statistics statistics;
  std::vector<LaunchRecord> launches;  // at least one
  std::string stop_reason;             // "noise", "samples", "time", "disturbed" or "failed"
  bool disturbed() const;              // in one launch at least
  // Of a GPU's samples: each other process that ran kernels, with its largest share.
  std::vector<DeviceUse> others() const;
  // The share of the processors or of the GPU that other work took: the median of all samples. Not
  // known where no sample says.
  std::optional<double> taken_share() const;
  std::optional<double> flops_per_second, paper_flops_per_second;
  std::optional<double> logical_bytes_per_second, compulsory_bytes_per_second;
  std::optional<double> gathered_bytes_per_second;
  const std::optional<double>& rate(Count count) const;
  std::vector<Share> shares;                     // ceilings first, the largest share first
  std::vector<std::string> unmeasured_ceilings;  // those of the case that the run did not measure
  const Share* nearest_ceiling() const;          // the largest share of a ceiling, or null
  // The share of the fastest reference whose name begins so, or null.
  const Share* share_of(std::string_view reference_rate) const;
  std::optional<Shares> share_of_nominal;  // of the data sheet's rates
  std::optional<CountersRecord> counters;  // where the run asked for them
  std::optional<BoundBy> bound;            // nothing where neither counters nor ceilings tell
  Traffic dram, l2;
};

void describe(Fields<Sample>& fields);
void describe(Fields<Statistics>& fields);
void describe(Fields<LaunchRecord>& fields);
void describe(Fields<Shares>& fields);
void describe(Fields<Share>& fields);
void describe(Fields<BoundBy>& fields);
void describe(Fields<Traffic>& fields);
void describe(Fields<MeasurementRecord>& fields);

}  // namespace alsbench
