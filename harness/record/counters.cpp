// SPDX-License-Identifier: Apache-2.0
#include "harness/record/counters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace alsbench {
namespace {

using Member = double Counters::*;

// How a field of several kernels becomes one.
enum class Join { sum, by_cycles, by_active_cycles };

struct Field {
  const char* name;
  Member member;
  Join join;
};

constexpr std::array kFields{
    Field{"seconds", &Counters::seconds, Join::sum},
    Field{"cycles", &Counters::cycles, Join::sum},
    Field{"instructions", &Counters::instructions, Join::sum},
    Field{"dram_read_bytes", &Counters::dram_read_bytes, Join::sum},
    Field{"dram_write_bytes", &Counters::dram_write_bytes, Join::sum},
    Field{"l2_bytes", &Counters::l2_bytes, Join::sum},
    Field{"l2_hit_bytes", &Counters::l2_hit_bytes, Join::sum},
    Field{"l1_bytes", &Counters::l1_bytes, Join::sum},
    Field{"l1_hit_bytes", &Counters::l1_hit_bytes, Join::sum},
    Field{"l1_requests", &Counters::l1_requests, Join::sum},
    Field{"last_level_misses", &Counters::last_level_misses, Join::sum},
    Field{"tensor_share", &Counters::tensor, Join::by_cycles},
    Field{"fp32_share", &Counters::fp32, Join::by_cycles},
    Field{"lsu_share", &Counters::lsu, Join::by_cycles},
    Field{"l1_share", &Counters::l1, Join::by_cycles},
    Field{"l2_share", &Counters::l2, Join::by_cycles},
    Field{"dram_share", &Counters::dram, Join::by_cycles},
    Field{"issue_share", &Counters::issue, Join::by_cycles},
    Field{"active_share", &Counters::active, Join::by_cycles},
    Field{"occupancy", &Counters::occupancy, Join::by_active_cycles},
};

double weight(const Counters& counters, Join join) {
  switch (join) {
    case Join::by_cycles:
      return counters.cycles;
    case Join::by_active_cycles:
      return counters.cycles * counters.active;
    default:
      return 1;
  }
}

constexpr std::array<std::pair<NoCounters, std::string_view>, 6> kReasons{
    {{NoCounters::permission, "permission"},
     {NoCounters::library, "library"},
     {NoCounters::build, "build"},
     {NoCounters::unsupported, "unsupported"},
     {NoCounters::busy, "busy"},
     {NoCounters::failed, "failed"}}};

Json to_json(const Stall& stall) { return {{"reason", stall.reason}, {"share", stall.share}}; }

Stall stall_from_json(const JsonField& json) {
  return {json.at("reason").text(), json.at("share").number()};
}

}  // namespace

Counters sum_of(const std::vector<Counters>& parts) {
  Counters total;
  for (const Field& field : kFields) {
    double sum = 0, weights = 0;
    for (const Counters& part : parts) {
      sum += part.*field.member * weight(part, field.join);
      weights += weight(part, field.join);
    }
    total.*field.member = field.join == Join::sum ? sum : sum / weights;
  }
  if (!parts.empty()) total.stalls = longest_of(parts).stalls;
  return total;
}

const Counters& longest_of(const std::vector<Counters>& parts) {
  return *std::max_element(parts.begin(), parts.end(), [](const Counters& a, const Counters& b) {
    return a.seconds < b.seconds;
  });
}

std::string_view name_of(NoCounters why) {
  for (const auto& [known, name] : kReasons)
    if (known == why) return name;
  return "";
}

std::optional<NoCounters> no_counters_named(std::string_view name) {
  for (const auto& [why, known] : kReasons)
    if (known == name) return why;
  return std::nullopt;
}

Json to_json(const Counters& counters) {
  Json json = Json::object();
  for (const Field& field : kFields) json[field.name] = json_of(counters.*field.member);
  Json stalls = Json::array();
  for (const Stall& stall : counters.stalls) stalls.push_back(to_json(stall));
  json["stalls"] = std::move(stalls);
  return json;
}

Counters counters_from_json(const JsonField& json) {
  Counters counters;
  for (const Field& field : kFields) counters.*field.member = json.at(field.name).number_or_nan();
  counters.stalls = list_of(json.at("stalls"), stall_from_json);
  return counters;
}

Json to_json(const CountersRefusal& refusal) {
  return {{"why", name_of(refusal.why)}, {"detail", refusal.detail}, {"remedy", refusal.remedy}};
}

CountersRefusal counters_refusal_from_json(const JsonField& json) {
  return {json.at("why").word(no_counters_named), json.at("detail").text(),
          json.at("remedy").text()};
}

Json to_json(const CountersRecord& record) {
  return {{"kernels", json_list(record.kernels)},
          {"executions", record.executions},
          {"refusal", json_or_null(record.refusal)}};
}

CountersRecord counters_record_from_json(const JsonField& json) {
  return {list_of(json.at("kernels"), counters_from_json), json.at("executions").integer(),
          optional_of(json.find("refusal"), counters_refusal_from_json)};
}

}  // namespace alsbench
