// SPDX-License-Identifier: Apache-2.0
#include "harness/record/measurement_record.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "harness/record/core_codecs.h"

namespace alsbench {
namespace {

constexpr std::string_view kDisturbed = "disturbed";

constexpr std::string_view kFromCounters = "counters", kPredicted = "predicted";

constexpr std::string_view kCeiling = "ceiling", kComparison = "comparison";

std::string row_of(const Share* share) { return share == nullptr ? "" : share->row; }

void describe_share_columns(Fields<MeasurementRecord>& fields) {
  using M = MeasurementRecord;
  fields.column("nearest_ceiling", [](const M& m) {
    return m.nearest_ceiling() == nullptr ? "" : m.nearest_ceiling()->reference_rate;
  });
  fields.column(
      "nearest_ceiling_rate",
      [](const M& m) {
        const Share* nearest = m.nearest_ceiling();
        return nearest == nullptr ? std::nullopt : std::optional(nearest->count);
      },
      "the rate that is compared");
  fields.column("share_of_nearest_ceiling",
                [](const M& m) { return value_of(m.nearest_ceiling()); });
  fields.column(
      "nearest_ceiling_row", [](const M& m) { return row_of(m.nearest_ceiling()); },
      "that the ceiling's rate is of");
}

void describe_comparison_columns(Fields<MeasurementRecord>& fields) {
  for (const std::string_view name : {kProducts, kCopies}) {
    const auto share = [name](const MeasurementRecord& m) { return m.share_of(name); };
    fields.column("share_of_" + std::string(name),
                  [share](const MeasurementRecord& m) { return value_of(share(m)); });
    fields.column(
        std::string(name) + "_row",
        [share](const MeasurementRecord& m) { return row_of(share(m)); }, "that its rate is of");
  }
}

// "counted", or why not.
std::string counters_cell(const MeasurementRecord& m) {
  if (!m.counters) return "";
  if (m.counters->counted()) return "counted";
  return m.counters->refusal ? std::string(name_of(m.counters->refusal->why)) : "";
}

}  // namespace

std::optional<double> value_of(const Share* share) {
  return share == nullptr ? std::nullopt : std::optional(share->value);
}

std::string_view source_of(const BoundBy& bound) {
  return bound.measured ? kFromCounters : kPredicted;
}

std::optional<double> Traffic::difference() const {
  if (!model_bytes || !measured_bytes || !(*model_bytes > 0)) return std::nullopt;
  return *measured_bytes / *model_bytes - 1;
}

const std::optional<double>& MeasurementRecord::rate(Count count) const {
  switch (count) {
    case Count::useful_flops:
      return flops_per_second;
    case Count::compulsory_bytes:
      return compulsory_bytes_per_second;
    default:
      return gathered_bytes_per_second;
  }
}

const Share* MeasurementRecord::nearest_ceiling() const {
  return !shares.empty() && shares.front().ceiling ? &shares.front() : nullptr;
}

const Share* MeasurementRecord::share_of(std::string_view reference_rate) const {
  const Share* least = nullptr;
  for (const Share& share : shares)
    if (share.reference_rate.starts_with(reference_rate) &&
        (least == nullptr || share.value < least->value))
      least = &share;
  return least;
}

bool MeasurementRecord::disturbed() const {
  return std::any_of(launches.begin(), launches.end(),
                     [](const LaunchRecord& launch) { return launch.stop_reason == kDisturbed; });
}

std::vector<DeviceUse> MeasurementRecord::others() const {
  std::vector<DeviceUse> all;
  for (const auto* list : {&samples, &left_out})
    for (const Sample& sample : *list) merge_device_uses(all, sample.contention.others);
  return all;
}

std::optional<double> MeasurementRecord::taken_share() const {
  std::vector<double> taken;
  for (const auto* list : {&samples, &left_out})
    for (const Sample& sample : *list)
      if (const auto share = sample.contention.taken_share(sample.seconds)) taken.push_back(*share);
  if (taken.empty()) return std::nullopt;
  const auto middle = taken.begin() + static_cast<std::ptrdiff_t>(taken.size() / 2);
  std::nth_element(taken.begin(), middle, taken.end());
  return *middle;
}

void describe(Fields<Sample>& fields) {
  fields.record("sample", "One timed execution.");
  fields("seconds", &Sample::seconds).range(Range::Kind::time);
  fields("host_seconds", &Sample::host_seconds, "by the host's steady clock").nullable();
  fields.custom(
      "sm_clock_hz",
      [](const Sample& sample) {
        return sample.sm_clock_hz > 0 ? json_of(sample.sm_clock_hz) : Json(nullptr);
      },
      [](const JsonField& json, Sample& sample) {
        sample.sm_clock_hz = json.is_null() ? 0 : json.number();
      },
      {{"type", {"number", "null"}}, {"minimum", 0}}, "of a GPU");
  fields("throttled", &Sample::throttled, "the driver slowed the GPU down meanwhile");
  fields("power_watts", &Sample::power_watts, "of a GPU, at its end").omitted();
  fields("temperature_celsius", &Sample::temperature_celsius, "of a GPU, at its end").omitted();
  fields.inlined(&Sample::contention);
}

void describe(Fields<Statistics>& fields) {
  fields.record("statistics", "Order statistics of the samples.");
  const auto seconds = [&](const char* name, double Statistics::*member) {
    return fields(name, member).range(Range::Kind::duration).nullable();
  };
  fields("count", &Statistics::count).range(Range::Kind::from_1).column("samples");
  FieldOptions min = seconds("min_seconds", &Statistics::min);
  FieldOptions q1 = seconds("q1_seconds", &Statistics::q1);
  fields("median_seconds", &Statistics::median).range(Range::Kind::time).nullable().column();
  min.column();
  q1.column();
  seconds("q3_seconds", &Statistics::q3).column();
  seconds("max_seconds", &Statistics::max).column();
  seconds("mean_seconds", &Statistics::mean);
  fields("relative_iqr", &Statistics::relative_iqr, "(q3 - q1) / median").nullable();
  fields("median_noise", &Statistics::median_noise,
         "relative interquartile range of the median: relative_iqr / sqrt(count)")
      .nullable()
      .column();
}

void describe(Fields<LaunchRecord>& fields) {
  fields.record("launch", "The samples of one process launch.");
  fields("median_seconds", &LaunchRecord::median_seconds).range(Range::Kind::time).nullable();
  fields("count", &LaunchRecord::count);
  fields("stop_reason", &LaunchRecord::stop_reason);
  fields.check([](const JsonField& json, const LaunchRecord& launch) {
    if (launch.count < 1)
      json.at("count").fail("is no number of samples: a launch has at least one");
  });
}

void describe(Fields<Shares>& fields) {
  fields.record("nominal_shares", "Shares of the data sheet's rates.");
  fields("flops", &Shares::flops);
  fields("logical_bytes", &Shares::logical_bytes);
  fields("compulsory_bytes", &Shares::compulsory_bytes);
}

void describe(Fields<Share>& fields) {
  fields.record("share",
                "A rate over that of a ceiling or comparison. No variant passes a ceiling.");
  fields("of", &Share::reference_rate, "the ceiling or comparison");
  fields.custom(
      "kind", [](const Share& share) { return share.ceiling ? kCeiling : kComparison; },
      [](const JsonField& json, Share& share) { share.ceiling = json.text() == kCeiling; },
      {{"enum", {kCeiling, kComparison}}});
  fields("rate", &Share::count, "the rate that is compared");
  fields("share", &Share::value);
  fields("row", &Share::row, "that its rate is of, as tables name it");
}

void describe(Fields<BoundBy>& fields) {
  fields.record("bound", "The unit that bounds a row.");
  fields("by", &BoundBy::by).column("bound");
  fields("share", &BoundBy::share, "of what the busiest unit sustains")
      .nullable()
      .column("bound_share");
  fields
      .custom(
          "from", [](const BoundBy& bound) { return source_of(bound); },
          [](const JsonField& json, BoundBy& bound) {
            bound.measured = json.text() == kFromCounters;
          },
          {{"enum", {kFromCounters, kPredicted}}})
      .column("bound_from");
}

void describe(Fields<Traffic>& fields) {
  fields.record("traffic", "Bytes through one level of memory.");
  fields("model_bytes", &Traffic::model_bytes, "of the stage's work").column();
  fields("measured_bytes", &Traffic::measured_bytes, "by counters").column();
  fields.computed("difference", &Traffic::difference, "measured / model - 1").column();
}

void describe(Fields<MeasurementRecord>& fields) {
  using M = MeasurementRecord;
  fields.record("measurement", "The times of a case in one cache mode, and what they come to.");
  fields("samples", &M::samples).range(Range::Kind::not_empty);
  fields("statistics", &M::statistics);
  fields.columns_of(&M::statistics);
  fields("launches", &M::launches, "of `run --launches N`, in their order")
      .range(Range::Kind::not_empty);
  fields("stop_reason", &M::stop_reason).column();
  fields("flops_per_second", &M::flops_per_second, "useful FLOPs").column();
  fields("paper_flops_per_second", &M::paper_flops_per_second).column();
  fields("logical_bytes_per_second", &M::logical_bytes_per_second).column();
  fields("compulsory_bytes_per_second", &M::compulsory_bytes_per_second).column();
  fields("gathered_bytes_per_second", &M::gathered_bytes_per_second).column();
  fields("shares", &M::shares, "ceilings first, the largest share first");
  describe_share_columns(fields);
  fields("unmeasured_ceilings", &M::unmeasured_ceilings, "ceilings of the case that the run lacks")
      .column();
  describe_comparison_columns(fields);
  fields("share_of_nominal", &M::share_of_nominal, "of the data sheet's rates");
  fields("bound", &M::bound, "what bounds the row; null where neither counters nor ceilings tell");
  fields.columns_of(&M::bound);
  fields("dram", &M::dram);
  fields.columns_of(&M::dram, "dram_");
  fields("l2", &M::l2);
  fields.columns_of(&M::l2, "l2_");
  fields("counters", &M::counters, "of runs with --counters").omitted();
  fields.column("counters", counters_cell, "counted, or why not");
  fields("left_out", &M::left_out, "samples that other work disturbed, and that were taken again")
      .omitted();
  fields.check([](const JsonField& json, M& record) {
    if (record.statistics.count != static_cast<int64_t>(record.samples.size()))
      json.at("statistics").at("count").fail("is not the number of samples");
  });
}

}  // namespace alsbench
