// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/rates.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "variants/catalog.h"

namespace alsbench {
namespace {

std::optional<double> rate(double work, double seconds) {
  if (!std::isfinite(work) || work == 0 || !(seconds > 0)) return std::nullopt;
  return work / seconds;
}

// What a record's variant multiplies.
std::string precision_of(const CaseRecord& record) {
  const auto stage = stage_named(record.stage);
  const Variant* variant = stage ? find_variant(*stage, record.variant, record.backend) : nullptr;
  if (variant == nullptr) return "fp32";
  for (const Parameter& parameter : variant->space.parameters())
    if (parameter.operand == Operand::factors) {
      const std::string type = record.config.get_or(parameter.name, "fp32");
      return type == "bf16" ? "fp16" : type;  // tensor cores multiply both at one rate
    }
  return "fp32";
}

// Of what precision_of() names.
double flops_per_second(const NominalRates& rates, const std::string& precision) {
  if (precision == "fp16") return rates.fp16_flops_per_second;
  if (precision == "int8") return rates.int8_operations_per_second.value_or(0);
  return precision == "tf32" ? rates.tf32_flops_per_second : rates.fp32_flops_per_second;
}

// What a record's stage is a roof of.
Limit limit_of(const CaseRecord& record) {
  const auto stage = stage_named(record.stage);
  return stage ? (*stage)->limit : Limit::none;
}

// The GEMM that a record is compared with: bytes have none of their own, and halves' is the
// fastest.
std::string precision_of_roof(const CaseRecord& record) {
  const std::string precision = precision_of(record);
  return precision == "int8" ? "fp16" : precision;
}

struct Roofs {
  double flops_per_second = 0;
  double bytes_per_second = 0;
  std::string flops_name, bytes_name;
};

// A solver's or update's precision has no GEMM of its own name: it is judged by FP32.
Roofs roofs_for(const CaseRecord& record, CacheMode mode,
                const std::vector<const CaseRecord*>& candidates) {
  Roofs roofs;
  for (const CaseRecord* candidate : candidates) {
    const auto& measured = candidate->of(mode);
    if (!measured) continue;
    const Limit limit = limit_of(*candidate);
    const double bytes = measured->compulsory_bytes_per_second.value_or(0);
    const double flops = measured->paper_flops_per_second.value_or(0);
    if (limit == Limit::bytes && bytes > roofs.bytes_per_second) {
      roofs.bytes_per_second = bytes;
      roofs.bytes_name = candidate->name;
    }
    if (limit == Limit::flops && precision_of(*candidate) == precision_of_roof(record) &&
        flops > roofs.flops_per_second) {
      roofs.flops_per_second = flops;
      roofs.flops_name = candidate->name;
    }
  }
  return roofs;
}

std::optional<double> share(std::optional<double> value, double roof) {
  return value.value_or(0) > 0 && roof > 0 ? std::optional(*value / roof) : std::nullopt;
}

// FLOP/s by the paper's count where the stage has one.
std::optional<double> judged_flops(const MeasurementRecord& measured) {
  const bool paper = measured.paper_flops_per_second.value_or(0) > 0;
  return paper ? measured.paper_flops_per_second : measured.flops_per_second;
}

Shares shares(const MeasurementRecord& measured, double flops_roof, double bytes_roof) {
  return {share(judged_flops(measured), flops_roof),
          share(measured.logical_bytes_per_second, bytes_roof),
          share(measured.compulsory_bytes_per_second, bytes_roof)};
}

std::optional<RoofShares> share_of_roof(const CaseRecord& record, CacheMode mode,
                                        const std::vector<const CaseRecord*>& candidates) {
  const Roofs roofs = roofs_for(record, mode, candidates);
  if (roofs.flops_name.empty() && roofs.bytes_name.empty()) return std::nullopt;
  return RoofShares{shares(*record.of(mode), roofs.flops_per_second, roofs.bytes_per_second),
                    roofs.flops_name, roofs.bytes_name};
}

std::optional<Shares> share_of_nominal(const CaseRecord& record, const MeasurementRecord& measured,
                                       const std::optional<NominalRates>& nominal) {
  if (!nominal) return std::nullopt;
  return shares(measured, flops_per_second(*nominal, precision_of(record)),
                nominal->bytes_per_second);
}

MeasurementRecord joined(const MeasurementRecord& record, const MeasurementRecord& next,
                         const std::optional<Work>& work) {
  Measurement all;
  all.samples = record.samples;
  all.samples.insert(all.samples.end(), next.samples.begin(), next.samples.end());
  all.left_out = record.left_out;
  all.left_out.insert(all.left_out.end(), next.left_out.begin(), next.left_out.end());
  all.stop_reason = next.stop_reason;
  MeasurementRecord merged = *measurement_record(all, work);
  merged.launches = record.launches;
  merged.launches.insert(merged.launches.end(), next.launches.begin(), next.launches.end());
  return merged;
}

}  // namespace

std::optional<MeasurementRecord> measurement_record(const Measurement& measurement,
                                                    const std::optional<Work>& work) {
  if (measurement.samples.empty()) return std::nullopt;
  MeasurementRecord record;
  record.samples = measurement.samples;
  record.left_out = measurement.left_out;
  record.stop_reason = measurement.stop_reason.empty() ? "failed" : measurement.stop_reason;
  std::vector<double> seconds;
  for (const Sample& sample : measurement.samples) seconds.push_back(sample.seconds);
  record.statistics = statistics_of(seconds);
  const double median = record.statistics.median;
  record.launches = {{median, record.statistics.count, record.stop_reason}};
  if (!work) return record;
  record.flops_per_second = rate(work->useful_flops, median);
  record.paper_flops_per_second = rate(work->paper_flops, median);
  record.logical_bytes_per_second = rate(work->logical_bytes, median);
  record.compulsory_bytes_per_second = rate(work->compulsory_bytes, median);
  return record;
}

CaseRecord merge_launches(const CaseRecord& record, const CaseRecord& next) {
  if (!record.ok()) return record;
  if (!next.ok()) {
    CaseRecord failed = next;
    failed.detail = "in a later launch: " + next.detail;
    return failed;
  }
  CaseRecord merged = record;
  merged.recheck = next.recheck;
  merged.peak_device_bytes = std::max(record.peak_device_bytes, next.peak_device_bytes);
  for (const CacheMode mode : kCacheModes)
    if (record.of(mode) && next.of(mode))
      merged.of(mode) = joined(*record.of(mode), *next.of(mode), record.work);
  if (record.training && next.training)
    for (const TrainingLaunch& launch : next.training->launches)
      merged.training->launches.push_back(launch);
  return merged;
}

void add_shares(std::vector<CaseRecord>& records, const std::vector<DeviceRecord>& devices) {
  std::map<std::string, std::vector<const CaseRecord*>> roofs_of_group;
  for (const CaseRecord& record : records)
    if (record.role == Role::roof && record.ok()) roofs_of_group[record.group].push_back(&record);
  std::map<std::string, std::optional<NominalRates>> nominal_of_device;
  for (const DeviceRecord& device : devices) nominal_of_device[device.id] = device.nominal;
  for (CaseRecord& record : records)
    for (const CacheMode mode : kCacheModes) {
      auto& measured = record.of(mode);
      if (!measured) continue;
      measured->share_of_roof = share_of_roof(record, mode, roofs_of_group[record.group]);
      measured->share_of_nominal =
          share_of_nominal(record, *measured, nominal_of_device[record.device]);
    }
}

}  // namespace alsbench
