// SPDX-License-Identifier: Apache-2.0
// `alsbench list`: what there is to run, and on what: variants, suites, data sets, devices.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "harness/cli/commands.h"
#include "harness/cli/inspect/default_shape.h"
#include "harness/cli/output.h"
#include "harness/cli/text_table.h"
#include "harness/cli/validators.h"
#include "harness/device/device.h"
#include "harness/device/device_selection.h"
#include "harness/files/embedded.h"
#include "harness/files/name_pattern.h"
#include "harness/process/exit_code.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::string> kTopics{"variants", "suites", "datasets", "devices"};

struct ListOptions {
  std::string topic;   // of kTopics; empty: all
  std::string filter;  // a regular expression that names match; empty: all
  std::string device;  // empty: each variant on the first device of its backend
  int32_t rank = 100;
  OutputOptions output;
};

// A device that points are judged on, or the reason why there is none.
struct Target {
  std::optional<DeviceTraits> traits;
  std::string reason;
};

Target target_of(Backend backend, const std::string& device) {
  if (!device.empty()) return {local_device_traits(one_device(device)), ""};
  if (backend == Backend::cpu) return {local_device_traits("cpu"), ""};
  Target target;
  if (cuda_device_count(&target.reason) > 0) target.traits = cuda_device_traits(0);
  return target;
}

Json to_json(const Parameter& parameter) {
  Json values = Json::array();
  for (const auto& value : parameter.values) values.push_back(value.text);
  return {{"name", parameter.name},
          {"values", values},
          {"default", parameter.values.front().text},
          {"description", parameter.description},
          {"diagnostic", parameter.diagnostic()},
          {"open", parameter.open}};
}

Json to_json(const Variant& variant, const Target& target, int32_t rank) {
  const Shape shape = netflix_shape(rank);
  int64_t valid = 0;
  std::optional<std::string> first_objection;
  if (!target.traits) first_objection = target.reason;
  if (target.traits)
    variant.space.for_each([&](const Config& config) {
      const auto objection = objection_of(variant, config, shape, *target.traits);
      if (!objection) ++valid;
      if (objection && !first_objection) first_objection = objection;
    });
  const bool deterministic = variant.nondeterminism.empty();
  Json parameters = Json::array();
  for (const auto& parameter : variant.space.parameters()) parameters.push_back(to_json(parameter));
  return {{"id", variant.id()},
          {"stage", name_of(variant.stage)},
          {"name", variant.name},
          {"backend", name_of(variant.backend)},
          {"summary", variant.summary},
          {"parameters", parameters},
          {"points", variant.space.size()},
          {"valid_points", valid},
          {"objection", first_objection ? Json(*first_objection) : Json()},
          {"nondeterminism", deterministic ? Json() : Json(variant.nondeterminism)}};
}

Json variants_json(const ListOptions& options) {
  const Target cpu = target_of(Backend::cpu, options.device);
  const Target cuda = target_of(Backend::cuda, options.device);
  Json list = Json::array();
  for (const auto& variant : catalog())
    if (!variant.hidden)
      list.push_back(to_json(variant, variant.backend == Backend::cpu ? cpu : cuda, options.rank));
  return list;
}

// Suites and data sets: the files of configs/<folder>, with what they say of themselves.
Json configs_json(const std::string& folder) {
  Json list = Json::array();
  for (const auto& file : embedded_configs()) {
    const std::filesystem::path path(file.path);
    if (path.parent_path() != std::filesystem::path("configs") / folder) continue;
    const Json content = Json::parse(file.content);
    list.push_back({{"name", path.stem().string()},
                    {"path", file.path},
                    {"description", content.value("description", "")}});
  }
  return list;
}

Json to_json(const std::string& name, const DeviceTraits& traits) {
  Json device{{"device", name},
              {"backend", name_of(traits.backend)},
              {"name", traits.name},
              {"memory_bytes", traits.memory_bytes},
              {"cache_bytes", traits.l2_bytes}};
  if (traits.backend == Backend::cpu) {
    device["threads"] = traits.multiprocessors;
    return device;
  }
  device["architecture"] = fmt::format("sm_{}", traits.architecture);
  device["multiprocessors"] = traits.multiprocessors;
  device["shared_bytes_per_block"] = traits.shared_bytes_per_block;
  return device;
}

Json devices_json() {
  Json list = Json::array({to_json("cpu", local_device_traits("cpu"))});
  const int count = cuda_device_count();
  for (int ordinal = 0; ordinal < count; ++ordinal)
    list.push_back(to_json(std::to_string(ordinal), cuda_device_traits(ordinal)));
  return list;
}

std::string space_text(const Json& parameters) {
  std::string text;
  for (const auto& parameter : parameters) {
    std::vector<std::string> values = parameter["values"];
    if (parameter["open"]) values.emplace_back("...");
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", std::string(parameter["name"]),
                        fmt::join(values, "|"));
  }
  return text;
}

void print_variants(const Json& list) {
  for (const auto& variant : list) {
    std::string text =
        fmt::format("{}: {}\n", std::string(variant["id"]), std::string(variant["summary"]));
    if (!variant["parameters"].empty())
      text += fmt::format("    {}\n", space_text(variant["parameters"]));
    const int64_t valid = variant["valid_points"], points = variant["points"];
    text += fmt::format("    {} of {} points can run here", valid, points);
    if (!variant["objection"].is_null())
      text += fmt::format("; {}{}", valid > 0 ? "first objection: " : "",
                          std::string(variant["objection"]));
    text += '\n';
    if (!variant["nondeterminism"].is_null())
      text += fmt::format("    results may differ from run to run: {}\n",
                          std::string(variant["nondeterminism"]));
    fmt::print("{}", fitting(text));
  }
  fmt::print(
      "{}",
      fitting("\nThe first value of a parameter is its default; \"...\" stands for any number.\n"));
}

void print_configs(const Json& list) {
  for (const auto& entry : list)
    fmt::print("{}", fitting(fmt::format("{}: {}\n", std::string(entry["name"]),
                                         std::string(entry["description"]))));
}

std::string name_of_entry(const Json& entry) { return entry[entry.contains("id") ? "id" : "name"]; }

// A line a name: what `list` without a topic shows of the long ones.
void print_names(const Json& list) {
  for (const auto& entry : list) {
    const std::string text = entry.value("summary", entry.value("description", ""));
    fmt::print("{}", fitting(fmt::format("  {}: {}\n", name_of_entry(entry),
                                         text.substr(0, text.find(". ")))));
  }
}

void print_devices(const Json& list) {
  constexpr double kBytesOfGiB = 1 << 30, kMiB = 1 << 20;
  for (const auto& device : list) {
    const bool cpu = device["backend"] == "cpu";
    const std::string units =
        cpu ? fmt::format("{} threads", int(device["threads"]))
            : fmt::format("{}, {} multiprocessors", std::string(device["architecture"]),
                          int(device["multiprocessors"]));
    fmt::print("{}",
               fitting(fmt::format(
                   "{}: {}, {}, {:.1f} GiB memory, {:.1f} MiB {}\n", std::string(device["device"]),
                   std::string(device["name"]), units, double(device["memory_bytes"]) / kBytesOfGiB,
                   double(device["cache_bytes"]) / kMiB, cpu ? "last-level cache" : "L2")));
  }
  std::string reason;
  if (cuda_device_count(&reason) == 0)
    fmt::print("{}", fitting(fmt::format("(CUDA: {})\n", reason)));
}

void print(const std::string& topic, const Json& list) {
  if (topic == "variants") return print_variants(list);
  if (topic == "devices") return print_devices(list);
  print_configs(list);
}

// Those entries whose name matches.
Json matching(const Json& list, const NamePattern& pattern) {
  Json kept = Json::array();
  for (const auto& entry : list)
    if (pattern.found_in(name_of_entry(entry))) kept.push_back(entry);
  return kept;
}

int list(const ListOptions& options) {
  const NamePattern pattern("--filter", options.filter);
  FilePlan plan;
  writes_output(plan, options.output);
  plan.check();
  Json sections = Json::object();
  for (const auto& topic : kTopics) {
    if (!options.topic.empty() && topic != options.topic) continue;
    const Json all = topic == "variants"  ? variants_json(options)
                     : topic == "devices" ? devices_json()
                                          : configs_json(topic);
    sections[topic] = matching(all, pattern);
  }
  Json document{
      {"$schema", "../schema/list.schema.json"}, {"schema_version", "1.1.0"}, {"kind", "list"}};
  document.update(sections);
  if (!options.output.json.empty()) write_json(options.output.json, document);
  if (options.output.json_on_stdout()) return kExitOk;
  for (const auto& [topic, entries] : sections.items()) {
    if (options.topic.empty()) fmt::print("{}{}:\n", topic == "variants" ? "" : "\n", topic);
    if (options.topic.empty() && topic != "devices")
      print_names(entries);
    else
      print(topic, entries);
  }
  if (options.topic.empty()) fmt::print("\n`alsbench list TOPIC` says all of one of them.\n");
  return kExitOk;
}

}  // namespace

void add_list_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command = app.add_subcommand("list", "Variants, suites, data sets and devices");
  command->add_option("topic", options->topic, "variants, suites, datasets or devices")
      ->check(CLI::IsMember(kTopics));
  command->add_option("--filter", options->filter, "Only those whose name matches this regex");
  command->add_option("--device,--devices,-d", options->device,
                      "Judge the points on this device: auto, cpu, 0, ...");
  command->add_option("--rank", options->rank, "Rank that points are judged at")
      ->check(above_zero())
      ->capture_default_str();
  add_output_options(*command, options->output);
  command->callback([&result, options] {
    // `list --json variants`: the word after --json is a topic, not a file
    auto& json = options->output.json;
    if (options->topic.empty() && std::count(kTopics.begin(), kTopics.end(), json) > 0)
      options->topic = std::exchange(json, "stdout");
    result.action = [options] { return list(*options); };
  });
}

}  // namespace alsbench
