// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/suite/expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/suggestion.h"
#include "harness/device/device_selection.h"
#include "harness/files/hash.h"
#include "harness/files/name_pattern.h"

namespace alsbench {
namespace {

// Cases measured interleaved: few enough to fit a device together.
constexpr int kGroupCases = 32;

using Values = std::vector<std::pair<std::string, std::string>>;

// Every combination of the axes' values, the last axis fastest.
std::vector<Values> combinations(const std::vector<Axis>& axes) {
  std::vector<Values> all{{}};
  for (const Axis& axis : axes) {
    check_combination_count(all.size(), axis.name, axis.values.size());
    std::vector<Values> extended;
    for (const Values& values : all)
      for (const std::string& value : axis.values) {
        extended.push_back(values);
        extended.back().emplace_back(axis.name, value);
      }
    all = std::move(extended);
  }
  return all;
}

std::vector<Axis> merged(std::vector<Axis> axes, const std::vector<Axis>& overrides,
                         bool only_known) {
  for (const Axis& replacement : overrides) {
    const auto known =
        std::ranges::find_if(axes, [&](const Axis& axis) { return axis.name == replacement.name; });
    if (known != axes.end())
      *known = replacement;
    else if (!only_known)
      axes.push_back(replacement);
  }
  return axes;
}

std::vector<std::string> devices_of(Backend backend, const Selection& selection) {
  std::vector<std::string> devices;
  for (const std::string& device : selection.devices)
    if (is_of_cpu(device) == (backend == Backend::cpu)) devices.push_back(device);
  return devices;
}

std::string qualified_name(const Variant& variant) {
  return fmt::format("{}/{}", name_of(variant.stage), variant.name);
}

class Expansion {
 public:
  Expansion(const Suite& suite, const Selection& selection)
      : suite_(suite), selection_(selection) {}

  std::vector<Case> cases() {
    check_names();
    for (ProblemSpec problem : suite_.problems) {
      if (selection_.scale && !problem.data.dataset.empty()) problem.data.scale = *selection_.scale;
      if (selection_.seed) problem.data.seed = *selection_.seed;
      for (const MeasureSpec& spec : suite_.measure) add_measure(problem, spec);
      for (const TrainSpec& spec : suite_.train) add_train(problem, spec);
      for (const PeerSpec& spec : suite_.peers) add_peer(problem, spec);
    }
    return std::move(cases_);
  }

 private:
  bool selects(const Variant& variant) const {
    if (selection_.variants.empty()) return true;
    const std::string qualified = qualified_name(variant);
    return std::ranges::any_of(selection_.variants, [&](const std::string& name) {
      return name == variant.name || name == qualified;
    });
  }

  // A typo on the command line must not silently select nothing.
  void check_names() const {
    std::set<std::string> names;
    std::vector<const Variant*> variants;
    for (const MeasureSpec& spec : suite_.measure)
      for (const Variant* variant : spec.variants) {
        names.insert(variant->name);
        names.insert(qualified_name(*variant));
        variants.push_back(variant);
      }
    for (const std::string& word : selection_.variants)
      if (!names.contains(word)) fail(unknown_name("variant", word, {names.begin(), names.end()}));
    for (const Axis& axis : selection_.axes) {
      if (trains_over(axis.name)) continue;
      for (const std::string& value : axis.values)
        if (const auto problem = axis_problem(variants, axis.name, value)) fail(*problem);
    }
  }

  bool trains_over(const std::string& axis) const {
    return std::ranges::any_of(suite_.train, [&](const TrainSpec& spec) {
      return std::ranges::any_of(spec.axes, [&](const Axis& own) { return own.name == axis; });
    });
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw UsageError(fmt::format("suite {}: {}", suite_.name, problem));
  }

  void add(Case c) {
    const std::string name = c.name();
    if (!names_.insert(name).second) return;  // two measurements of a suite may overlap
    cases_.push_back(std::move(c));
  }

  void place(Case& c, const std::string& device) const {
    c.device = device;
    const bool several = devices_of(Backend::cuda, selection_).size() > 1;
    const bool team = team_members(device).size() > 1;
    if (team || (several && c.backend == Backend::cuda)) c.device_label = device;
  }

  void add_measure(const ProblemSpec& problem, const MeasureSpec& spec) {
    for (const Variant* variant : spec.variants) {
      if (!selects(*variant) || !problem.wants(variant->backend)) continue;
      std::vector<std::vector<Case>> places;  // a side and device each, with equally many cases
      for (const std::string& part : spec.parts)
        for (const std::string& device : devices_of(variant->backend, selection_)) {
          if (team_members(device).size() > 1) continue;  // a team trains alone
          Case c;
          c.backend = variant->backend;
          c.problem = problem;
          c.variant = variant;
          c.part = part;
          c.modes = spec.modes;
          place(c, device);
          places.push_back(configurations(std::move(c), spec));
        }
      for (size_t i = 0; !places.empty() && i < places.front().size(); ++i)
        for (std::vector<Case>& cases : places) add(std::move(cases[i]));
    }
  }

  std::vector<Case> configurations(Case c, const MeasureSpec& spec) const {
    std::string base = spec.config;
    if (spec.tuned()) {
      const TunedChoice choice = selection_.choose({c.problem, c.part, c.device, c.variant});
      base = choice.steps.front().config.text();
      c.tuned = {choice.origin};
      c.tuned.front().part = c.part;
    }
    std::vector<Case> cases;
    for (const Config& config :
         expand_axes(*c.variant, base, merged(spec.axes, selection_.axes, false))) {
      c.config = config;
      cases.push_back(c);
    }
    return cases;
  }

  // A pipeline that a suite names, or that it leaves to the tuning database or the rules of
  // defaults, which then say so.
  Pipeline pipeline_of(const Algorithm& algorithm, const std::string& part, const std::string& text,
                       Case& c) const {
    if (!is_choice(text)) return algorithm.parse(part, text, c.backend);
    const TunedChoice choice =
        selection_.choose({c.problem, part, c.device, nullptr, &algorithm,
                           minimised_text(algorithm, c.train->recipe.hyper), text});
    c.tuned.push_back(choice.origin);
    c.tuned.back().part = part;
    return Pipeline{choice.steps};
  }

  void add_train(const ProblemSpec& problem, const TrainSpec& spec) {
    if (!selection_.variants.empty()) return;
    for (const Values& values : combinations(merged(spec.axes, selection_.axes, true)))
      for (const auto& [backend, pipelines] : spec.pipelines)
        for (const std::string& device : devices_of(backend, selection_)) {
          if (!problem.wants(backend)) continue;
          Case c;
          c.backend = backend;
          c.problem = problem;
          place(c, device);
          c.train =
              TrainCase{fill_placeholders(spec.name, values), {}, spec.iterations, spec.target};
          c.train->recipe = {spec.algorithm, spec.hyper, {}};
          for (const std::string& part : spec.algorithm->parts)
            c.train->recipe.pipelines[part] = pipeline_of(
                *spec.algorithm, part, fill_placeholders(pipelines.at(part), values), c);
          add(std::move(c));
        }
  }

  void add_peer(const ProblemSpec& problem, const PeerSpec& spec) {
    const Backend backend = spec.peer->backend;
    if (!selection_.variants.empty() || !problem.wants(backend)) return;
    for (const std::string& device : devices_of(backend, selection_)) {
      if (team_members(device).size() > 1) continue;  // what is judged, one device judges
      Case c;
      c.backend = backend;
      c.problem = problem;
      place(c, device);
      c.peer = spec;
      add(std::move(c));
    }
  }

  const Suite& suite_;
  const Selection& selection_;
  std::vector<Case> cases_;
  std::set<std::string> names_;
};

// Keeps what the filter selects: cases by their name, or single cache modes of them.
void apply_filter(std::vector<Case>& cases, const std::string& filter) {
  if (filter.empty()) return;
  const NamePattern pattern("--filter", filter);
  const auto selected = [&](const std::string& name) { return pattern.found_in(name); };
  for (Case& c : cases)
    if (!selected(c.name()))
      std::erase_if(c.modes, [&](CacheMode mode) { return !selected(c.measurement_name(mode)); });
  std::erase_if(cases, [&](const Case& c) { return c.modes.empty() && !selected(c.name()); });
}

}  // namespace

std::vector<Case> expand(const Suite& suite, const Selection& selection) {
  std::vector<Case> cases = Expansion(suite, selection).cases();
  apply_filter(cases, selection.filter);
  std::map<std::string, int> sizes;  // of groups, before they have sections
  for (size_t i = 0; i < cases.size(); ++i) {
    cases[i].number = static_cast<int64_t>(i);
    cases[i].section = sizes[cases[i].group()]++ / kGroupCases;
  }
  return cases;
}

std::vector<Case> ceilings_for(const Suite& suite, const Case& member) {
  std::vector<Case> ceilings;
  if (member.trains()) return ceilings;
  for (const MeasureSpec& spec : suite.ceilings)
    for (const Variant* variant : spec.variants) {
      if (variant->backend != member.backend) continue;
      for (const Config& config : expand_axes(*variant, spec.config, spec.axes)) {
        Case ceiling = member;
        ceiling.variant = variant;
        ceiling.config = config;
        ceiling.modes = spec.modes;
        const std::string group = member.group();
        ceiling.measured_with = group.substr(group.rfind('/') + 1);
        ceiling.number = std::nullopt;
        ceilings.push_back(std::move(ceiling));
      }
    }
  return ceilings;
}

ShardCases cases_of_shard(std::vector<Case> cases, int shard, int shards) {
  ShardCases shard_cases;
  Fnv1a128 names;
  std::map<std::string, int64_t> places;  // of groups
  for (const Case& c : cases) {
    names.add_field(c.name());
    places.try_emplace(c.group(), static_cast<int64_t>(places.size()));
  }
  shard_cases.all_cases = static_cast<int64_t>(cases.size());
  shard_cases.all_groups = static_cast<int64_t>(places.size());
  shard_cases.all_names = names.hex();
  // Neighbours share inputs, so a shard is a run of neighbours.
  const int64_t begin = shard_cases.all_groups * shard / shards;
  const int64_t end = shard_cases.all_groups * (shard + 1) / shards;
  for (Case& c : cases)
    if (const int64_t place = places.at(c.group()); begin <= place && place < end)
      shard_cases.cases.push_back(std::move(c));
  return shard_cases;
}

}  // namespace alsbench
