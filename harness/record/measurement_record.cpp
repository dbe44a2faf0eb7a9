// SPDX-License-Identifier: Apache-2.0
#include "harness/record/measurement_record.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace alsbench {
namespace {

constexpr std::string_view kDisturbed = "disturbed";

Json to_json(const Statistics& s) {
  return {{"count", s.count},
          {"min_seconds", json_of(s.min)},
          {"q1_seconds", json_of(s.q1)},
          {"median_seconds", json_of(s.median)},
          {"q3_seconds", json_of(s.q3)},
          {"max_seconds", json_of(s.max)},
          {"mean_seconds", json_of(s.mean)},
          {"relative_iqr", json_of(s.relative_iqr)},
          {"median_noise", json_of(s.median_noise)}};
}

Statistics statistics_from_json(const JsonField& json) {
  const auto seconds = [&](const char* key) {
    const JsonField field = json.at(key);
    return field.is_null() ? field.number_or_nan() : field.duration();
  };
  Statistics s;
  s.count = json.at("count").integer();
  s.min = seconds("min_seconds");
  s.q1 = seconds("q1_seconds");
  s.median = json.at("median_seconds").time_or_nan();
  s.q3 = seconds("q3_seconds");
  s.max = seconds("max_seconds");
  s.mean = seconds("mean_seconds");
  s.relative_iqr = json.at("relative_iqr").number_or_nan();
  s.median_noise = json.at("median_noise").number_or_nan();
  return s;
}

Json to_json(const LaunchRecord& launch) {
  return {{"median_seconds", json_of(launch.median_seconds)},
          {"count", launch.count},
          {"stop_reason", launch.stop_reason}};
}

LaunchRecord launch_record_from_json(const JsonField& json) {
  const LaunchRecord launch{json.at("median_seconds").time_or_nan(), json.at("count").integer(),
                            json.at("stop_reason").text()};
  if (launch.count < 1) json.at("count").fail("is no number of samples: a launch has at least one");
  return launch;
}

Json to_json(const Shares& shares) {
  return {{"flops", json_of(shares.flops)},
          {"logical_bytes", json_of(shares.logical_bytes)},
          {"compulsory_bytes", json_of(shares.compulsory_bytes)}};
}

Shares shares_from_json(const JsonField& json) {
  return {optional_number(json.find("flops")), optional_number(json.find("logical_bytes")),
          optional_number(json.find("compulsory_bytes"))};
}

constexpr std::string_view kFromCounters = "counters", kPredicted = "predicted";

BoundBy bound_from_json(const JsonField& json) {
  return {json.at("by").word(limiter_named), json.at("share").number_or_nan(),
          json.at("from").text() == kFromCounters};
}

Json to_json(const Traffic& traffic) {
  return {{"model_bytes", json_of(traffic.model_bytes)},
          {"measured_bytes", json_of(traffic.measured_bytes)},
          {"difference", json_of(traffic.difference())}};
}

Traffic traffic_from_json(const JsonField& json) {
  return {optional_number(json.find("model_bytes")), optional_number(json.find("measured_bytes"))};
}

constexpr std::array<std::pair<Count, std::string_view>, 3> kRates{
    {{Count::useful_flops, "flops_per_second"},
     {Count::compulsory_bytes, "compulsory_bytes_per_second"},
     {Count::gathered_bytes, "gathered_bytes_per_second"}}};

std::optional<Count> count_of_rate(std::string_view name) {
  for (const auto& [count, rate] : kRates)
    if (rate == name) return count;
  return std::nullopt;
}

constexpr std::string_view kRoof = "roof", kComparison = "comparison";

Json to_json(const Share& share) {
  return {{"of", share.yardstick},
          {"kind", share.roof ? kRoof : kComparison},
          {"rate", name_of_rate(share.count)},
          {"share", share.value},
          {"row", share.row}};
}

Share share_from_json(const JsonField& json) {
  return {json.at("of").text(), json.at("row").text(), json.at("rate").word(count_of_rate),
          json.at("kind").text() == kRoof, json.at("share").number()};
}

}  // namespace

std::string_view name_of(CacheMode mode) { return mode == CacheMode::cold ? "cold" : "hot"; }

std::optional<CacheMode> cache_mode_named(std::string_view name) {
  for (const CacheMode mode : kCacheModes)
    if (name_of(mode) == name) return mode;
  return std::nullopt;
}

std::string_view source_of(const BoundBy& bound) {
  return bound.measured ? kFromCounters : kPredicted;
}

Json to_json(const BoundBy& bound) {
  return {{"by", name_of(bound.by)}, {"share", json_of(bound.share)}, {"from", source_of(bound)}};
}

std::optional<double> Traffic::difference() const {
  if (!model_bytes || !measured_bytes || !(*model_bytes > 0)) return std::nullopt;
  return *measured_bytes / *model_bytes - 1;
}

std::string_view name_of_rate(Count count) {
  for (const auto& [known, rate] : kRates)
    if (known == count) return rate;
  throw std::logic_error("a count of work without a rate");
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

const Share* MeasurementRecord::nearest_roof() const {
  return !shares.empty() && shares.front().roof ? &shares.front() : nullptr;
}

const Share* MeasurementRecord::share_of(std::string_view yardstick) const {
  const Share* most = nullptr;
  for (const Share& share : shares)
    if (share.yardstick.starts_with(yardstick) && (most == nullptr || share.value > most->value))
      most = &share;
  return most;
}

bool MeasurementRecord::disturbed() const {
  return std::any_of(launches.begin(), launches.end(),
                     [](const LaunchRecord& launch) { return launch.stop_reason == kDisturbed; });
}

std::vector<DeviceUse> MeasurementRecord::others() const {
  std::vector<DeviceUse> all;
  for (const auto* list : {&samples, &left_out})
    for (const Sample& sample : *list) merge_into(all, sample.other_work.others);
  return all;
}

double MeasurementRecord::uncertainty() const {
  if (!disturbed()) return statistics.median_noise;
  std::vector<double> taken;
  for (const auto* list : {&samples, &left_out})
    for (const Sample& sample : *list)
      if (const auto share = sample.other_work.taken_share(sample.seconds)) taken.push_back(*share);
  if (taken.empty()) return statistics.median_noise;
  const auto middle = taken.begin() + static_cast<std::ptrdiff_t>(taken.size() / 2);
  std::nth_element(taken.begin(), middle, taken.end());
  return std::max(*middle, statistics.median_noise);
}

Json to_json(const Sample& sample) {
  Json json{{"seconds", json_of(sample.seconds)},
            {"host_seconds", json_of(sample.host_seconds)},
            {"sm_clock_hz", sample.sm_clock_hz > 0 ? json_of(sample.sm_clock_hz) : Json(nullptr)},
            {"throttled", sample.throttled}};
  add_to(json, sample.other_work);
  return json;
}

Sample sample_from_json(const JsonField& json) {
  return {json.at("seconds").time(), json.at("host_seconds").number_or_nan(),
          optional_number(json.find("sm_clock_hz")).value_or(0), json.at("throttled").boolean(),
          other_work_from_json(json)};
}

Json to_json(const MeasurementRecord& record) {
  const auto list = [](const auto& parts) {
    Json json = Json::array();
    for (const auto& part : parts) json.push_back(to_json(part));
    return json;
  };
  Json json{{"samples", list(record.samples)},
            {"statistics", to_json(record.statistics)},
            {"launches", list(record.launches)},
            {"stop_reason", record.stop_reason},
            {"flops_per_second", json_of(record.flops_per_second)},
            {"paper_flops_per_second", json_of(record.paper_flops_per_second)},
            {"logical_bytes_per_second", json_of(record.logical_bytes_per_second)},
            {"compulsory_bytes_per_second", json_of(record.compulsory_bytes_per_second)},
            {"gathered_bytes_per_second", json_of(record.gathered_bytes_per_second)},
            {"shares", list(record.shares)},
            {"unmeasured_roofs", record.unmeasured_roofs},
            {"share_of_nominal",
             record.share_of_nominal ? to_json(*record.share_of_nominal) : Json(nullptr)},
            {"bound", json_or_null(record.bound)},
            {"dram", to_json(record.dram)},
            {"l2", to_json(record.l2)}};
  if (record.counters) json["counters"] = to_json(*record.counters);
  if (!record.left_out.empty()) json["left_out"] = list(record.left_out);
  return json;
}

MeasurementRecord measurement_record_from_json(const JsonField& json) {
  MeasurementRecord record;
  record.samples = list_of(json.at("samples"), sample_from_json);
  if (record.samples.empty()) json.at("samples").fail("is empty");
  if (const auto left_out = json.find("left_out"))  // since 1.7.0
    record.left_out = list_of(*left_out, sample_from_json);
  record.statistics = statistics_from_json(json.at("statistics"));
  if (record.statistics.count != static_cast<int64_t>(record.samples.size()))
    json.at("statistics").at("count").fail("is not the number of samples");
  record.stop_reason = json.at("stop_reason").text();
  // A file of before 1.1.0 says nothing of launches: it is one.
  if (const auto launches = json.find("launches"))
    record.launches = list_of(*launches, launch_record_from_json);
  else
    record.launches = {{record.statistics.median, record.statistics.count, record.stop_reason}};
  if (record.launches.empty()) json.at("launches").fail("is empty");
  record.flops_per_second = optional_number(json.find("flops_per_second"));
  record.paper_flops_per_second = optional_number(json.find("paper_flops_per_second"));
  record.logical_bytes_per_second = optional_number(json.find("logical_bytes_per_second"));
  record.compulsory_bytes_per_second = optional_number(json.find("compulsory_bytes_per_second"));
  record.gathered_bytes_per_second = optional_number(json.find("gathered_bytes_per_second"));
  // Files before 1.9.0 have shares of another definition in their place, as `share_of_roof`.
  if (const auto shares = json.find("shares")) record.shares = list_of(*shares, share_from_json);
  if (const auto roofs = json.find("unmeasured_roofs"))
    for (const JsonField& roof : roofs->elements()) record.unmeasured_roofs.push_back(roof.text());
  record.share_of_nominal = optional_of(json.find("share_of_nominal"), shares_from_json);
  // These four since 1.10.0.
  record.counters = optional_of(json.find("counters"), counters_record_from_json);
  record.bound = optional_of(json.find("bound"), bound_from_json);
  if (const auto dram = json.find("dram")) record.dram = traffic_from_json(*dram);
  if (const auto l2 = json.find("l2")) record.l2 = traffic_from_json(*l2);
  return record;
}

}  // namespace alsbench
