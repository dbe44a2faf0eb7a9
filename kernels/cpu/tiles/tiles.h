// SPDX-License-Identifier: Apache-2.0
// Half-iterations on AMX: a processor's tiles, 16 rows of 64 bytes, whose products of signed bytes
// are added up in 32 bits, and those of bf16 in FP32. One body (tiles/body.h) is compiled for them
// and for an emulation.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/cpu/cg_options.h"

namespace alsbench {

constexpr int kTileSide = 16;         // features of a tile
constexpr int kMaxTileRank = 256;     // features at most
constexpr int64_t kTileBytes = 1024;  // of a tile
// Sums of so many products of two bytes are sure to fit 32 bits. Those of longer rows, and of bf16,
// are added up as floats.
constexpr int64_t kMaxTileRatings = 131072;
static_assert(kMaxTileRatings * 127 * 127 < INT32_MAX);

// Type of the elements that tiles multiply.
enum class TileElement { int8, bf16 };

// Tiles that a rank takes.
constexpr int tiles_of_rank(int rank) { return (rank + kTileSide - 1) / kTileSide; }
// The tile of features 16 i and 16 j, i >= j, among those of A_u. Those of b_u are behind them.
constexpr int tile_index(int i, int j) { return i * (i + 1) / 2 + j; }
constexpr int sum_tiles(int tiles) { return tile_index(tiles, 0) + tiles; }

// The place in a row of factors that column i of all tiles has. Four tiles of bytes, and two of
// bf16, share 64 bytes: each has four of as many features. Those left over have sixteen of their
// own.
constexpr int tile_place(TileElement element, int tiles, int i) {
  const int share = element == TileElement::int8 ? 4 : 2, shared = share * kTileSide;
  if (i / shared >= tiles / share) return i;
  return i / shared * shared + i % 16 / 4 * (4 * share) + i % shared / 16 * 4 + i % 4;
}

// A half-iteration of rows of ratings over factors in bytes (kernels/shared/byte_factors.h) or in
// bf16. All that has a value a feature is in the order of the tiles' columns.
struct TileTask {
  const int64_t* offsets = nullptr;  // of the row that has number 0
  const int32_t* indices = nullptr;
  const float* values = nullptr;
  int64_t nnz = 0;
  float rating_scale = 1;  // RatingsView::half_scale; of bytes
  // Of bf16 in implicit ALS: what weighs ratings (kernels/shared/implicit_weights.h), by which the
  // equations are multiplied, lambda among them. 0: they have no weights.
  float weight_scale = 0, alpha = 0;

  const void* rows = nullptr;  // of the factors
  int rank = 0;
  const int16_t* features = nullptr;  // of each column; negative where there is none
  const float* scales = nullptr;      // one for bf16; zero where there is none

  // A matrix that is added to every A_u, over the scales of its row and its column; may be null.
  const float* added = nullptr;
  float lambda = 0;
  bool weighted = true;  // lambda n_u, or lambda

  float* solution = nullptr;  // of row 0
  int64_t pitch = 0;
  int32_t* steps = nullptr;  // may be null, as below
  int32_t* status = nullptr;
  CgOptions cg;
};

struct TileKernels {
  const char* name;
  TileElement element;
  // Memory of a thread, aligned to 64 bytes.
  int64_t (*memory_bytes)(int rank);
  // Forms and solves the rows [first, last). Raises `largest` to the magnitudes of the solutions,
  // as bits of floats.
  void (*update)(const TileTask& task, int64_t first, int64_t last, void* memory,
                 uint32_t* largest);
  // The sums of a row alone, at most kMaxTileRatings: sum_tiles tiles of 16 x 16, of 32-bit
  // integers or floats.
  void (*form)(const TileTask& task, int64_t row, void* memory, void* sums);
};

// Support by the processor and by Linux.
struct TileSupport {
  const TileKernels* kernels = nullptr;
  std::string reason;  // why there are none
};
// Asks Linux for the use of tiles, the first time. With ALSBENCH_TILES=emulated in the environment
// the instructions are emulated where there are none, and with ALSBENCH_TILES=off they are not
// used.
const TileSupport& tile_support(TileElement element);
const TileKernels& emulated_tiles(TileElement element);

// Questions to both and their answers; the last is errno.
struct TileAnswers {
  bool bytes = false, bfloats = false, system = false;
  int refusal = 0;
};
// "" where there are some.
std::string why_no_tiles(TileElement element, const TileAnswers& answers);

}  // namespace alsbench
