// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>

#include "base/error.h"
#include "base/median.h"
#include "harness/judge/foreign_input.h"

namespace alsbench {
namespace {

// nvbench writes numbers as texts.
double number_of(const JsonField& json) {
  if (!json.value().is_string()) return json.number();
  const std::string text = json.text();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    json.fail(fmt::format("'{}' is no number", text));
  return value;
}

// The value of the first of these summaries that the state has.
std::optional<JsonField> summary_of(const JsonField& state,
                                    std::initializer_list<const char*> tags) {
  for (const char* tag : tags)
    for (const JsonField& summary : state.at("summaries").elements()) {
      const auto data = summary.find("data");
      if (summary.at("tag").text() != tag || !data) continue;
      for (const JsonField& value : data->elements())
        if (value.at("name").text() == "value") return value.at("value");
    }
  return std::nullopt;
}

// The names of to_nvbench's states begin with their benchmark's already.
std::string name_of(const std::string& benchmark, const JsonField& state, bool several_devices) {
  const std::string name = state.at("name").text();
  std::string full = name.starts_with(benchmark + "/") ? name
                     : name.empty()                    ? benchmark
                                                       : benchmark + "/" + name;
  if (several_devices && full != name)
    full += fmt::format("/device:{}", state.at("device").value().dump());
  return full;
}

// "crashed: signal 11", as to_nvbench writes it; any other reason is a skip.
void read_skip(const JsonField& state, ComparisonCase& c) {
  const std::string reason = text_in(state, "skip_reason");
  const size_t colon = std::min(reason.find(": "), reason.size());
  const auto outcome = named<Outcome>(reason.substr(0, colon));
  c.outcome = outcome && *outcome != Outcome::ok ? *outcome : Outcome::skipped;
  c.detail = outcome && colon < reason.size() ? reason.substr(colon + 2) : reason;
}

// A count of samples; a file that does not say has one.
int64_t samples_of(const std::optional<JsonField>& count) {
  if (!count) return 1;
  const double value = number_of(*count);
  if (!(value >= 0 && value < 1e15) || value != std::floor(value))
    count->fail(fmt::format("is {}; a number of samples is whole and not negative", value));
  return std::max<int64_t>(1, static_cast<int64_t>(value));
}

void add_state(const JsonField& state, ComparisonCase c, std::vector<ComparisonCase>& cases) {
  const auto skipped = state.find("is_skipped");
  if (skipped && skipped->boolean()) {
    read_skip(state, c);
    cases.push_back(std::move(c));
    return;
  }
  const auto add = [&](const char* mode, const std::optional<JsonField>& seconds,
                       const std::optional<JsonField>& samples) {
    if (!seconds) return;
    ComparisonCase measured = c;
    measured.name += fmt::format("/{}", mode);
    if (!c.kind.empty()) measured.kind += fmt::format("/{}", mode);
    if (const double value = number_of(*seconds); value > 0)
      measured.launches.push_back({seconds->as_time(value), samples_of(samples)});
    else
      refuse_time(measured);
    cases.push_back(std::move(measured));
  };
  add("cold",
      summary_of(state, {"nv/cold/time/gpu/median", "nv/cold/time/gpu/mean",
                         "nv/cold/time/cpu/mean", "nv/cpu_only/time/cpu/mean"}),
      summary_of(state, {"nv/cold/sample_size", "nv/cpu_only/sample_size"}));
  add("hot", summary_of(state, {"als/batch/time/gpu/median", "nv/batch/time/gpu/mean"}),
      summary_of(state, {"nv/batch/sample_size"}));
}

// States of one name are one case, whose time is the median of theirs.
void pool(std::vector<ComparisonCase>& cases) {
  std::map<std::string, std::vector<ComparisonCase>> of_name;
  std::vector<std::string> order;
  for (ComparisonCase& c : cases) {
    if (!of_name.contains(c.name)) order.push_back(c.name);
    of_name[c.name].push_back(std::move(c));
  }
  cases.clear();
  for (const std::string& name : order) {
    const std::vector<ComparisonCase>& states = of_name[name];
    ComparisonCase& pooled = cases.emplace_back(states.front());
    std::vector<double> seconds;
    int64_t samples = 0;
    for (const ComparisonCase& state : states) {
      if (state.outcome != Outcome::ok) pooled = state;
      for (const Launch& launch : state.launches) {
        seconds.push_back(launch.seconds);
        samples += launch.samples;
      }
    }
    if (pooled.outcome == Outcome::ok && states.size() > 1)
      pooled.launches = {{median(std::move(seconds)), samples}};
  }
}

}  // namespace

ComparisonInput nvbench_input_of(const JsonField& json, const std::string& source) {
  ComparisonInput input;
  input.source = source;
  if (const auto devices = json.find("devices"))
    for (const JsonField& device : devices->elements())
      input.environment.emplace_back("nvbench device " + device.at("id").value().dump(),
                                     optional_text(device.find("name")).value_or("?"));
  for (const JsonField& benchmark : json.at("benchmarks").elements()) {
    const std::string name = benchmark.at("name").text();
    const auto devices = benchmark.find("devices");
    const bool several_devices = devices && devices->elements().size() > 1;
    for (const JsonField& state : benchmark.at("states").elements()) {
      ComparisonCase c;
      c.name = c.record = name_of(name, state, several_devices);
      if (const auto device = state.find("device")) c.device = device->value().dump();
      if (text_in(state, "als_role") == "ceiling") {
        c.role = CaseRole::control;
        c.kind = name;
      }
      add_state(state, std::move(c), input.cases);
    }
  }
  pool(input.cases);
  return input;
}

}  // namespace alsbench
