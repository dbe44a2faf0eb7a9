// SPDX-License-Identifier: Apache-2.0
// The one body of TileKernels: included by a source file for the processor's tiles and by one for
// their emulation, each with a namespace ALSBENCH_TILES that has the class Tiles. As in simd/body.h
// there are no standard inline functions.
//
// The sums of a block of ratings and 16 + 16 features are one instruction, C += A B. A has a row of
// 64 bytes a feature. B has a row of 64 bytes for four ratings as bytes or two as bf16: those of
// the first feature, then those of the second. Both are made of the same gathered factors
// (pack_right, pack_left). `Block` is ByteBlock or BfloatBlock.
#pragma once

#include "kernels/cpu/tiles/bfloats.h"
#include "kernels/cpu/tiles/bytes.h"
#include "kernels/cpu/tiles/tiles.h"
#include "kernels/cpu/tiles/vectors.h"

namespace alsbench::ALSBENCH_TILES {

// Blocks that are packed before they are multiplied, so sums pass through memory once for all.
constexpr int blocks_of_group(int tiles) {
  constexpr int kMaxBytes = 40 << 10;  // of the first-level cache
  constexpr int kMinBlocks = 4;
  const int blocks = kMaxBytes / ((2 * tiles + 1) * static_cast<int>(kTileBytes));
  return blocks > kMinBlocks ? blocks : kMinBlocks;
}

// A thread's memory at `kTiles` tiles a side.
template <class Block, int kTiles>
struct alignas(64) Memory {
  static constexpr int kBlocks = blocks_of_group(kTiles), kWidth = kTiles * kTileSide;
  int8_t ratings[kBlocks][kTileBytes];  // of which the rows that no block stores stay zero
  union {
    int8_t packed[kBlocks][kTiles][2][kTileBytes];  // right, left
    float a[kWidth][kWidth];                        // A_u over the scales but for lambda
  };
  Block::Sum sums[sum_tiles(kTiles)][kTileSide][kTileSide];
  float long_sums[sum_tiles(kTiles)][kTileSide][kTileSide];  // of a row longer than kMaxTileRatings
  float vector[kWidth];                                      // that A_u multiplies
};

// The tiles of a pass: those of two by two features, or of one by two where the number is odd. On
// the diagonal b_u's are among them, with one operand at a time in a tile of its own.
template <int kRows, bool kFirst, class Block, int kTiles>
inline void multiply_across(Tiles& tiles, Memory<Block, kTiles>& m, int blocks, int i, int j) {
  const auto sums = [&](int row, int column) { return m.sums[tile_index(i + row, j + column)]; };
  const auto begin = [&]<int kTile>(const void* from) {
    kFirst ? tiles.template zero<kTile>() : tiles.template load<kTile>(from);
  };
  begin.template operator()<0>(sums(0, 0));
  begin.template operator()<1>(sums(0, 1));
  if constexpr (kRows > 1) {
    begin.template operator()<2>(sums(1, 0));
    begin.template operator()<3>(sums(1, 1));
  }
  for (int b = 0; b < blocks; ++b) {
    const auto& packed = m.packed[b];
    tiles.template load<6>(packed[j][0]);
    tiles.template load<4>(packed[i][1]);
    Block::template multiply<0, 4, 6>(tiles);
    tiles.template load<7>(packed[j + 1][0]);
    Block::template multiply<1, 4, 7>(tiles);
    if constexpr (kRows > 1) {
      tiles.template load<5>(packed[i + 1][1]);
      Block::template multiply<2, 5, 6>(tiles);
      Block::template multiply<3, 5, 7>(tiles);
    }
  }
  tiles.template save<0>(sums(0, 0));
  tiles.template save<1>(sums(0, 1));
  if constexpr (kRows > 1) {
    tiles.template save<2>(sums(1, 0));
    tiles.template save<3>(sums(1, 1));
  }
}

template <int kRows, bool kFirst, class Block, int kTiles>
inline void multiply_diagonal(Tiles& tiles, Memory<Block, kTiles>& m, int blocks, int i) {
  constexpr int kBias = tile_index(kTiles, 0);
  const auto begin = [&]<int kTile>(const void* from) {
    kFirst ? tiles.template zero<kTile>() : tiles.template load<kTile>(from);
  };
  begin.template operator()<0>(m.sums[tile_index(i, i)]);
  begin.template operator()<3>(m.sums[kBias + i]);
  if constexpr (kRows > 1) {
    begin.template operator()<1>(m.sums[tile_index(i + 1, i)]);
    begin.template operator()<2>(m.sums[tile_index(i + 1, i + 1)]);
    begin.template operator()<4>(m.sums[kBias + i + 1]);
  }
  for (int b = 0; b < blocks; ++b) {
    const auto& packed = m.packed[b];
    tiles.template load<5>(packed[i][0]);
    tiles.template load<7>(packed[i][1]);
    Block::template multiply<0, 7, 5>(tiles);
    if constexpr (kRows > 1) {
      tiles.template load<6>(packed[i + 1][0]);
      tiles.template load<7>(packed[i + 1][1]);
      Block::template multiply<1, 7, 5>(tiles);
      Block::template multiply<2, 7, 6>(tiles);
    }
    tiles.template load<7>(m.ratings[b]);
    Block::template multiply<3, 7, 5>(tiles);
    if constexpr (kRows > 1) Block::template multiply<4, 7, 6>(tiles);
  }
  tiles.template save<0>(m.sums[tile_index(i, i)]);
  tiles.template save<3>(m.sums[kBias + i]);
  if constexpr (kRows > 1) {
    tiles.template save<1>(m.sums[tile_index(i + 1, i)]);
    tiles.template save<2>(m.sums[tile_index(i + 1, i + 1)]);
    tiles.template save<4>(m.sums[kBias + i + 1]);
  }
}

template <bool kFirst, class Block, int kTiles>
inline void multiply_group(Tiles& tiles, Memory<Block, kTiles>& m, int blocks) {
  for (int i = 0; i + 1 < kTiles; i += 2) {
    for (int j = 0; j < i; j += 2) multiply_across<2, kFirst>(tiles, m, blocks, i, j);
    multiply_diagonal<2, kFirst>(tiles, m, blocks, i);
  }
  if constexpr (kTiles % 2 == 1) {
    constexpr int kLast = kTiles - 1;
    for (int j = 0; j < kLast; j += 2) multiply_across<1, kFirst>(tiles, m, blocks, kLast, j);
    multiply_diagonal<1, kFirst>(tiles, m, blocks, kLast);
  }
}

// Where a missing rating's factors are read.
alignas(64) inline constexpr char kZeros[2 * kMaxTileRank] = {};

// Asks for the factors of the ratings of row `k` in the block that follows.
template <class Block, int kTiles>
inline void prefetch_rows(const char* rows, int64_t row_bytes, const int32_t* next, int ahead,
                          int k) {
#pragma GCC unroll 4
  for (int e = Block::kGroup * k; e < Block::kGroup * (k + 1); ++e)
    if (e < ahead)
#pragma GCC unroll 8
      for (int64_t at = 0; at < Block::template kRowBytes<kTiles>; at += kTileRow)
        __builtin_prefetch(rows + next[e] * row_bytes + at);
}

// The right tiles of `count` ratings from `at` on: all of a block if `kWhole`. The factors of those
// that follow are asked for.
template <bool kWhole, class Block, int kTiles>
inline void pack_right(const TileTask& task, const Block& block, int64_t at, int count,
                       int8_t (&packed)[kTiles][2][kTileBytes]) {
  const auto* const factors = static_cast<const char*>(task.rows);
  const int64_t row_bytes = Block::template row_bytes<kTiles>(task);
  const int32_t* const indices = task.indices + at;
  const int64_t left = task.nnz - at - count;
  const int ahead = left < Block::kRatings ? static_cast<int>(left) : Block::kRatings;
  const auto row_of = [&](int k) {
    return kWhole || k < count ? factors + indices[k] * row_bytes : kZeros;
  };
  int k = 0;
  for (; Block::kGroup * k < count; ++k) {
    const char* rows[Block::kGroup];
#pragma GCC unroll 4
    for (int e = 0; e < Block::kGroup; ++e) rows[e] = row_of(Block::kGroup * k + e);
    prefetch_rows<Block, kTiles>(factors, row_bytes, indices + count, ahead, k);
    block.template interleave_rows<kTiles>(
        k, rows, [&](int tile, const auto& row) { store(packed[tile][0] + k * kTileRow, row); });
  }
  for (; k < kTileSide; ++k) {
    prefetch_rows<Block, kTiles>(factors, row_bytes, indices + count, ahead, k);
    for (int tile = 0; tile < kTiles; ++tile) store(packed[tile][0] + k * kTileRow, Bytes{});
  }
}

inline void pack_left(const int8_t* right, int8_t* left) {
  transpose(right, [left](int row, const Ints& words) { store(left + row * kTileRow, words); });
}

// Ratings [at, at + count) as tiles of a block.
template <class Block, int kTiles>
inline void pack_block(const TileTask& task, int64_t at, int count, Memory<Block, kTiles>& m,
                       int number) {
  auto& packed = m.packed[number];
  const Block block(task, at, count, m.ratings[number]);
  if (count == Block::kRatings)
    pack_right<true>(task, block, at, Block::kRatings, packed);
  else
    pack_right<false>(task, block, at, count, packed);
  for (int tile = 0; tile < kTiles; ++tile) pack_left(packed[tile][0], packed[tile][1]);
}

// The sums of ratings [begin, end).
template <class Block, int kTiles>
inline void form(Tiles& tiles, const TileTask& task, int64_t begin, int64_t end,
                 Memory<Block, kTiles>& m) {
  for (int64_t at = begin; at < end;) {
    const bool first = at == begin;
    int blocks = 0;
    for (; blocks < Memory<Block, kTiles>::kBlocks && at < end; ++blocks) {
      const int count = end - at < Block::kRatings ? static_cast<int>(end - at) : Block::kRatings;
      pack_block(task, at, count, m, blocks);
      at += count;
    }
    if (first)
      multiply_group<true>(tiles, m, blocks);
    else
      multiply_group<false>(tiles, m, blocks);
  }
}

// A_u over its scales, of the sums, in integers or in floats.
template <class Block, int kTiles, class Sum>
inline void make_matrix(const TileTask& task, Memory<Block, kTiles>& m,
                        const Sum (*sums)[kTileSide][kTileSide]) {
  constexpr int kWidth = kTiles * kTileSide;
  const auto put = [&](int row, int column, const Ints& bits) {
    Floats value;
    if constexpr (sizeof(Sum) == sizeof(float) && Sum(0.5) != Sum(0))
      value = reinterpret_cast<Floats>(bits);
    else
      value = __builtin_convertvector(bits, Floats);
    if (task.added != nullptr) value += load<Floats>(task.added + int64_t{row} * kWidth + column);
    store(&m.a[row][column], value);
  };
  for (int i = 0; i < kTiles; ++i)
    for (int j = 0; j <= i; ++j) {
      const auto* const tile = sums[tile_index(i, j)];
#pragma GCC unroll 4
      for (int row = 0; row < kTileSide; ++row)
        put(kTileSide * i + row, kTileSide * j, load<Ints>(tile[row]));
      if (i != j)
        transpose(tile, [&](int row, const Ints& bits) {
          put(kTileSide * j + row, kTileSide * i, bits);
        });
    }
}

// Vectors of a row's system.
template <int kTiles>
struct System {
  using Vector = Floats[kTiles];
  static constexpr int kWidth = kTiles * kTileSide;

  const float* scales;
  const float (*a)[kWidth];  // A_u over the scales but for the diagonal
  float* vector;             // memory for one
  float diagonal;            // what A_u's has added

  Floats scale(int tile) const { return load<Floats>(scales + kTileSide * tile); }

  static float dot(const Vector& a, const Vector& b) {
    Floats sum = a[0] * b[0];
#pragma GCC unroll 16
    for (int i = 1; i < kTiles; ++i) sum += a[i] * b[i];
    return total(sum);
  }

  // y = A_u v. A is symmetric: its rows times the elements of v add up to that.
  [[gnu::noinline]] void multiply(const Vector& v, Vector& y) const {
    constexpr int kChains = kTiles == 1 ? 8 : kTiles == 2 ? 4 : kTiles < 8 ? 2 : 1;
#pragma GCC unroll 16
    for (int i = 0; i < kTiles; ++i) store(vector + kTileSide * i, scale(i) * v[i]);
    Floats sums[kChains][kTiles] = {};
    for (int row = 0; row < kWidth; row += kChains)
#pragma GCC unroll 8
      for (int c = 0; c < kChains; ++c)
#pragma GCC unroll 16
        for (int i = 0; i < kTiles; ++i)
          sums[c][i] += vector[row + c] * load<Floats>(&a[row + c][kTileSide * i]);
#pragma GCC unroll 16
    for (int i = 0; i < kTiles; ++i) {
      Floats sum = sums[0][i];
#pragma GCC unroll 8
      for (int c = 1; c < kChains; ++c) sum += sums[c][i];
      y[i] = scale(i) * sum + diagonal * v[i];
    }
  }

  // Over the diagonal; 0 where that is zero, and so are its row and r.
  void inverse_diagonal(Vector& inverse) const {
#pragma GCC unroll 16
    for (int i = 0; i < kTiles; ++i) {
      Floats d;
      for (int e = 0; e < kTileSide; ++e) d[e] = a[kTileSide * i + e][kTileSide * i + e];
      d = scale(i) * scale(i) * d + diagonal;
      inverse[i] = d > 0 ? 1.0f / d : Floats{};
    }
  }
};

// As conjugate_gradient of cg.h; r begins as b.
template <int kTiles>
inline int solve(const System<kTiles>& system, const CgOptions& options, Floats (&x)[kTiles],
                 Floats (&r)[kTiles]) {
  using S = System<kTiles>;
  typename S::Vector p, ap, z, inverse = {};
  const float enough = options.tolerance * options.tolerance * S::dot(r, r);
  if (options.warm_start) {
    system.multiply(x, ap);
    for (int i = 0; i < kTiles; ++i) r[i] -= ap[i];
  }
  if (options.jacobi) system.inverse_diagonal(inverse);
  const auto precondition = [&] {
    for (int i = 0; i < kTiles; ++i) z[i] = options.jacobi ? r[i] * inverse[i] : r[i];
    return S::dot(r, z);
  };
  float rz = precondition();
  for (int i = 0; i < kTiles; ++i) p[i] = z[i];
  const auto goes_on = [&] { return (options.jacobi && enough > 0 ? S::dot(r, r) : rz) > enough; };
  int step = 0;
  bool finite = __builtin_isfinite(rz) && __builtin_isfinite(enough);
  for (; finite && step < options.steps && goes_on(); ++step) {
    system.multiply(p, ap);
    const float pap = S::dot(p, ap);
    if (pap <= 0) break;
    finite = __builtin_isfinite(pap);
    const float alpha = rz / pap;
    for (int i = 0; i < kTiles; ++i) x[i] += alpha * p[i];
    if (step + 1 == options.steps) continue;
    for (int i = 0; i < kTiles; ++i) r[i] -= alpha * ap[i];
    const float next = precondition();
    finite = finite && __builtin_isfinite(next);
    const float beta = next / rz;
    for (int i = 0; i < kTiles; ++i) p[i] = z[i] + beta * p[i];
    rz = next;
  }
  for (int i = 0; !finite && i < kTiles; ++i) x[i] += __builtin_nanf("");
  return step;
}

// The sums of rows that are longer than kMaxTileRatings, added up in floats.
template <class Block, int kTiles>
inline void form_long(Tiles& tiles, const TileTask& task, int64_t begin, int64_t end,
                      Memory<Block, kTiles>& m) {
  constexpr int kSums = sum_tiles(kTiles) * kTileSide;
  using Parts [[gnu::vector_size(64)]] = Block::Sum;
  auto* const sums = &m.sums[0][0];
  auto* const long_sums = &m.long_sums[0][0];
  for (int64_t at = begin; at < end; at += kMaxTileRatings) {
    form(tiles, task, at, end - at < kMaxTileRatings ? end : at + kMaxTileRatings, m);
    for (int i = 0; i < kSums; ++i) {
      const Floats part = __builtin_convertvector(load<Parts>(sums[i]), Floats);
      store(long_sums[i], at == begin ? part : load<Floats>(long_sums[i]) + part);
    }
  }
}

// A row's system and its solution; CG's steps.
template <class Block, int kTiles>
inline int update_row(Tiles& tiles, const TileTask& task, int64_t row, Memory<Block, kTiles>& m,
                      Floats (&x)[kTiles]) {
  const int64_t begin = task.offsets[row], end = task.offsets[row + 1], count = end - begin;
  const System<kTiles> system{task.scales, m.a, m.vector,
                              task.lambda * (task.weighted ? count : 1)};
  Floats r[kTiles];
  const auto make = [&](const auto* sums) {
    make_matrix(task, m, sums);
#pragma GCC unroll 16
    for (int i = 0; i < kTiles; ++i)
      r[i] = system.scale(i) * Block::bias(task, sums[tile_index(kTiles, 0) + i]);
  };
  if (count > kMaxTileRatings) {
    form_long(tiles, task, begin, end, m);
    make(m.long_sums);
  } else {
    form(tiles, task, begin, end, m);
    make(m.sums);
  }
  return solve(system, task.cg, x, r);
}

template <class Block, int kTiles>
inline Memory<Block, kTiles>& begin(void* memory) {
  auto& m = *static_cast<Memory<Block, kTiles>*>(memory);
  __builtin_memset(m.ratings, 0, sizeof(m.ratings));
  return m;
}

template <class Block, int kTiles>
void update(const TileTask& task, int64_t first, int64_t last, void* memory, uint32_t* largest) {
  auto& m = begin<Block, kTiles>(memory);
  constexpr int kWidth = kTiles * kTileSide;
  Tiles tiles;
  for (int64_t row = first; row < last; ++row) {
    float* const solution = task.solution + row * task.pitch;
    float values[kWidth];
    Floats x[kTiles] = {};
    int steps = 0;
    if (task.offsets[row] < task.offsets[row + 1]) {
      if (task.cg.warm_start) {
        for (int i = 0; i < kWidth; ++i)
          values[i] = task.features[i] >= 0 ? solution[task.features[i]] : 0.0f;
        for (int i = 0; i < kTiles; ++i) x[i] = load<Floats>(values + kTileSide * i);
      }
      steps = update_row(tiles, task, row, m, x);
    }
    for (int i = 0; i < kTiles; ++i) {
      store(values + kTileSide * i, x[i]);
      const Ints bits = reinterpret_cast<Ints>(x[i]) & 0x7fffffff;
      const Ints before = load<Ints>(largest + kTileSide * i);
      store(largest + kTileSide * i, bits > before ? bits : before);
    }
    for (int i = 0; i < kWidth; ++i)
      if (task.features[i] >= 0) solution[task.features[i]] = values[i];
    if (task.steps != nullptr) task.steps[row] = steps;
    if (task.status != nullptr) task.status[row] = 0;
  }
}

template <class Block, int kTiles>
void form_row(const TileTask& task, int64_t row, void* memory, void* sums) {
  auto& m = begin<Block, kTiles>(memory);
  Tiles tiles;
  form(tiles, task, task.offsets[row], task.offsets[row + 1], m);
  __builtin_memcpy(sums, m.sums, sizeof(m.sums));
}

template <class Block, int... i>
constexpr auto functions(std::integer_sequence<int, i...>) {
  struct Table {
    decltype(TileKernels::update) update[kMaxTileRank / kTileSide];
    decltype(TileKernels::form) form[kMaxTileRank / kTileSide];
    int64_t bytes[kMaxTileRank / kTileSide];
  };
  return Table{
      {update<Block, i + 1>...}, {form_row<Block, i + 1>...}, {sizeof(Memory<Block, i + 1>)...}};
}
template <class Block>
constexpr auto kFunctions =
    functions<Block>(std::make_integer_sequence<int, kMaxTileRank / kTileSide>());

template <class Block>
constexpr TileKernels kernels(const char* name, TileElement element) {
  return {name, element, [](int rank) { return kFunctions<Block>.bytes[tiles_of_rank(rank) - 1]; },
          [](const TileTask& task, int64_t first, int64_t last, void* memory, uint32_t* largest) {
            kFunctions<Block>.update[tiles_of_rank(task.rank) - 1](task, first, last, memory,
                                                                   largest);
          },
          [](const TileTask& task, int64_t row, void* memory, void* sums) {
            kFunctions<Block>.form[tiles_of_rank(task.rank) - 1](task, row, memory, sums);
          }};
}

}  // namespace alsbench::ALSBENCH_TILES
