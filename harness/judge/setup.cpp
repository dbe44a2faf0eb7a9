// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/setup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "base/median.h"
#include "harness/judge/command_settings.h"
#include "harness/judge/comparison_input.h"
#include "harness/judge/verdict.h"

namespace alsbench {
namespace {

constexpr std::string_view kDevice = "device ";  // begins the names of what is of one
constexpr double kMinCountFactor = 2;  // of counts of samples or launches, which vary by chance
constexpr double kMinClockChange = 0.02;

void add_device(const DeviceRecord& device, std::vector<Property>& list) {
  const std::string place = std::string(kDevice) + device.id;
  list.push_back({place, fmt::format("{}, {} multiprocessors", device.traits.name,
                                     device.traits.multiprocessors)});
  if (device.nvml) {
    const NvmlRecord& nvml = *device.nvml;
    list.push_back({place + " driver", text_or_null(nvml.driver_version).dump()});
    const auto told = [&](const char* name, const std::string& value) {
      list.push_back({place + name, value, StoryKind::machine, false});
    };
    if (nvml.ecc_enabled) told(" ECC", *nvml.ecc_enabled ? "on" : "off");
    if (nvml.mig_enabled) told(" MIG", *nvml.mig_enabled ? "on" : "off");
    if (nvml.power_limit_watts) told(" power limit", fmt::format("{} W", *nvml.power_limit_watts));
  }
  if (!device.versions) return;
  for (const auto& [library, version] : entries_of(*device.versions)) {
    const bool driver = library == "driver";
    list.push_back({fmt::format("{} {}", place, driver ? "CUDA driver" : library),
                    Json(version).dump(), driver ? StoryKind::machine : StoryKind::method});
  }
}

bool is_of_device(const SetupDifference& one) { return one.name.starts_with(kDevice); }

// "driver" of "device 0 driver", "" of "device 0".
std::string property_of(const SetupDifference& one) {
  const size_t blank = one.name.find(' ', kDevice.size());
  return blank == std::string::npos ? "" : one.name.substr(blank + 1);
}

// The cache modes that cases were measured in: "cold", "cold and hot".
std::string cache_modes(const ResultDocument& document) {
  std::set<std::string_view> modes;
  for (const CaseRecord& record : document.cases)
    for (const CacheMode mode : kCacheModes)
      if (record.role == Role::measured && record.of(mode)) modes.insert(name_of(mode));
  return fmt::format("{}", fmt::join(modes, " and "));
}

// Adds what may differ, and is told where it does.
void add_method(const ResultDocument& document, std::vector<Property>& list) {
  const auto told = [&](const std::string& name, const std::string& value,
                        StoryKind story = StoryKind::method) {
    if (!value.empty()) list.push_back({name, value, story, false});
  };
  const BuildProvenance& build = document.provenance.build;
  told("version of alsbench", build.version);
  told("build type", build.build_type);
  told("compiler", build.compiler);
  told("compiler flags", build.flags);
  told("cache modes", cache_modes(document));
  const StopRule& rule = document.suite.sampling;
  told("sampling", fmt::format("{} to {} samples, noise {}, {} s", rule.min_samples,
                               rule.max_samples, rule.max_noise, rule.max_seconds));
  for (const char* option : {"profile", "counters", "scale"})
    if (document.selection.is_object() && document.selection.contains(option) &&
        !document.selection[option].is_null())
      told(option, document.selection[option].dump());
  const HostProvenance& host = document.provenance.host;
  told("CPU", host.cpu, StoryKind::machine);
  for (const auto& [name, value] : host.environment)
    told(fmt::format("{}{}", kVariable, name), value);
}

// The cases that both sides have, and what differs between those that both measured.
class CommonCases {
 public:
  CommonCases(const ComparisonInput& base, const ComparisonInput& test) {
    std::unordered_map<std::string, const ComparisonCase*> tests;
    for (const ComparisonCase& c : test.cases) tests[c.name] = &c;
    for (const ComparisonCase& c : base.cases)
      if (const auto other = tests.find(c.name); other != tests.end()) {
        any_ = true;
        if (!c.launches.empty() && !other->second->launches.empty())
          pairs_.emplace_back(&c, other->second);
      }
  }

  bool any() const { return any_; }

  std::vector<SetupDifference> differences() const {
    std::vector<SetupDifference> list;
    std::vector<Counts> launches, samples;
    for (const auto& [one, other] : pairs_) {
      if (one->role == CaseRole::control) continue;
      launches.push_back({static_cast<double>(one->launches.size()),
                          static_cast<double>(other->launches.size()), 1});
      samples.push_back(samples_of(*one, *other));
    }
    add_counts("launches", launches, true, list);
    add_counts("samples a launch", samples, false, list);
    clocks(list);
    return list;
  }

 private:
  struct Counts {
    double base, test;
    double pace;  // how much fewer of the test side its speed explains
  };

  // Samples that ended with the time for them are as many as the speed allows.
  static Counts samples_of(const ComparisonCase& base, const ComparisonCase& test) {
    std::vector<double> counts[2], seconds[2];
    bool timed_out = true;
    for (const ComparisonCase* side : {&base, &test})
      for (const Launch& launch : side->launches) {
        counts[side == &test].push_back(static_cast<double>(launch.samples));
        seconds[side == &test].push_back(launch.seconds);
        timed_out = timed_out && launch.timed_out;
      }
    return {median(counts[0]), median(counts[1]),
            timed_out ? median(seconds[1]) / median(seconds[0]) : 1};
  }

  static void add_counts(const char* name, const std::vector<Counts>& cases, bool weak,
                         std::vector<SetupDifference>& list) {
    std::vector<double> base, test, factors;
    for (const Counts& one : cases) {
      base.push_back(one.base);
      test.push_back(one.test);
      const double raw = one.test / one.base;
      factors.push_back(std::min(std::abs(std::log(raw)), std::abs(std::log(raw * one.pace))));
    }
    if (cases.empty() || median(factors) < std::log(kMinCountFactor)) return;
    list.push_back({StoryKind::method, name, fmt::format("{:g}", median(base)),
                    fmt::format("{:g}", median(test)), false, weak});
  }

  // Of controls, and of cases with the same machine code.
  void clocks(std::vector<SetupDifference>& list) const {
    std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> of_device;
    for (const auto& [one, other] : pairs_) {
      if (one->role != CaseRole::control &&
          same_code(one->kernels, other->kernels) != SameCode::same)
        continue;
      const double before = median_clock(*one), after = median_clock(*other);
      if (before <= 0 || after <= 0) continue;
      auto& [base, test] = of_device[one->device];
      base.push_back(before);
      test.push_back(after);
    }
    for (const auto& [device, sides] : of_device) {
      const double before = median(sides.first), after = median(sides.second);
      if (std::abs(after / before - 1) >= kMinClockChange)
        list.push_back({StoryKind::machine, fmt::format("device {} clock", device),
                        fmt::format("{:.0f} MHz", before / 1e6),
                        fmt::format("{:.0f} MHz", after / 1e6)});
    }
  }

  bool any_ = false;
  std::vector<std::pair<const ComparisonCase*, const ComparisonCase*>> pairs_;
};

}  // namespace

std::vector<Property> environment_of(const ResultDocument& document) {
  std::vector<Property> found{
      {"suite", fmt::format("{} {}", document.suite.name, document.suite.hash), StoryKind::method}};
  for (const DeviceRecord& device : document.devices) add_device(device, found);
  for (const MeasuredShard& measured : document.shards)
    for (const DeviceRecord& device : measured.devices) add_device(device, found);
  add_method(document, found);
  for (const CaseRecord& record : document.cases)
    if (record.problem.data)
      found.push_back({fmt::format("data {}", record.problem.name),
                       record.problem.data->content_hash, StoryKind::method});
  std::map<std::string, std::set<std::string>> values;
  for (const Property& one : found) values[one.name].insert(one.value);
  std::vector<Property> environment;
  for (Property& one : found) {
    if (find_property(environment, one.name) != nullptr) continue;
    one.value = fmt::format("{}", fmt::join(values[one.name], " and "));
    environment.push_back(std::move(one));
  }
  return environment;
}

const Property* find_property(const std::vector<Property>& properties, const std::string& name) {
  const auto found =
      std::ranges::find_if(properties, [&](const Property& one) { return one.name == name; });
  return found == properties.end() ? nullptr : &*found;
}

std::vector<SetupDifference> setup_differences(const ComparisonInput& base,
                                               const ComparisonInput& test) {
  std::vector<SetupDifference> list;
  const auto add = [&](const Property& one, const std::string& before, const std::string& after) {
    list.push_back({one.story, one.name, before, after, one.binding});
  };
  // A device, variable or flag that one side lacks; whatever else it lacks was not looked at there.
  const auto lacking = [&](const Property& one) {
    return base.format == test.format &&
           (one.name.starts_with(kVariable) || one.name.starts_with(kFlag) ||
            one.name == kNumbers || (one.binding && one.name.starts_with(kDevice)));
  };
  for (const Property& one : base.environment) {
    const Property* other = find_property(test.environment, one.name);
    if (other != nullptr ? other->value != one.value : lacking(one))
      add(one, one.value, other != nullptr ? other->value : "nothing");
  }
  for (const Property& one : test.environment)
    if (find_property(base.environment, one.name) == nullptr && lacking(one))
      add(one, "nothing", one.value);
  // Another tool names its cases in another way: none of them vanished.
  const CommonCases common(base, test);
  if (base.format != test.format && !common.any())
    list.push_back({StoryKind::method, "file format", base.format, test.format, true});
  for (SetupDifference& one : common.differences()) list.push_back(std::move(one));
  std::stable_partition(list.begin(), list.end(),
                        [](const SetupDifference& one) { return one.story == StoryKind::machine; });
  return list;
}

std::vector<SetupDifference> join_devices(const std::vector<SetupDifference>& list) {
  std::vector<SetupDifference> joined;
  std::vector<int64_t> devices;
  for (const SetupDifference& one : list) {
    const auto known = std::ranges::find_if(joined, [&](const SetupDifference& other) {
      return is_of_device(one) && is_of_device(other) && property_of(other) == property_of(one) &&
             other.story == one.story && other.base == one.base && other.test == one.test;
    });
    if (known == joined.end()) {
      joined.push_back(one);
      devices.push_back(1);
    } else {
      ++devices[static_cast<size_t>(known - joined.begin())];
    }
  }
  for (size_t i = 0; i < joined.size(); ++i) {
    if (devices[i] == 1) continue;
    const std::string what = property_of(joined[i]);
    joined[i].name = fmt::format("{}{}{} devices", what, what.empty() ? "" : " of ", devices[i]);
  }
  return joined;
}

std::string difference_text(const SetupDifference& difference) {
  return fmt::format("{}: {} -> {}", difference.name, difference.base, difference.test);
}

std::string difference_text(const SetupDifference& difference, const std::string& base,
                            const std::string& test) {
  return fmt::format("{}: {} in {}, {} in {}", difference.name, difference.base, base,
                     difference.test, test);
}

}  // namespace alsbench
