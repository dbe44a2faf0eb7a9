// SPDX-License-Identifier: Apache-2.0
#include "harness/record/other_work.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string_view>

#include "harness/record/core_codecs.h"

namespace alsbench {
namespace {

Json to_json(const ProcessorUse& use) {
  return {{"cpu_seconds", json_of(use.cpu_seconds)},
          {"waited_seconds", json_of(use.waited_seconds)},
          {"involuntary_switches", use.involuntary_switches},
          {"running", use.running}};
}

Json to_json(const DeviceUse& use) {
  return {{"id", use.id}, {"name", text_or_null(use.name)}, {"busy", json_of(use.busy)}};
}

DeviceUse device_use_from_json(const JsonField& json) {
  return {json.at("id").integer(), json.at("name").text_or_empty(), json.at("busy").number()};
}

ProcessorUse processor_use_from_json(const JsonField& json) {
  return {json.at("cpu_seconds").number(), optional_number(json.find("waited_seconds")),
          json.at("involuntary_switches").integer(), json.at("running").integer()};
}

}  // namespace

void merge_into(std::vector<DeviceUse>& uses, const std::vector<DeviceUse>& more) {
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
bool OtherWork::disturbs(double seconds) const {
  constexpr double kWaking = 30e-6, kMostWaking = 0.1;
  if (!others.empty()) return *taken_share(seconds) > kDisturbingShare;
  if (!processor || !processor->waited_seconds) return false;
  return *processor->waited_seconds >
         kDisturbingShare * seconds + std::min(kWaking, kMostWaking * seconds);
}

std::optional<double> OtherWork::taken_share(double seconds) const {
  if (!others.empty()) {
    const auto add = [](double sum, const DeviceUse& use) { return sum + use.busy; };
    return std::min(1.0, std::accumulate(others.begin(), others.end(), 0.0, add));
  }
  if (!processor || !processor->waited_seconds || !(seconds > 0)) return std::nullopt;
  // A thread that waited as the time began counts all of its wait in the end.
  return std::min(1.0, *processor->waited_seconds / seconds);
}

void add_to(Json& json, const OtherWork& work) {
  if (work.processor) json["processor"] = to_json(*work.processor);
  for (const DeviceUse& use : work.others) json["others"].push_back(to_json(use));
}

OtherWork other_work_from_json(const JsonField& json) {
  OtherWork work{optional_of(json.find("processor"), processor_use_from_json), {}};
  if (const auto others = json.find("others")) work.others = list_of(*others, device_use_from_json);
  return work;
}

bool disturbed_times_count() {
  static const bool keep = [] {
    const char* value = std::getenv("ALSBENCH_DISTURBED");
    return value != nullptr && std::string_view(value) == "keep";
  }();
  return keep;
}

}  // namespace alsbench
