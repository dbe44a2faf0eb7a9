#include "harness/cli/run/run_selection.h"

#include <fmt/format.h>

#include <CLI/StringTools.hpp>
#include <algorithm>
#include <cstdio>
#include <tuple>

#include "harness/cli/tune/tuned.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

std::pair<int, int> parse_shard(const std::string& text) {
  if (text.empty()) return {0, 1};
  int shard = 0, shards = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%d/%d%c", &shard, &shards, &rest) != 2 || shard < 0 ||
      shard >= shards)
    throw UsageError(fmt::format("--shard '{}': write i/n with i from 0 to n - 1", text));
  return {shard, shards};
}

std::string parse_device(const std::string& word, const std::string& text, int cuda_devices) {
  if (word == "cpu") return word;
  const bool number =
      !word.empty() && word.size() < 4 && word.find_first_not_of("0123456789") == std::string::npos;
  if (!number)
    throw UsageError(fmt::format(
        "--device '{}': write auto, all, cpu, or CUDA ordinals such as 0 or 0,1", text));
  if (std::stoi(word) >= cuda_devices)
    throw EnvironmentError(fmt::format(
        "--device {}: there are {} CUDA devices here; see alsbench doctor", word, cuda_devices));
  return std::to_string(std::stoi(word));  // "00" is 0
}

}  // namespace

std::vector<std::string> parse_devices(const std::string& text, int cuda_devices) {
  if (text == "auto") return {"cpu", "0"};
  std::vector<std::string> devices;
  if (text == "all") {
    devices = {"cpu"};
    for (int i = 0; i < std::max(1, cuda_devices); ++i) devices.push_back(std::to_string(i));
    return devices;
  }
  for (const std::string& word : CLI::detail::split(text, ',')) {
    const std::string device = parse_device(word, text, cuda_devices);
    if (std::find(devices.begin(), devices.end(), device) == devices.end())
      devices.push_back(device);
  }
  return devices;
}

Selection selection_of(const RunOptions& options, int cuda_devices) {
  Selection selection;
  selection.filter = options.filter;
  selection.variants = options.variants;
  for (const std::string& text : options.axes) selection.axes.push_back(parse_axis(text));
  selection.devices = parse_devices(options.device, cuda_devices);
  selection.scale = options.scale;
  selection.seed = options.seed;
  std::tie(selection.shard, selection.shards) = parse_shard(options.shard);
  selection.choose = choose_from_database(options.database);
  return selection;
}

}  // namespace alsbench
