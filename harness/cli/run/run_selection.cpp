#include "harness/cli/run/run_selection.h"

#include <fmt/format.h>

#include <cstdio>
#include <tuple>

#include "harness/cli/tune/tuned.h"
#include "harness/device/device_selection.h"
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

}  // namespace alsbench
