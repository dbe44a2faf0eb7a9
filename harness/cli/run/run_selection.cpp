// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/run/run_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "harness/cli/ratings_options.h"
#include "harness/cli/tune/tuned.h"
#include "harness/custom/memory.h"
#include "harness/device/device.h"
#include "harness/device/device_selection.h"
#include "harness/files/strict_json.h"

namespace alsbench {
namespace {

std::pair<int, int> parse_shard(const std::string& text) {
  if (text.empty()) return {0, 1};
  int shard = 0, shards = 0;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard);
  const bool parted = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
  const auto second = std::from_chars(parted ? first.ptr + 1 : end, end, shards);
  if (second.ec != std::errc() || second.ptr != end || shard < 0 || shard >= shards)
    throw UsageError(fmt::format("--shard '{}': write i/n with i from 0 to n - 1", text));
  return {shard, shards};
}

// As a suite's file has them.
Json problem_on(const DataRequest& data) {
  if (data.has_sizes()) {
    Json sizes = Json::object();
    for (const auto& [name, size] : data.sizes.entries()) sizes[name] = std::stoll(size);
    return {{"sizes", sizes}};
  }
  if (!data.dataset.empty()) return {{"dataset", data.dataset}};
  Json problem{{"path", data.path.string()}};
  if (!data.format.empty()) problem["format"] = data.format;
  if (!data.columns.empty()) problem["columns"] = data.columns;
  if (!data.values.empty()) problem["values"] = data.values;
  if (!data.test_path.empty())
    problem["test"] = data.test_path.string();
  else if (takes_share(data.split_by))
    problem["test_fraction"] = data.test_fraction;
  if (data.split_by != SplitBy::random) problem["split_by"] = name_of(data.split_by);
  problem["duplicates"] = name_of(data.duplicates);
  return problem;
}

}  // namespace

std::vector<std::string> devices_of(const RunOptions& options, int cuda_devices) {
  if (options.device.empty()) return {"cpu", "0"};
  return several_devices(options.device, cuda_devices);
}

Selection selection_of(const RunOptions& options, int cuda_devices) {
  Selection selection;
  selection.filter = options.filter;
  selection.variants = options.variants;
  for (const std::string& text : options.axes) selection.axes.push_back(parse_axis(text));
  selection.devices = devices_of(options, cuda_devices);
  selection.scale = options.scale;
  selection.seed = options.seed;
  std::tie(selection.shard, selection.shards) = parse_shard(options.shard);
  selection.choose = choose_from_database(options.database);
  return selection;
}

Suite suite_on_ratings(const std::string& source, const RunOptions& options) {
  const std::string text = suite_text(source);
  Suite suite = parse_suite(text, source);
  const bool of_sizes = std::ranges::all_of(
      suite.problems, [](const ProblemSpec& problem) { return problem.data.has_sizes(); });
  if (of_sizes) refuse_ratings(options.data, suite.name);
  if (of_sizes && options.scale)
    throw UsageError(fmt::format(
        "--scale: the custom kernel '{}' reads no ratings; give its sizes by --size", suite.name));
  if (!options.names_ratings() && !options.rank && !options.lambda) return suite;
  Json json = parse_json(text, source);
  if (options.names_ratings()) {
    check_for_workers(options.data);
    DataRequest data = options.data;
    if (data.has_sizes()) data.sizes = with_sizes(suite.problems.front().data.sizes, data.sizes);
    Json problem = problem_on(data);
    if (!data.has_sizes()) {
      problem["rank"] = suite.problems.front().rank;
      problem["lambda"] = suite.problems.front().lambda;
    }
    json["problems"] = Json::array({problem});
  }
  for (Json& problem : json["problems"]) {
    if (options.rank) problem["rank"] = *options.rank;
    if (options.lambda) problem["lambda"] = *options.lambda;
  }
  return parse_suite(json.dump(), source);
}

namespace {

const DeviceTraits& traits_on(const std::string& device) {
  static std::map<std::string, DeviceTraits> traits;
  if (!traits.contains(device)) traits[device] = local_device_traits(device);
  return traits.at(device);
}

}  // namespace

std::string early_objection(const Case& c, const std::string& cuda_unavailable) {
  if (c.backend == Backend::cuda && !cuda_unavailable.empty()) return cuda_unavailable;
  if (c.trains()) return "";
  Shape shape;
  shape.rank = c.problem.rank;
  shape.sizes = c.problem.data.sizes;
  return objection_of(*c.variant, c.config, shape, traits_on(c.device)).value_or("");
}

void refuse_oversized(const std::vector<Case>& cases, const std::string& cuda_unavailable) {
  std::map<std::pair<Stage, std::string>, std::optional<std::string>> reasons;  // none: it fits
  for (const Case& c : cases) {
    const Config& sizes = c.problem.data.sizes;
    if (c.trains() || sizes.entries().empty()) continue;
    if (c.backend == Backend::cuda && !cuda_unavailable.empty()) continue;
    const auto reason = custom::memory_objection(c.variant->stage, sizes, traits_on(c.device));
    const auto [entry, added] = reasons.try_emplace({c.variant->stage, sizes.text()}, reason);
    if (!added && !reason) entry->second.reset();
  }
  for (const auto& [problem, reason] : reasons)
    if (reason) throw UsageError(*reason);
}

int64_t comparable_cases(const std::vector<Case>& cases, const std::string& cuda_unavailable) {
  int64_t count = 0;
  for (const Case& c : cases)
    if (!c.peer && early_objection(c, cuda_unavailable).empty())
      count += c.train ? 1 : static_cast<int64_t>(c.modes.size());
  return count;
}

std::string launches_text(const std::string& suite, int64_t cases, int64_t needed) {
  return fmt::format("{} has {} case{}: {} launches per side are needed", suite, cases,
                     cases == 1 ? "" : "s", needed);
}

}  // namespace alsbench
