// SPDX-License-Identifier: Apache-2.0
// Half-iterations on AMX: a processor's tiles, 16 rows of 64 bytes, whose products of signed bytes
// are added up in 32 bits. One body (tiles/body.h) is compiled for them and for an emulation.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/cpu/cg_options.h"

namespace alsbench {

constexpr int kTileSide = 16;         // features of a tile
constexpr int kTileBlock = 64;        // ratings of a tile
constexpr int kMaxTileRank = 256;     // features at most
constexpr int64_t kTileBytes = 1024;  // of a tile
// Sums of so many products of two bytes are sure to fit 32 bits. Those of longer rows are added up
// as floats.
constexpr int64_t kMaxTileRatings = 131072;
static_assert(kMaxTileRatings * 127 * 127 < INT32_MAX);

// Tiles that a rank takes.
constexpr int tiles_of_rank(int rank) { return (rank + kTileSide - 1) / kTileSide; }
// The tile of features 16 i and 16 j, i >= j, among those of A_u. Those of b_u are behind them.
constexpr int tile_index(int i, int j) { return i * (i + 1) / 2 + j; }
constexpr int sum_tiles(int tiles) { return tile_index(tiles, 0) + tiles; }

// The place in a row of bytes that column i of all tiles has. Four tiles share 64 bytes: each has
// four of every sixteen (pack_right). Those left over have sixteen of their own.
constexpr int tile_place(int tiles, int i) {
  if (i / 64 >= tiles / 4) return i;
  return i / 64 * 64 + i % 16 / 4 * 16 + i % 64 / 16 * 4 + i % 4;
}

// A half-iteration of rows of ratings over factors in bytes (kernels/shared/byte_factors.h). All
// that has a value a feature is in the order of the tiles' columns.
struct TileTask {
  const int64_t* offsets = nullptr;  // of the row that has number 0
  const int32_t* indices = nullptr;
  const float* values = nullptr;
  int64_t nnz = 0;
  float rating_scale = 1;  // RatingsView::half_scale

  const int8_t* rows = nullptr;  // of the factors
  int rank = 0;
  const int16_t* features = nullptr;  // of each column; negative where there is none
  const float* scales = nullptr;      // zero where there is none

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
  // Memory of a thread, aligned to 64 bytes.
  int64_t (*memory_bytes)(int rank);
  // Forms and solves the rows [first, last). Raises `largest` to the magnitudes of the solutions,
  // as bits of floats.
  void (*update)(const TileTask& task, int64_t first, int64_t last, void* memory,
                 uint32_t* largest);
  // The sums of a row alone, at most kMaxTileRatings: sum_tiles tiles of 16 x 16.
  void (*form)(const TileTask& task, int64_t row, void* memory, int32_t* sums);
};

// Support by the processor and by Linux.
struct TileSupport {
  const TileKernels* kernels = nullptr;
  std::string reason;  // why there are none
};
// Asks Linux for the use of tiles, the first time. With ALSBENCH_TILES=emulated in the environment
// the instructions are emulated where there are none, and with ALSBENCH_TILES=off they are not
// used.
const TileSupport& tile_support();
const TileKernels& emulated_tiles();

// Questions to both and their answers; the last is errno.
struct TileAnswers {
  bool processor = false, system = false;
  int refusal = 0;
};
std::string why_no_tiles(const TileAnswers& answers);  // "" where there are some

}  // namespace alsbench
