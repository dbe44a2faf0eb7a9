// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/run/run_selection.h"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <tuple>

#include "base/error.h"
#include "harness/cli/tune/tuned.h"
#include "harness/device/device_selection.h"

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
