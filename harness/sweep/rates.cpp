// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/rates.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "harness/record/result.h"
#include "harness/record/tables.h"
#include "harness/sweep/bounds.h"
#include "variants/catalog.h"
#include "variants/reference_rates.h"

namespace alsbench {
namespace {

std::optional<double> rate(double work, double seconds) {
  if (!std::isfinite(work) || work == 0 || !(seconds > 0)) return std::nullopt;
  return work / seconds;
}

// The fastest undisturbed row that measured a reference.
struct MeasuredRate {
  std::string row;
  const MeasurementRecord* rates = nullptr;
};

// The references of a run. A ceiling is a limit of the device, whatever it was measured beside: its
// rows are pooled by device and cache mode. A comparison is one of its own problem and part.
class ReferenceRates {
 public:
  explicit ReferenceRates(const std::vector<CaseRecord>& records) {
    for (const CaseRecord& record : records)
      if (record.role == Role::ceiling && record.ok()) add(record);
  }
  // Null where nobody measured it there.
  const MeasuredRate* find(const CaseRecord& record, const ReferenceRate& wanted,
                           CacheMode mode) const {
    const std::map<Key, MeasuredRate>& measured = wanted.ceiling ? of_device_ : of_part_;
    const auto found = measured.find(wanted.ceiling ? device_key(record, wanted.name, mode)
                                                    : part_key(record, wanted.name, mode));
    return found == measured.end() ? nullptr : &found->second;
  }

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string, CacheMode>;

  static Key part_key(const CaseRecord& record, const std::string& name, CacheMode mode) {
    return {record.device, record.problem.name, record.part, name, mode};
  }
  static Key device_key(const CaseRecord& record, const std::string& name, CacheMode mode) {
    return {record.device, "", "", name, mode};
  }
  void add(const CaseRecord& record) {
    const Variant* variant = variant_of(record);
    const auto name =
        variant == nullptr ? std::nullopt : reference_rate_measured_by(*variant, record.config);
    if (!name) return;
    for (const ResultRow& row : rows_of(record)) {
      if (!row.timed() || row.measurement->disturbed()) continue;
      for (const CacheMode mode : kCacheModes)
        if (mode == row.mode || variant->stage->on_chip) {
          const Count count = *variant->stage->reference_rate;
          keep_faster(of_part_[part_key(record, *name, mode)], row, count);
          keep_faster(of_device_[device_key(record, *name, mode)], row, count);
        }
    }
  }
  static void keep_faster(MeasuredRate& best, const ResultRow& row, Count count) {
    const auto rate = [&](const MeasurementRecord* rates) {
      return rates == nullptr ? 0 : rates->rate(count).value_or(0);
    };
    if (rate(row.measurement) > rate(best.rates)) best = {row.name, row.measurement};
  }

  std::map<Key, MeasuredRate> of_part_, of_device_;
};

// With those that stand in for what was not measured; each once.
std::vector<ReferenceRate> with_stand_ins(
    const std::vector<ReferenceRate>& wanted,
    const std::function<bool(const ReferenceRate&)>& measured) {
  std::vector<ReferenceRate> all;
  for (ReferenceRate one : wanted) {
    ReferenceRate other = one;
    other.name = one.stand_in;
    if (!one.stand_in.empty() && !measured(one) && measured(other)) one = std::move(other);
    if (std::ranges::none_of(all,
                             [&](const ReferenceRate& known) { return known.name == one.name; }))
      all.push_back(std::move(one));
  }
  return all;
}

// Against every reference of `record`; those ceilings that it cannot be held against are named.
void add_shares(const CaseRecord& record, CacheMode mode, const std::vector<ReferenceRate>& wanted,
                const ReferenceRates& measured, MeasurementRecord& target) {
  target.shares.clear();
  target.unmeasured_ceilings.clear();
  const auto is_measured = [&](const ReferenceRate& one) {
    return measured.find(record, one, mode) != nullptr;
  };
  for (const ReferenceRate& reference_rate : with_stand_ins(wanted, is_measured)) {
    const MeasuredRate* by = measured.find(record, reference_rate, mode);
    const double own = target.rate(reference_rate.count).value_or(0);
    const double other = by == nullptr || by->rates == nullptr
                             ? 0
                             : by->rates->rate(reference_rate.count).value_or(0);
    if (own > 0 && other > 0)
      target.shares.push_back({reference_rate.name, by->row, reference_rate.count,
                               reference_rate.ceiling, own / other});
    else if (reference_rate.ceiling)
      target.unmeasured_ceilings.push_back(reference_rate.name);
  }
  std::ranges::stable_sort(target.shares, [](const Share& a, const Share& b) {
    return std::pair(!a.ceiling, -a.value) < std::pair(!b.ceiling, -b.value);
  });
}

std::optional<double> share(std::optional<double> value, double nominal) {
  return value.value_or(0) > 0 && nominal > 0 ? std::optional(*value / nominal) : std::nullopt;
}

double flops_per_second(const NominalRates& rates, Scalar type) {
  switch (type) {
    case Scalar::fp16:
    case Scalar::bf16:
      return rates.fp16_flops_per_second;
    case Scalar::tf32:
      return rates.tf32_flops_per_second;
    case Scalar::int8:
    case Scalar::fp8:  // the same on all data sheets that have it
      return rates.int8_operations_per_second.value_or(0);
    default:
      return rates.fp32_flops_per_second;
  }
}

Shares share_of_nominal(const MeasurementRecord& measured, const NominalRates& nominal,
                        Scalar type) {
  return {share(measured.flops_per_second, flops_per_second(nominal, type)),
          share(measured.logical_bytes_per_second, nominal.bytes_per_second),
          share(measured.compulsory_bytes_per_second, nominal.bytes_per_second)};
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
  merged.counters = record.counters ? record.counters : next.counters;
  return merged;
}

}  // namespace

const Variant* variant_of(const CaseRecord& record) {
  const auto stage = stage_named(record.stage);
  return stage ? find_variant(*stage, record.variant, record.backend) : nullptr;
}

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
  record.gathered_bytes_per_second = rate(work->gathered_bytes, median);
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
  const ReferenceRates measured(records);
  std::map<std::string, const DeviceRecord*> by_id;
  for (const DeviceRecord& device : devices) by_id[device.id] = &device;
  for (CaseRecord& record : records) {
    const Variant* variant = variant_of(record);
    if (variant == nullptr && !record.stage.empty()) continue;  // of a custom kernel: as they were
    const DeviceRecord* device = by_id[record.device];
    std::vector<ReferenceRate> wanted;
    if (variant != nullptr && record.work && device != nullptr)
      wanted = reference_rates_of(*variant, record.config, *record.work, device->traits);
    for (const CacheMode mode : kCacheModes) {
      auto& target = record.of(mode);
      if (!target) continue;
      add_shares(record, mode, wanted, measured, *target);
      target->share_of_nominal = std::nullopt;
      if (variant != nullptr && device != nullptr && device->nominal)
        target->share_of_nominal =
            share_of_nominal(*target, *device->nominal, multiplied_type(*variant, record.config));
      target->bound = target->counters ? measured_bound(*target->counters) : std::nullopt;
      if (device == nullptr) continue;
      if (!target->bound) target->bound = predicted_bound(record, *target, wanted, device->traits);
      add_traffic(record, mode, device->traits, *target);
    }
  }
}

Json with_shares(Json document, const std::string& source) {
  ResultDocument result = result_from_json(document, source);
  add_shares(result.cases, result.devices);
  for (size_t i = 0; i < result.cases.size(); ++i)
    for (const CacheMode mode : kCacheModes) {
      if (!result.cases[i].of(mode)) continue;
      const Json known = to_json(*result.cases[i].of(mode));
      Json& target = document["cases"][i][std::string(name_of(mode))];
      target.erase("share_of_ceiling");
      for (const char* member :
           {"shares", "unmeasured_ceilings", "share_of_nominal", "bound", "dram", "l2"})
        target[member] = known.at(member);
    }
  return document;
}

}  // namespace alsbench
