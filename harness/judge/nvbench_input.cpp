// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdlib>

#include "harness/judge/foreign_input.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

// The value of the first of these summaries that the state has; 0: none. nvbench writes numbers as
// text.
double summary_of(const Json& state, std::initializer_list<const char*> tags) {
  for (const char* tag : tags)
    for (const Json& summary : state.at("summaries")) {
      if (summary.at("tag") != tag || !summary.contains("data")) continue;
      for (const Json& value : summary["data"]) {
        if (value.at("name") != "value") continue;
        const Json& number = value.at("value");
        return number.is_string() ? std::strtod(number.get<std::string>().c_str(), nullptr)
                                  : number.get<double>();
      }
    }
  return 0;
}

// The names of to_nvbench's states begin with their benchmark's already.
std::string name_of(const std::string& benchmark, const Json& state, bool several_devices) {
  const std::string name = state.at("name");
  std::string full = name.starts_with(benchmark + "/") ? name
                     : name.empty()                    ? benchmark
                                                       : benchmark + "/" + name;
  if (several_devices && full != name) full += fmt::format("/device:{}", state.at("device").dump());
  return full;
}

// "crashed: signal 11", as to_nvbench writes it; any other reason is a skip.
void read_skip(const Json& state, ComparisonCase& c) {
  const std::string reason = state.value("skip_reason", "");
  const size_t colon = std::min(reason.find(": "), reason.size());
  const auto outcome = outcome_named(reason.substr(0, colon));
  c.outcome = outcome && *outcome != Outcome::ok ? *outcome : Outcome::skipped;
  c.detail = outcome && colon < reason.size() ? reason.substr(colon + 2) : reason;
}

void add_state(const Json& state, ComparisonCase c, std::vector<ComparisonCase>& cases) {
  if (state.value("is_skipped", false)) {
    read_skip(state, c);
    cases.push_back(std::move(c));
    return;
  }
  const auto add = [&](const char* mode, double seconds, double samples) {
    if (!(seconds > 0)) return;
    ComparisonCase measured = c;
    measured.name += fmt::format("/{}", mode);
    if (!c.kind.empty()) measured.kind += fmt::format("/{}", mode);
    measured.launches.push_back({seconds, std::max<int64_t>(1, static_cast<int64_t>(samples))});
    cases.push_back(std::move(measured));
  };
  add("cold",
      summary_of(state, {"nv/cold/time/gpu/median", "nv/cold/time/gpu/mean",
                         "nv/cold/time/cpu/mean", "nv/cpu_only/time/cpu/mean"}),
      summary_of(state, {"nv/cold/sample_size", "nv/cpu_only/sample_size"}));
  add("hot", summary_of(state, {"als/batch/time/gpu/median", "nv/batch/time/gpu/mean"}),
      summary_of(state, {"nv/batch/sample_size"}));
}

}  // namespace

ComparisonInput nvbench_input_of(const Json& json, const std::string& source) {
  ComparisonInput input;
  input.source = source;
  input.format = "nvbench";
  for (const Json& device : json.value("devices", Json::array()))
    input.environment.emplace_back("nvbench device " + device.at("id").dump(),
                                   device.value("name", "?"));
  for (const Json& benchmark : json.at("benchmarks")) {
    const std::string name = benchmark.at("name");
    const bool several_devices = benchmark.value("devices", Json::array()).size() > 1;
    for (const Json& state : benchmark.at("states")) {
      ComparisonCase c;
      c.name = c.record = name_of(name, state, several_devices);
      c.device = state.contains("device") ? state["device"].dump() : "";
      if (state.value("als_role", "") == "roof") {
        c.role = CaseRole::canary;
        c.kind = name;
      }
      add_state(state, std::move(c), input.cases);
    }
  }
  return input;
}

}  // namespace alsbench
