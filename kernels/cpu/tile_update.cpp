// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/tile_update.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

#include "kernels/cpu/element.h"
#include "kernels/shared/byte_factors.h"
#include "kernels/shared/implicit_weights.h"

namespace alsbench {
namespace {

// Values of each column of the tiles.
struct Places {
  TileElement element;
  int width;  // in whole tiles
  std::array<int16_t, kMaxTileRank> features;
  std::array<float, kMaxTileRank> scales;

  Places(const FactorsView& factors, TileElement element_)
      : element(element_), width(kTileSide * tiles_of_rank(factors.rank)) {
    const ByteFactors layout{factors.rank};
    const bool bytes = element == TileElement::int8;
    for (int i = 0; i < width; ++i) {
      const int place = tile_place(element, width / kTileSide, i);
      const int feature = bytes ? layout.feature(place) : place;
      const bool has = feature < factors.rank;
      const auto scale = [&] {
        return bytes ? static_cast<const float*>(factors.data)[feature] : 1.0f;
      };
      features[i] = static_cast<int16_t>(has ? feature : -1);
      scales[i] = has ? scale() : 0;
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
  const int64_t rows_at =
      places.element == TileElement::int8 ? ByteFactors{task.rank}.rows_at() : 0;
  task.rows = static_cast<const char*>(params.factors.data) + rows_at;
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

// So do the solutions of rows [begin, end) of the batch in bf16.
void round_solutions(const UpdateParams& params, int64_t begin, int64_t end) {
  if (params.rounded == nullptr) return;
  const FactorsView& solution = params.solution;
  uint32_t overflows = 0;
  for (int64_t item = begin; item < end; ++item) {
    const int64_t place = (params.first_row + item) * solution.pitch;
    overflows += floats_to_bfloats(static_cast<const float*>(solution.data) + place, solution.rank,
                                   static_cast<uint16_t*>(params.rounded) + place);
  }
  if (overflows > 0 && params.overflows != nullptr)
    std::atomic_ref(*params.overflows).fetch_add(overflows, std::memory_order_relaxed);
}

void run(const UpdateParams& params, const Places& places, const TileTask& task,
         const CpuResources& resources) {
  const TileKernels& kernels = *tile_support(places.element).kernels;
  const bool bytes = places.element == TileElement::int8;
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
                    if (!bytes) round_solutions(params, begin, end);
                  });
  for (int thread = 0; bytes && thread < resources.threads; ++thread)
    raise_largest(params, places, largest_of(thread));
}

// The Gram matrix times `factor` over the scales of its rows and columns, in their order. A feature
// without a scale is zero in every factor, and so is its row of the Gram matrix.
void spread_gram(const float* gram, float factor, const Places& places, int rank, float* spread) {
  const auto inverse = [](float scale) { return scale > 0 ? 1 / scale : 0.0f; };
  for (int i = 0; i < places.width; ++i)
    for (int j = 0; j < places.width; ++j) {
      const int row = places.features[i], column = places.features[j];
      spread[i * places.width + j] = row < 0 || column < 0 ? 0
                                                           : factor * gram[row * rank + column] *
                                                                 inverse(places.scales[i]) *
                                                                 inverse(places.scales[j]);
    }
}

}  // namespace

void update_tiles(const UpdateParams& params, TileElement element, const CgOptions& options,
                  const CpuResources& resources) {
  const Places places(params.factors, element);
  run(params, places, task_of(params, places, options), resources);
}

void implicit_update_tiles(const ImplicitParams& params, TileElement element,
                           const CgOptions& options, const CpuResources& resources) {
  const UpdateParams& update = params.update;
  const Places places(update.factors, element);
  TileTask task = task_of(update, places, options);
  task.weighted = params.weighted != 0;
  float times = 1;  // the equations
  if (element == TileElement::bf16) {
    times = std::bit_cast<float>(
        weight_scale(std::bit_cast<uint32_t>(params.alpha / update.ratings.half_scale))
            .weight_bits);
    task.weight_scale = times;
    task.alpha = params.alpha;
    task.lambda *= times;
  }
  constexpr int kGramSlot = 1;  // behind the threads' memory
  auto* const added = static_cast<float*>(resources.scratch(
      kGramSlot, static_cast<int64_t>(sizeof(float)) * places.width * places.width));
  spread_gram(params.gram, times, places, update.factors.rank, added);
  task.added = added;
  run(update, places, task, resources);
}

}  // namespace alsbench
