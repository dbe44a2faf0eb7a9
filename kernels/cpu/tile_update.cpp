// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/tile_update.h"

#include <algorithm>
#include <array>

#include "kernels/cpu/tiles/tiles.h"
#include "kernels/shared/byte_factors.h"

namespace alsbench {
namespace {

// Values of each column of the tiles.
struct Places {
  int width;  // in whole tiles
  std::array<int16_t, kMaxTileRank> features;
  std::array<float, kMaxTileRank> scales;

  explicit Places(const FactorsView& factors) : width(kTileSide * tiles_of_rank(factors.rank)) {
    const ByteFactors layout{factors.rank};
    for (int i = 0; i < width; ++i) {
      const int feature = layout.feature(tile_place(width / kTileSide, i));
      const bool has = feature < factors.rank;
      features[i] = static_cast<int16_t>(has ? feature : -1);
      scales[i] = has ? static_cast<const float*>(factors.data)[feature] : 0;
    }
  }
};

TileTask task_of(const UpdateParams& params, const Places& places, const CgOptions& options) {
  const RatingsView& ratings = params.ratings;
  TileTask task;
  task.offsets = ratings.offsets + params.first_row;
  task.indices = ratings.indices;
  task.values = ratings.values;
  task.nnz = ratings.nnz;
  task.rating_scale = ratings.half_scale;
  task.rank = params.factors.rank;
  task.rows = static_cast<const int8_t*>(params.factors.data) + ByteFactors{task.rank}.rows_at();
  task.features = places.features.data();
  task.scales = places.scales.data();
  task.lambda = params.lambda;
  task.pitch = params.solution.pitch;
  task.solution = static_cast<float*>(params.solution.data) + params.first_row * task.pitch;
  task.steps = params.steps;
  task.status = params.status;
  task.cg = options;
  return task;
}

// The magnitudes that a thread found, column by column, go to the copy of the solutions.
void raise_largest(const UpdateParams& params, const Places& places, const uint32_t* found) {
  if (params.rounded == nullptr) return;
  auto* const largest = reinterpret_cast<uint32_t*>(static_cast<char*>(params.rounded) +
                                                    ByteFactors{params.solution.rank}.largest_at());
  for (int i = 0; i < places.width; ++i)
    if (const int feature = places.features[i]; feature >= 0)
      largest[feature] = std::max(largest[feature], found[i]);
}

void run(const UpdateParams& params, const Places& places, const TileTask& task,
         const CpuResources& resources) {
  const TileKernels& kernels = *tile_support().kernels;
  const int64_t kernel_floats = kernels.memory_bytes(task.rank) / int64_t{sizeof(float)};
  const int64_t floats = CpuResources::padded(kernel_floats) + kMaxTileRank;
  float* const scratch = resources.thread_scratch(floats);
  const auto largest_of = [&](int thread) {
    return reinterpret_cast<uint32_t*>(scratch + thread * floats + floats - kMaxTileRank);
  };
  for (int thread = 0; thread < resources.threads; ++thread)
    std::fill_n(largest_of(thread), kMaxTileRank, 0u);
  parallel_pieces(task.offsets, params.row_count, resources.threads,
                  [&](int64_t begin, int64_t end, int thread) {
                    kernels.update(task, begin, end, scratch + thread * floats, largest_of(thread));
                  });
  for (int thread = 0; thread < resources.threads; ++thread)
    raise_largest(params, places, largest_of(thread));
}

// The Gram matrix over the scales of its rows and columns, in their order. A feature without a
// scale is zero in every factor, and so is its row of the Gram matrix.
void spread_gram(const float* gram, const Places& places, int rank, float* spread) {
  const auto inverse = [](float scale) { return scale > 0 ? 1 / scale : 0.0f; };
  for (int i = 0; i < places.width; ++i)
    for (int j = 0; j < places.width; ++j) {
      const int row = places.features[i], column = places.features[j];
      spread[i * places.width + j] =
          row < 0 || column < 0
              ? 0
              : gram[row * rank + column] * inverse(places.scales[i]) * inverse(places.scales[j]);
    }
}

}  // namespace

void update_tiles(const UpdateParams& params, const CgOptions& options,
                  const CpuResources& resources) {
  const Places places(params.factors);
  run(params, places, task_of(params, places, options), resources);
}

void implicit_update_tiles(const ImplicitParams& params, const CgOptions& options,
                           const CpuResources& resources) {
  const UpdateParams& update = params.update;
  const Places places(update.factors);
  constexpr int kGramSlot = 1;  // behind the threads' memory
  auto* const added = static_cast<float*>(resources.scratch(
      kGramSlot, static_cast<int64_t>(sizeof(float)) * places.width * places.width));
  spread_gram(params.gram, places, update.factors.rank, added);
  TileTask task = task_of(update, places, options);
  task.added = added;
  task.weighted = params.weighted != 0;
  run(update, places, task, resources);
}

}  // namespace alsbench
