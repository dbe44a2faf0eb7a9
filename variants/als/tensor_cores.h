// SPDX-License-Identifier: Apache-2.0
// Shared by tensor-core variants (normal_equations/mma and halves, update/fused): parameters,
// objections, and the launches around their own kernels.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/cuda/mma/layout.cuh"
#include "variants/als/parameters.h"
#include "variants/core/variant.h"

namespace alsbench::tensor_cores {

// The parameters of their stream of factor rows, and of what sums it.
inline std::vector<Parameter> stream(Parameter factors) {
  return {{"stages",
           {4, 3, 6, 8},
           "groups of 16 factor rows (of bytes: 32) in a warp's ring of asynchronous copies"},
          parameters::kFactorReads,
          parameters::chunk({4096, 1024, 2048, 8192, 32768, 65536}),
          {"warps", {4, 2, 1}, "of a block, where a warp has a row to itself"},
          {"order",
           {"rows", "columns"},
           "pieces of long rows one row after another, or by their first column, so warps "
           "which run together read the same factors"},
          std::move(factors),
          parameters::kTensorCoreSums};
}
inline const std::vector<Parameter> kStream = stream(parameters::factors(
    {"fp16", "bf16", "tf32", "int8", "fp8"},
    "storage of the fixed factors, and what tensor cores multiply: 11, 8, 11 bits of precision; "
    "int8 is signed bytes with a scale a feature, whose sums are exact; fp8 is bytes in e4m3, of 4 "
    "bits, with such scales (sm_89, sm_120, sm_121)"));

// The type that tensor cores multiply; where they multiply two, the faster one.
Scalar multiplied(const Config& config);

// Warps that share a row: 1 where the registers of one hold the triangle, 0 where those of no team
// do.
int team_of(const Shape& shape);
// The tiles of a row, for those warps or for warpgroups.
MmaLayout tiles_of(const Config& config, const Shape& shape);
// `extra_bytes`: bytes of shared memory that a warp has besides its ring.
MmaLayout layout_of(const Config& config, const Shape& shape, int extra_bytes);

std::optional<std::string> objection(const Config& config, const Shape& shape,
                                     const DeviceTraits& traits, const MmaLayout& layout);
// Of its registers and shared memory.
std::optional<std::string> layout_objection(const MmaLayout& layout, const DeviceTraits& traits);
// Of the rows and pieces that are listed.
std::optional<std::string> items_objection(const PieceWorkspace& workspace, const Shape& shape,
                                           const DeviceTraits& traits);
// The sums of pieces. `form`: the template's arguments behind the threads, from ", " on.
KernelLaunch sum_launch(int rank, std::string_view element, std::string_view form,
                        const DeviceTraits& traits);

// `stream` works through all rows but those that are longer than a chunk. Where there are such
// rows, launches precede it (cut rows, order pieces) and follow it (sum the pieces). The last one,
// `cut_rows`, completes them. `short_rows` work on the rows that are short
// (parameters::short_row_ratings), before `stream`.
struct StreamLaunches {
  KernelLaunch stream, cut_rows;
  std::vector<KernelLaunch> short_rows = {};
};
KernelPlan plan(const Config& config, const Shape& shape, const DeviceTraits& traits,
                const StreamLaunches& launches);

// Persistent grids of `layout`; the kernels are the caller's to name.
KernelLaunch stream_launch(const DeviceTraits& traits, const MmaLayout& layout);
KernelLaunch cut_rows_launch(const DeviceTraits& traits, const MmaLayout& layout);
// The template arguments that kernels of a stream begin with: rank, stages, warps, blocks an SM,
// l1, type of the factors.
std::string stream_arguments(const Config& config, const DeviceTraits& traits,
                             const MmaLayout& layout);
// Those that kernels of cut rows begin with: rank, warps, blocks an SM, type of the factors.
std::string cut_rows_arguments(const Config& config, const DeviceTraits& traits,
                               const MmaLayout& layout);

}  // namespace alsbench::tensor_cores
