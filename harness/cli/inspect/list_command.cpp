// SPDX-License-Identifier: Apache-2.0
// `alsbench list`: what there is to run, and on what: variants, suites, data sets, devices.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>

#include "harness/cli/commands.h"
#include "harness/cli/inspect/default_shape.h"
#include "harness/cli/inspect/list_document.h"
#include "harness/cli/kernels_option.h"
#include "harness/cli/output.h"
#include "harness/cli/text_table.h"
#include "harness/cli/validators.h"
#include "harness/device/device.h"
#include "harness/device/device_selection.h"
#include "harness/files/embedded.h"
#include "harness/files/name_pattern.h"
#include "harness/process/exit_code.h"
#include "harness/record/document.h"
#include "harness/sweep/suite/suite.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

const std::vector<std::string> kTopics{"variants", "suites", "datasets", "devices"};

struct ListOptions {
  std::string topic;   // of kTopics; empty: all
  std::string filter;  // a regular expression that names match; empty: all
  std::string device;  // empty: each variant on the first device of its backend
  int32_t rank = 100;
  OutputOptions output;

  // Names need no device, and a driver of CUDA takes a quarter of a second to start.
  bool names_only() const { return topic.empty() && output.json.empty(); }
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

std::vector<ListedParameter> parameters_of(const Variant& variant) {
  std::vector<ListedParameter> list;
  for (const auto& parameter : variant.space.parameters()) {
    ListedParameter& listed = list.emplace_back();
    listed.name = parameter.name;
    for (const auto& value : parameter.values) listed.values.push_back(value.text);
    listed.description = parameter.description;
    listed.diagnostic = parameter.diagnostic();
    listed.open = parameter.open;
  }
  return list;
}

ListedVariant listed(const Variant& variant, const Target& target, int32_t rank) {
  const Shape shape = default_shape(variant.stage, rank);
  int64_t valid = 0;
  std::string first_objection;
  if (!target.traits) first_objection = target.reason;
  if (target.traits)
    variant.space.for_each([&](const Config& config) {
      const auto objection = objection_of(variant, config, shape, *target.traits);
      if (!objection) ++valid;
      if (objection && first_objection.empty()) first_objection = *objection;
    });
  return {variant.id(),         std::string(name_of(variant.stage)),
          variant.name,         variant.backend,
          variant.summary,      parameters_of(variant),
          variant.space.size(), valid,
          first_objection,      variant.nondeterminism};
}

std::vector<ListedVariant> listed_variants(const ListOptions& options) {
  const Target cpu = options.names_only() ? Target{} : target_of(Backend::cpu, options.device);
  const Target cuda = options.names_only() ? Target{} : target_of(Backend::cuda, options.device);
  std::vector<ListedVariant> list;
  for (const auto& variant : catalog())
    if (!variant.hidden)
      list.push_back(listed(variant, variant.backend == Backend::cpu ? cpu : cuda, options.rank));
  return list;
}

// Suites and data sets: the files of configs/<folder>, with what they say of themselves.
std::vector<ListedConfig> listed_configs(const std::string& folder) {
  std::vector<ListedConfig> list;
  for (const auto& file : embedded_configs()) {
    const std::filesystem::path path(file.path);
    if (path.parent_path() != std::filesystem::path("configs") / folder) continue;
    list.push_back({path.stem().string(), std::string(file.path),
                    text_at(Json::parse(file.content), "description")});
  }
  if (folder != "suites") return list;
  for (const std::string& name : suite_names())
    if (std::none_of(list.begin(), list.end(),
                     [&](const ListedConfig& known) { return known.name == name; }))
      list.push_back({name, "", text_at(Json::parse(suite_text(name)), "description")});
  return list;
}

ListedDevice listed(const std::string& id, const DeviceTraits& traits) {
  ListedDevice device{id, traits.backend, traits.name, traits.memory_bytes, traits.l2_bytes};
  if (traits.backend == Backend::cpu) {
    device.threads = traits.multiprocessors;
    return device;
  }
  device.architecture = fmt::format("sm_{}", traits.architecture);
  device.multiprocessors = traits.multiprocessors;
  device.shared_bytes_per_block = traits.shared_bytes_per_block;
  return device;
}

std::vector<ListedDevice> listed_devices(const ListOptions& options) {
  std::vector<ListedDevice> list{listed("cpu", local_device_traits("cpu"))};
  if (options.names_only()) return list;
  const int count = cuda_device_count();
  for (int ordinal = 0; ordinal < count; ++ordinal)
    list.push_back(listed(std::to_string(ordinal), cuda_device_traits(ordinal)));
  return list;
}

std::string space_text(const std::vector<ListedParameter>& parameters) {
  std::string text;
  for (const ListedParameter& parameter : parameters) {
    std::vector<std::string> values = parameter.values;
    if (parameter.open) values.emplace_back("...");
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", parameter.name, fmt::join(values, "|"));
  }
  return text;
}

void print(const std::vector<ListedVariant>& list) {
  for (const ListedVariant& variant : list) {
    std::string text = fmt::format("{}: {}\n", variant.id, variant.summary);
    if (!variant.parameters.empty())
      text += fmt::format("    {}\n", space_text(variant.parameters));
    text += fmt::format("    {} of {} points can run here", variant.valid_points, variant.points);
    if (!variant.objection.empty())
      text += fmt::format("; {}{}", variant.valid_points > 0 ? "first objection: " : "",
                          variant.objection);
    text += '\n';
    if (!variant.nondeterminism.empty())
      text += fmt::format("    results may differ from run to run: {}\n", variant.nondeterminism);
    fmt::print("{}", wrapped_to_terminal(text));
  }
  fmt::print(
      "{}",
      wrapped_to_terminal(
          "\nThe first value of a parameter is its default; \"...\" stands for any number.\n"));
}

void print(const std::vector<ListedConfig>& list) {
  for (const ListedConfig& config : list)
    fmt::print("{}", wrapped_to_terminal(fmt::format("{}: {}\n", config.name, config.description)));
}

void print_lines(const std::vector<ListedDevice>& list) {
  constexpr double kBytesOfGiB = 1 << 30, kMiB = 1 << 20;
  for (const ListedDevice& device : list) {
    const std::string units =
        device.threads
            ? fmt::format("{} threads", *device.threads)
            : fmt::format("{}, {} multiprocessors", *device.architecture, *device.multiprocessors);
    fmt::print("{}", wrapped_to_terminal(fmt::format(
                         "{}: {}, {}, {:.1f} GiB memory, {:.1f} MiB {}\n", device.device,
                         device.name, units, static_cast<double>(device.memory_bytes) / kBytesOfGiB,
                         static_cast<double>(device.cache_bytes) / kMiB,
                         device.threads ? "last-level cache" : "L2")));
  }
}

void print(const std::vector<ListedDevice>& list) {
  print_lines(list);
  std::string reason;
  if (cuda_device_count(&reason) == 0)
    fmt::print("{}", wrapped_to_terminal(fmt::format("(CUDA: {})\n", reason)));
}

const std::string& name_of_entry(const ListedVariant& variant) { return variant.id; }
const std::string& name_of_entry(const ListedConfig& config) { return config.name; }
const std::string& name_of_entry(const ListedDevice& device) { return device.name; }

// A line a name: what `list` without a topic shows of the long ones.
void print_name(const std::string& name, const std::string& text) {
  fmt::print("{}",
             wrapped_to_terminal(fmt::format("  {}: {}\n", name, text.substr(0, text.find(". ")))));
}
void print_names(const std::vector<ListedVariant>& list) {
  for (const ListedVariant& variant : list) print_name(variant.id, variant.summary);
}
void print_names(const std::vector<ListedConfig>& list) {
  for (const ListedConfig& config : list) print_name(config.name, config.description);
}
void print_names(const std::vector<ListedDevice>& list) {
  print_lines(list);
  fmt::print("(GPUs: alsbench list devices)\n");
}

// Those entries whose name matches, where the topic was asked for.
template <class Make>
auto section(const std::string& topic, const ListOptions& options, const Make& make) {
  const NamePattern pattern("--filter", options.filter);
  std::optional<decltype(make())> list;
  if (!options.topic.empty() && topic != options.topic) return list;
  list = make();
  std::erase_if(*list, [&](const auto& entry) { return !pattern.found_in(name_of_entry(entry)); });
  return list;
}

ListDocument document_of(const ListOptions& options) {
  return {section("variants", options, [&] { return listed_variants(options); }),
          section("suites", options, [] { return listed_configs("suites"); }),
          section("datasets", options, [] { return listed_configs("datasets"); }),
          section("devices", options, [&] { return listed_devices(options); })};
}

template <class List>
void print_section(const std::string& topic, const std::optional<List>& list,
                   const ListOptions& options) {
  if (!list) return;
  if (!options.topic.empty()) return print(*list);
  fmt::print("{}{}:\n", topic == kTopics.front() ? "" : "\n", topic);
  print_names(*list);
}

int list(const ListOptions& options) {
  FilePlan plan;
  writes_output(plan, options.output);
  plan.check();
  if (!options.device.empty()) one_device(options.device, std::numeric_limits<int>::max());
  const ListDocument document = document_of(options);
  if (!options.output.json.empty()) write_json(options.output.json, to_json(document));
  if (options.output.json_on_stdout()) return kExitOk;
  print_section("variants", document.variants, options);
  print_section("suites", document.suites, options);
  print_section("datasets", document.datasets, options);
  print_section("devices", document.devices, options);
  if (options.topic.empty()) fmt::print("\n`alsbench list TOPIC` prints one of them in full.\n");
  return kExitOk;
}

}  // namespace

void describe(Fields<ListedParameter>& fields) {
  fields.record("parameter", "A parameter of a variant.");
  fields("name", &ListedParameter::name);
  fields("values", &ListedParameter::values).range(Range::Kind::not_empty);
  fields.derived("default",
                 [](const ListedParameter& parameter) { return Json(parameter.values.front()); },
                 {{"type", "string"}});
  fields("description", &ListedParameter::description);
  fields("diagnostic", &ListedParameter::diagnostic,
         "swept only when named: other values do not compute the stage");
  fields("open", &ListedParameter::open, "any number is allowed beside the values");
}

void describe(Fields<ListedVariant>& fields) {
  fields.record("variant", "A variant of a stage.");
  fields("id", &ListedVariant::id, "stage/name/backend");
  fields("stage", &ListedVariant::stage);
  fields("name", &ListedVariant::name);
  fields("backend", &ListedVariant::backend);
  fields("summary", &ListedVariant::summary);
  fields("parameters", &ListedVariant::parameters);
  fields("points", &ListedVariant::points, "of the whole space").range(Range::Kind::from_1);
  fields("valid_points", &ListedVariant::valid_points, "that can run on the device")
      .range(Range::Kind::from_0);
  fields("objection", &ListedVariant::objection,
         "why the first of the others cannot; null: all can")
      .nullable();
  fields("nondeterminism", &ListedVariant::nondeterminism,
         "why two executions with equal arguments on one device may differ in their bits; null: "
         "they do not")
      .nullable();
}

void describe(Fields<ListedConfig>& fields) {
  fields.record("file", "A suite or a data set.");
  fields("name", &ListedConfig::name);
  fields("path", &ListedConfig::path);
  fields("description", &ListedConfig::description);
}

void describe(Fields<ListedDevice>& fields) {
  fields.record("listed_device", "A device of this machine.");
  fields("device", &ListedDevice::device, "as --device takes it");
  fields("backend", &ListedDevice::backend);
  fields("name", &ListedDevice::name);
  fields("memory_bytes", &ListedDevice::memory_bytes).range(Range::Kind::from_0);
  fields("cache_bytes", &ListedDevice::cache_bytes, "of a GPU, L2; of a CPU, the last level")
      .range(Range::Kind::from_0);
  fields("threads", &ListedDevice::threads, "of a CPU").omitted();
  fields("architecture", &ListedDevice::architecture, "of a GPU").omitted();
  fields("multiprocessors", &ListedDevice::multiprocessors, "of a GPU").omitted();
  fields("shared_bytes_per_block", &ListedDevice::shared_bytes_per_block, "of a GPU").omitted();
}

void describe(Fields<ListDocument>& fields) {
  fields.record(
      "", "Variants, suites, data sets and devices: `alsbench list`, with the topics asked for.");
  describe_document(fields, "list");
  fields("variants", &ListDocument::variants).omitted();
  fields("suites", &ListDocument::suites).omitted();
  fields("datasets", &ListDocument::datasets).omitted();
  fields("devices", &ListDocument::devices).omitted();
}

void add_list_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command = app.add_subcommand("list", "List variants, suites, data sets and devices");
  command->add_option("topic", options->topic, "variants, suites, datasets or devices")
      ->check(CLI::IsMember(kTopics));
  command->add_option("--filter", options->filter, "Only names that match this regex");
  command->add_option("--device,--devices,-d", options->device,
                      "Device to check points against: auto, cpu, 0, ...");
  add_checked(*command, "--rank", options->rank, above_zero(), "Rank to check points at")
      ->capture_default_str();
  add_kernels_option(*command);
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
