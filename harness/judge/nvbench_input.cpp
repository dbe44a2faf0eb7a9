// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>

#include "base/error.h"
#include "base/median.h"
#include "harness/judge/command_settings.h"
#include "harness/judge/foreign_input.h"

namespace alsbench {
namespace {

// nvbench writes numbers as texts.
double number_in(const JsonField& json, const std::string& benchmark) {
  if (!json.value().is_string()) return number_of(json, benchmark);
  const std::string text = json.text();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool read = error == std::errc() && end == text.data() + text.size();
  const Json number = read && std::isfinite(value) ? Json(value) : Json(text);
  return number_of(json.with(number), benchmark);
}

// The value, or another datum, of the first of these summaries that the state has.
std::optional<JsonField> summary_of(const JsonField& state, std::initializer_list<const char*> tags,
                                    const char* datum = "value") {
  for (const char* tag : tags)
    for (const JsonField& summary : state.at("summaries").elements()) {
      const auto data = summary.find("data");
      if (summary.at("tag").text() != tag || !data) continue;
      for (const JsonField& value : data->elements())
        if (value.at("name").text() == datum) return value.at("value");
    }
  return std::nullopt;
}

// A summary with a time, and the statistic that it is; "" is the median.
struct TimeSummary {
  const char* tag;
  const char* statistic;
};
constexpr const char* kMedianOfCpu = "median of CPU times";
constexpr const char* kMeanOfCpu = "mean of CPU times";
constexpr std::array<TimeSummary, 6> kColdTimes{{{"nv/cold/time/gpu/median", ""},
                                                 {"nv/cold/time/gpu/mean", kMean},
                                                 {"nv/cold/time/cpu/median", kMedianOfCpu},
                                                 {"nv/cold/time/cpu/mean", kMeanOfCpu},
                                                 {"nv/cpu_only/time/cpu/median", kMedianOfCpu},
                                                 {"nv/cpu_only/time/cpu/mean", kMeanOfCpu}}};
constexpr std::array<TimeSummary, 2> kHotTimes{
    {{"als/batch/time/gpu/median", ""}, {"nv/batch/time/gpu/mean", kMean}}};

constexpr const char* kSampleTimes = "nv/json/bin:nv/cold/sample_times";

// `--jsonbin` names a file in the folder "FILE.json-bin" beside its JSON. Only that folder is
// looked at, so files may have moved, and a name leads nowhere else.
std::filesystem::path samples_file(const std::string& name, const std::filesystem::path& folder) {
  const std::filesystem::path path(name);
  return folder / path.parent_path().filename() / path.filename();
}

// The median of the samples that `--jsonbin` wrote, in seconds: numbers of 4 bytes, the low byte
// first. Nothing where the state names no file, or the file was not kept.
std::optional<double> median_of_samples(const JsonField& state, const std::string& benchmark,
                                        const std::filesystem::path& folder) {
  const auto name = summary_of(state, {kSampleTimes}, "filename");
  const auto size = summary_of(state, {kSampleTimes}, "size");
  if (!name || !size || folder.empty()) return std::nullopt;
  const std::filesystem::path path = samples_file(name->text(), folder);
  std::error_code absent;
  const uintmax_t bytes = std::filesystem::file_size(path, absent);
  if (absent) return std::nullopt;
  const double count = number_in(*size, benchmark);
  if (static_cast<double>(bytes) != count * sizeof(float))
    name->fail(fmt::format("{} has {} bytes; {:g} samples take {:g}: copy the file again",
                           path.string(), bytes, count, count * sizeof(float)));
  std::vector<float> samples(bytes / sizeof(float));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(samples.data()), static_cast<std::streamsize>(bytes));
  if (!file) name->fail(fmt::format("{} cannot be read", path.string()));
  std::vector<double> seconds(samples.begin(), samples.end());
  if (std::ranges::any_of(seconds, [](double s) { return !(s > 0 && s < 1e9); }))
    name->fail(fmt::format("{} holds a sample that is no time above 0", path.string()));
  return seconds.empty() ? std::nullopt : std::optional(median(std::move(seconds)));
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
int64_t samples_of(const std::optional<JsonField>& count, const std::string& benchmark) {
  if (!count) return 1;
  const double value = number_in(*count, benchmark);
  if (!(value >= 0 && value < 1e15) || value != std::floor(value))
    count->fail(fmt::format("is {}; a number of samples is whole and not negative", value));
  return std::max<int64_t>(1, static_cast<int64_t>(value));
}

struct Time {
  double seconds = 0;
  std::string statistic = {};
  std::string refused = {};  // the place of a time that is not above 0
};

// The first of these summaries that the state has.
std::optional<Time> time_of(const JsonField& state, const std::string& benchmark,
                            std::span<const TimeSummary> summaries) {
  for (const TimeSummary& summary : summaries) {
    const auto field = summary_of(state, {summary.tag});
    if (!field) continue;
    const double value = number_in(*field, benchmark);
    if (value > 0) return Time{field->as_time(value), summary.statistic};
    return Time{0, summary.statistic, fmt::format("{} is {}", field->place(), value)};
  }
  return std::nullopt;
}

void add_state(const JsonField& state, const std::filesystem::path& folder, ComparisonCase c,
               std::vector<ComparisonCase>& cases) {
  const auto skipped = state.find("is_skipped");
  if (skipped && skipped->boolean()) {
    read_skip(state, c);
    cases.push_back(std::move(c));
    return;
  }
  const auto add = [&](const char* mode, const std::optional<Time>& time,
                       std::initializer_list<const char*> counts) {
    if (!time) return;
    ComparisonCase measured = c;
    measured.name += fmt::format("/{}", mode);
    if (!c.kind.empty()) measured.kind += fmt::format("/{}", mode);
    measured.quantity.statistic = time->statistic;
    if (time->seconds > 0)
      measured.launches.push_back({time->seconds, samples_of(summary_of(state, counts), c.name)});
    else
      refuse_time(measured, time->refused);
    cases.push_back(std::move(measured));
  };
  const auto samples = median_of_samples(state, c.name, folder);
  add("cold", samples ? Time{*samples} : time_of(state, c.name, kColdTimes),
      {"nv/cold/sample_size", "nv/cpu_only/sample_size"});
  add("hot", time_of(state, c.name, kHotTimes), {"nv/batch/sample_size"});
}

void add_device(const JsonField& device, ComparisonInput& input) {
  const std::string place = "nvbench device " + device.at("id").value().dump();
  input.environment.push_back({place, optional_text(device.find("name")).value_or("?")});
  for (const auto& [key, what] :
       {std::pair("ecc_state", "ECC"), std::pair("sm_default_clock_rate", "default clock"),
        std::pair("number_of_sms", "multiprocessors")})
    if (const auto value = device.find(key))
      input.environment.push_back(
          {fmt::format("{} {}", place, what), value->value().dump(), StoryKind::machine, false});
}

// "nvbench": "0.1.0", as its member `meta` has it.
void add_versions(const JsonField& json, ComparisonInput& input) {
  const auto meta = json.find("meta");
  const auto version = meta ? meta->find("version") : std::nullopt;
  const auto nvbench = version ? version->find("nvbench") : std::nullopt;
  if (!nvbench) return;
  if (const auto text = nvbench->find("string"))
    input.environment.push_back(
        {"version of nvbench", text->value().dump(), StoryKind::method, false});
}

// Flags of the command line that the file keeps, but those that say where its output goes.
void add_settings(const JsonField& json, ComparisonInput& input) {
  constexpr std::array<std::string_view, 6> kOutputs{"--json", "--jsonbin",  "--csv",
                                                     "--md",   "--markdown", "--quiet"};
  const auto meta = json.find("meta");
  const auto argv = meta ? meta->find("argv") : std::nullopt;
  if (!argv) return;
  for (Property& setting : settings_of(argv->texts())) {
    const std::string_view flag = std::string_view(setting.name).substr(kFlag.size());
    if (std::ranges::find(kOutputs, flag) == kOutputs.end())
      input.environment.push_back(std::move(setting));
  }
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
    std::vector<Launch> launches;
    for (const ComparisonCase& state : states) {
      if (state.outcome != Outcome::ok) pooled = state;
      launches.insert(launches.end(), state.launches.begin(), state.launches.end());
    }
    if (pooled.outcome == Outcome::ok && states.size() > 1) pooled.launches = {joined(launches)};
  }
}

}  // namespace

ComparisonInput nvbench_input_of(const JsonField& json, const std::string& source,
                                 const std::filesystem::path& folder) {
  ComparisonInput input;
  input.source = source;
  if (const auto devices = json.find("devices"))
    for (const JsonField& device : devices->elements()) add_device(device, input);
  add_versions(json, input);
  add_settings(json, input);
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
      add_state(state, folder, std::move(c), input.cases);
    }
  }
  pool(input.cases);
  return input;
}

}  // namespace alsbench
