// SPDX-License-Identifier: Apache-2.0
#include "variants/als/update/short_rows.h"

#include <fmt/format.h>

#include "kernels/cuda/update/short_layout.cuh"
#include "variants/als/parameters.h"
#include "variants/als/tensor_cores.h"

namespace alsbench::short_rows {
namespace {

ShortRowLayout layout_of(const Shape& shape, int number) {
  return {shape.rank, short_class_ratings(number), short_class_warps(number)};
}

}  // namespace

Parameter parameter() { return parameters::short_rows({0, 128, 256, 384, 512, 768, 1024}); }

std::optional<std::string> objection(const Config& config, const Shape& shape,
                                     const DeviceTraits& traits) {
  const int maximum = parameters::short_row_ratings(config);
  if (maximum == 0) return std::nullopt;
  if (tensor_cores::team_of(shape) == 1)
    return fmt::format("at rank {} a warp holds a row by itself, and sooner; use short=0",
                       shape.rank);
  if (parameters::factors_type(config) != Scalar::int8)
    return "short rows are multiplied as signed bytes; use factors=int8";
  if (parameters::preconditions(config))
    return "short rows are solved without a preconditioner; use precondition=none or short=0";
  if (maximum > config.integer("chunk"))
    return fmt::format("rows of {} ratings are cut at {}; use a smaller short", maximum,
                       config.get("chunk"));
  const int64_t bytes = layout_of(shape, short_class(maximum)).shared_bytes();
  if (bytes > traits.shared_bytes_per_block)
    return fmt::format(
        "{} ratings need {} bytes of shared memory, a block has {}; use a smaller short", maximum,
        bytes, traits.shared_bytes_per_block);
  return std::nullopt;
}

std::vector<KernelLaunch> launches(const Config& config, const Shape& shape,
                                   const DeviceTraits& traits) {
  std::vector<KernelLaunch> launches;
  const int maximum = parameters::short_row_ratings(config);
  for (int i = 0; i < kShortClasses && short_class_ratings(i) <= maximum; ++i) {
    const ShortRowLayout layout = layout_of(shape, i);
    // On sm_90 the kernels do with fewer registers; on sm_100 one spilled.
    const int blocks =
        layout.blocks_at_once(traits.shared_bytes_per_multiprocessor, traits.architecture == 90);
    KernelLaunch launch;
    launch.source = "kernels/cuda/update/short_rows.cuh";
    launch.instance =
        fmt::format("alsbench::update_short_rows<{}, {}, {}, {}, {}, {}, {}>", shape.rank,
                    layout.warps, layout.ratings, blocks, config.is("l1", "on"),
                    parameters::stops_early(config), config.is("warm", "on"));
    launch.grid = int64_t{blocks} * traits.multiprocessors;
    launch.block = 32 * layout.warps;
    launch.shared_bytes = layout.shared_bytes();
    launches.push_back(launch);
  }
  return launches;
}

}  // namespace alsbench::short_rows
