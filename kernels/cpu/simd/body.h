// SPDX-License-Identifier: Apache-2.0
// The one body of SimdKernels: included by a source file per instruction set, which names the
// namespace ALSBENCH_SIMD and is compiled with that set's flags (kernels/CMakeLists.txt). No
// standard inline functions here: the linker could keep a copy with instructions that the processor
// lacks.
#pragma once

#include <utility>  // integer sequences only

#include "kernels/cpu/simd/simd.h"
#include "kernels/shared/fma_chain.h"
#include "kernels/shared/gather_rows.h"

#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace alsbench::ALSBENCH_SIMD {

#if defined(__AVX512F__)
constexpr int kWidth = 16;
#elif defined(__AVX2__)
constexpr int kWidth = 8;
#else
constexpr int kWidth = 4;
#endif
using Vector [[gnu::vector_size(kWidth * 4)]] = float;
using Unaligned [[gnu::vector_size(kWidth * 4), gnu::aligned(4), gnu::may_alias]] = float;

inline Vector load(const float* p) { return *reinterpret_cast<const Unaligned*>(p); }
inline void store(float* p, Vector v) { *reinterpret_cast<Unaligned*>(p) = v; }

#if defined(__AVX512F__)
inline Vector load_half(const uint16_t* p) {
  // the masked forms: g++ 12 warns of the undefined source register of the plain ones
  return _mm512_maskz_cvtph_ps(0xFFFF, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
inline void store_half(uint16_t* p, Vector v) {
  _mm256_storeu_si256(
      reinterpret_cast<__m256i*>(p),
      _mm512_maskz_cvtps_ph(0xFFFF, v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
#elif defined(__F16C__) && defined(__AVX2__)
inline Vector load_half(const uint16_t* p) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
inline void store_half(uint16_t* p, Vector v) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
}
#else
inline Vector load_half(const uint16_t* p) {
  Vector v;
  for (int i = 0; i < kWidth; ++i) v[i] = reinterpret_cast<const _Float16*>(p)[i];
  return v;
}
inline void store_half(uint16_t* p, Vector v) {
  for (int i = 0; i < kWidth; ++i) reinterpret_cast<_Float16*>(p)[i] = static_cast<_Float16>(v[i]);
}
#endif

template <int Rows, int Vectors>
inline void tile(const float* __restrict g, int count, int64_t ld, float* __restrict c,
                 bool accumulate, int64_t row, int64_t column) {
  Vector sums[Rows][Vectors] = {};
  const float* left = g + row;
  const float* right = g + column;
  for (int k = 0; k < count; ++k, left += ld, right += ld) {
    Vector b[Vectors];
#pragma GCC unroll 4
    for (int j = 0; j < Vectors; ++j) b[j] = load(right + int64_t{j} * kWidth);
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
      for (int j = 0; j < Vectors; ++j) sums[i][j] += left[i] * b[j];
  }
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
    for (int j = 0; j < Vectors; ++j) {
      float* target = c + (row + i) * ld + column + int64_t{j} * kWidth;
      store(target, accumulate ? load(target) + sums[i][j] : sums[i][j]);
    }
}

template <int Rows, int Vectors>
void lower_tiles(const float* g, int count, int rank, int64_t ld, float* c, bool accumulate) {
  for (int64_t row = 0; row < rank; row += Rows) {
    const int64_t last = row + Rows < rank ? row + Rows : rank;  // columns of the triangle here
    int64_t column = 0;
    for (; column + int64_t{Vectors - 1} * kWidth < last; column += int64_t{Vectors} * kWidth)
      tile<Rows, Vectors>(g, count, ld, c, accumulate, row, column);
    for (; column < last; column += kWidth) tile<Rows, 1>(g, count, ld, c, accumulate, row, column);
  }
}

bool rank_update(RegisterTile shape, const float* g, int count, int rank, int64_t ld, float* c,
                 bool accumulate) {
  switch (shape.rows * 16 + shape.vectors) {
    case 4 * 16 + 2:
      lower_tiles<4, 2>(g, count, rank, ld, c, accumulate);
      return true;
    case 6 * 16 + 2:
      lower_tiles<6, 2>(g, count, rank, ld, c, accumulate);
      return true;
    case 8 * 16 + 2:
      lower_tiles<8, 2>(g, count, rank, ld, c, accumulate);
      return true;
    case 12 * 16 + 2:
      lower_tiles<12, 2>(g, count, rank, ld, c, accumulate);
      return true;
    default:
      return false;
  }
}

// One stage of a transposition: rows kStep apart exchange the parts of a block 2 kStep wide that
// lie off its diagonal.
template <int kStep, int... j>
inline void exchange(Vector& upper, Vector& lower, std::integer_sequence<int, j...>) {
  const Vector a = upper, b = lower;
  upper = __builtin_shufflevector(a, b, ((j & kStep) != 0 ? kWidth + j - kStep : j)...);
  lower = __builtin_shufflevector(a, b, ((j & kStep) != 0 ? kWidth + j : j + kStep)...);
}
template <int kStep = kWidth / 2>
inline void transpose(Vector (&rows)[kWidth]) {
#pragma GCC unroll 16
  for (int i = 0; i < kWidth; ++i)
    if ((i & kStep) == 0)
      exchange<kStep>(rows[i], rows[i + kStep], std::make_integer_sequence<int, kWidth>());
  if constexpr (kStep > 1) transpose<kStep / 2>(rows);
}

// Rows [row, row + kWidth) and columns [column, ...) of the symmetric matrix of which c has the
// lower triangle.
inline void symmetric_block(const float* c, int64_t ld, int64_t row, int64_t column,
                            Vector (&block)[kWidth]) {
  const bool above = column > row;
  const float* source = above ? c + column * ld + row : c + row * ld + column;
#pragma GCC unroll 16
  for (int i = 0; i < kWidth; ++i) block[i] = load(source + i * ld);
  if (above) transpose(block);
  if (row != column) return;
  Vector mirrored[kWidth];
#pragma GCC unroll 16
  for (int i = 0; i < kWidth; ++i) mirrored[i] = block[i];
  transpose(mirrored);
  for (int i = 0; i < kWidth; ++i)
    for (int j = i + 1; j < kWidth; ++j) block[i][j] = mirrored[i][j];
}

void unpack_lower(const float* c, int64_t ld, int rank, float* whole) {
  const int last = (rank - 1) / kWidth * kWidth;
  for (int row = 0; row < rank; row += kWidth) {
    const int rows = row < last ? kWidth : rank - last;
    // From the last column to the first: what a vector writes past the end of its row belongs to
    // the next row's first columns, which come later.
    for (int column = last; column >= 0; column -= kWidth) {
      Vector block[kWidth];
      symmetric_block(c, ld, row, column, block);
      for (int i = 0; i < rows; ++i)
        store(whole + static_cast<int64_t>(row + i) * rank + column, block[i]);
    }
  }
}

#if defined(__AVX512F__)
inline void store_past_caches(float* p, Vector v) { _mm512_stream_ps(p, v); }
inline void finish_stores() { _mm_sfence(); }
#elif defined(__AVX2__)
inline void store_past_caches(float* p, Vector v) { _mm256_stream_ps(p, v); }
inline void finish_stores() { _mm_sfence(); }
#else
inline void store_past_caches(float* p, Vector v) { store(p, v); }
inline void finish_stores() {}
#endif

void stream(const float* from, float* to, int64_t count) {
  constexpr uintptr_t kBytes = kWidth * sizeof(float);
  int64_t i = 0;
  for (; i < count && reinterpret_cast<uintptr_t>(to + i) % kBytes != 0; ++i) to[i] = from[i];
  for (; i + kWidth <= count; i += kWidth) store_past_caches(to + i, load(from + i));
  for (; i < count; ++i) to[i] = from[i];
  finish_stores();
}

// A vector whose element j is the sum over row j % kRows, all in about two operations a row: in
// each stage two rows become one, which keeps its sums of the first where j & kStep is zero and
// those of the second elsewhere; the last row that is left is folded.
template <int kStep = 1, int kRows>
inline Vector row_sums(Vector (&rows)[kRows]) {
  if constexpr (kStep == kWidth) {
    return rows[0];
  } else {
#pragma GCC unroll 16
    for (int i = 0; i < kRows; i += 2 * kStep) {
      Vector a = rows[i], b = rows[kStep < kRows ? i + kStep : i];
      exchange<kStep>(a, b, std::make_integer_sequence<int, kWidth>());
      rows[i] = a + b;
    }
    return row_sums<2 * kStep>(rows);
  }
}

inline float sum(Vector v) {
  Vector rows[1] = {v};
  return row_sums(rows)[0];
}

float dot(const float* a, const float* b, int count) {
  Vector sums = {};
  int i = 0;
  for (; i + kWidth <= count; i += kWidth) sums += load(a + i) * load(b + i);
  float total = sum(sums);
  for (; i < count; ++i) total += a[i] * b[i];
  return total;
}

void row_products(const float* g, int64_t count, int64_t ld, const float* x, int rank, float* y) {
  const int whole = rank / kWidth * kWidth;
  int64_t i = 0;
  for (; i + kWidth <= count; i += kWidth, g += kWidth * ld) {
    Vector sums[kWidth] = {};
    for (int j = 0; j < whole; j += kWidth) {
      const Vector right = load(x + j);
#pragma GCC unroll 16
      for (int r = 0; r < kWidth; ++r) sums[r] += load(g + r * ld + j) * right;
    }
    store(y + i, row_sums(sums));
    for (int r = 0; r < kWidth; ++r)
      for (int j = whole; j < rank; ++j) y[i + r] += g[r * ld + j] * x[j];
  }
  for (; i < count; ++i, g += ld) y[i] = dot(g, x, rank);
}

void axpy(float alpha, const float* x, float* y, int count) {
  for (int i = 0; i < count; ++i) y[i] += alpha * x[i];
}

void scale_add(const float* x, float beta, float* y, int count) {
  for (int i = 0; i < count; ++i) y[i] = x[i] + beta * y[i];
}

void exchange_add(float a, float b, float* x, float* y, int count) {
  int i = 0;
  for (; i + kWidth <= count; i += kWidth) {
    const Vector left = load(x + i), right = load(y + i);
    store(x + i, a * left + b * right);
    store(y + i, a * right + b * left);
  }
  for (; i < count; ++i) {
    const float left = x[i], right = y[i];
    x[i] = a * left + b * right;
    y[i] = a * right + b * left;
  }
}

inline Vector load_row(const float* p) { return load(p); }
inline Vector load_row(const uint16_t* p) { return load_half(p); }
inline float element(const float* p) { return *p; }
inline float element(const uint16_t* p) {
  return static_cast<float>(*reinterpret_cast<const _Float16*>(p));
}

// Four rows at a time, so each load of x serves four products.
template <class T>
inline void multiply_rows(const T* a, int rank, const float* x, float* y) {
  int row = 0;
  for (; row + 4 <= rank; row += 4) {
    Vector sums[4] = {};
    int k = 0;
    for (; k + kWidth <= rank; k += kWidth) {
      const Vector right = load(x + k);
#pragma GCC unroll 4
      for (int r = 0; r < 4; ++r)
        sums[r] += load_row(a + static_cast<int64_t>(row + r) * rank + k) * right;
    }
    float totals[kWidth];
    store(totals, row_sums(sums));
    for (int r = 0; r < 4; ++r) {
      float total = totals[r];
      for (int i = k; i < rank; ++i)
        total += element(a + static_cast<int64_t>(row + r) * rank + i) * x[i];
      y[row + r] = total;
    }
  }
  for (; row < rank; ++row) {
    float total = 0;
    for (int i = 0; i < rank; ++i)
      total += element(a + static_cast<int64_t>(row) * rank + i) * x[i];
    y[row] = total;
  }
}

void multiply(const float* a, int rank, const float* x, float* y) { multiply_rows(a, rank, x, y); }
void multiply_half(const uint16_t* a, int rank, const float* x, float* y) {
  multiply_rows(a, rank, x, y);
}

// w_r = row r . v, of kRows rows; the rest of w is overwritten.
template <int kRows>
inline void multiply_group(const float* rows, int64_t ld, const float* v, float (&w)[kWidth]) {
  Vector dots[kRows] = {};
  for (int64_t i = 0; i < ld; i += kWidth) {
    const Vector right = load(v + i);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) dots[r] += load(rows + r * ld + i) * right;
  }
  store(w, row_sums(dots));
}

// add_products for kRows rows at a time, from row k on; returns the first row that is left over.
template <int kRows>
inline int64_t add_groups(const float* g, int64_t k, int64_t count, int64_t ld, const float* v,
                          const float* b, float* y) {
  for (; k + kRows <= count; k += kRows) {
    const float* rows = g + k * ld;
    float w[kWidth];
    multiply_group<kRows>(rows, ld, v, w);
    if (b != nullptr)
      for (int r = 0; r < kRows; ++r) w[r] = b[k + r] - w[r];
    for (int64_t i = 0; i < ld; i += kWidth) {
      Vector sums[2] = {load(y + i)};  // two, so an addition need not wait for the last one
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) sums[r % 2] += w[r] * load(rows + r * ld + i);
      store(y + i, sums[0] + sums[1]);
    }
  }
  return k;
}

void add_products(const float* g, int64_t count, int64_t ld, const float* v, const float* b,
                  float* y) {
  const int64_t left = add_groups<kProductRows>(g, 0, count, ld, v, b, y);
  add_groups<1>(g, left, count, ld, v, b, y);
}

double add_squares(const float* g, int64_t count, int64_t ld, const float* v, double sum) {
  float w[kWidth];
  int64_t k = 0;
  for (; k + kProductRows <= count; k += kProductRows) {
    multiply_group<kProductRows>(g + k * ld, ld, v, w);
    sum += double{w[0] * w[0] + w[1] * w[1]} + double{w[2] * w[2] + w[3] * w[3]};
  }
  for (; k < count; ++k) {
    multiply_group<1>(g + k * ld, ld, v, w);
    sum += double{w[0] * w[0]};
  }
  return sum;
}

// Rows of U that follow from each other: the part of them in their own columns.
struct CholeskyBlock {
  float scales[kCholeskyRows];                // 1 / U_ii
  float above[kCholeskyRows][kCholeskyRows];  // U_pi of rows p < i
};

// Two vectors of each of a block's rows, less what the rows of U above the block take of them.
inline void load_block(const float* system, int64_t ld, int64_t row, int64_t column,
                       Vector (&left)[kCholeskyRows][2]) {
#pragma GCC unroll 4
  for (int i = 0; i < kCholeskyRows; ++i)
    for (int j = 0; j < 2; ++j) left[i][j] = load(system + (row + i) * ld + column + j * kWidth);
  for (int64_t k = 0; k < row; ++k) {
    const float* above = system + k * ld;
    const Vector first = load(above + column), second = load(above + column + kWidth);
#pragma GCC unroll 4
    for (int i = 0; i < kCholeskyRows; ++i) {
      left[i][0] -= above[row + i] * first;
      left[i][1] -= above[row + i] * second;
    }
  }
}

inline void store_block(float* system, int64_t ld, int64_t row, int64_t column,
                        const Vector (&rows)[kCholeskyRows][2]) {
#pragma GCC unroll 4
  for (int i = 0; i < kCholeskyRows; ++i)
    for (int j = 0; j < 2; ++j) store(system + (row + i) * ld + column + j * kWidth, rows[i][j]);
}

// Row i of the block from what is left of it, once the rows before it are done.
inline void finish_row(const CholeskyBlock& block, int i, Vector (&rows)[kCholeskyRows][2]) {
#pragma GCC unroll 4
  for (int p = 0; p < i; ++p)
    for (int j = 0; j < 2; ++j) rows[i][j] -= block.above[p][i] * rows[p][j];
  for (int j = 0; j < 2; ++j) rows[i][j] *= block.scales[i];
}

using Lanes [[gnu::vector_size(kWidth * 4)]] = int;
template <int... i>
constexpr Lanes lane_numbers(std::integer_sequence<int, i...>) {
  return Lanes{i...};
}

// `v` with zeros before element `first`.
inline Vector from_element(Vector v, int first) {
  return lane_numbers(std::make_integer_sequence<int, kWidth>()) >= first ? v : Vector{};
}

// The two vectors in which the block's own columns lie, from element `lane` of the first on. Fills
// `block`. Returns 0, or which row, from 1, has no positive pivot.
inline int factorize_block(int lane, Vector (&rows)[kCholeskyRows][2], CholeskyBlock& block) {
#pragma GCC unroll 4
  for (int i = 0; i < kCholeskyRows; ++i) {
    block.scales[i] = 1;
    finish_row(block, i, rows);
    const float pivot = rows[i][0][lane + i];
    if (!(pivot > 0)) return i + 1;
    block.scales[i] = 1 / __builtin_sqrtf(pivot);
    for (int j = 0; j < 2; ++j) rows[i][j] *= block.scales[i];
    for (int q = i + 1; q < kCholeskyRows; ++q) block.above[i][q] = rows[i][0][lane + q];
    rows[i][0] = from_element(rows[i][0], lane + i);
  }
  return 0;
}

// A = U^T U, and U^T y = b, whose y takes the place of b in column `bias`.
inline int factorize(float* system, int rank, int64_t ld, int64_t bias) {
  for (int64_t row = 0; row < rank; row += kCholeskyRows) {
    int64_t column = row / kWidth * kWidth;
    Vector rows[kCholeskyRows][2];
    CholeskyBlock block;
    load_block(system, ld, row, column, rows);
    if (const int failed = factorize_block(static_cast<int>(row - column), rows, block);
        failed != 0)
      return static_cast<int>(row) + failed;
    store_block(system, ld, row, column, rows);
    for (column += 2 * kWidth; column <= bias; column += 2 * kWidth) {
      load_block(system, ld, row, column, rows);
#pragma GCC unroll 4
      for (int i = 0; i < kCholeskyRows; ++i) finish_row(block, i, rows);
      store_block(system, ld, row, column, rows);
    }
  }
  return 0;
}

int solve_cholesky(float* system, int rank, float* x) {
  const int64_t ld = cholesky_pitch(rank), bias = cholesky_rows(rank);
  if (const int failed = factorize(system, rank, ld, bias); failed != 0) return failed;
  for (int64_t i = 0; i < ld; ++i) x[i] = 0;
  for (int64_t row = bias - kCholeskyRows; row >= 0; row -= kCholeskyRows) {
    const float* rows = system + row * ld;
    Vector sums[kCholeskyRows] = {};  // with what is known of x: zero so far in these columns
    for (int64_t column = row / kWidth * kWidth; column < rank; column += kWidth) {
      const Vector known = load(x + column);
#pragma GCC unroll 4
      for (int i = 0; i < kCholeskyRows; ++i) sums[i] += load(rows + i * ld + column) * known;
    }
    float totals[kWidth];
    store(totals, row_sums(sums));
    for (int i = kCholeskyRows - 1; i >= 0; --i) {
      const float* own = rows + i * ld;
      float left = own[bias] - totals[i];
      for (int j = i + 1; j < kCholeskyRows; ++j) left -= own[row + j] * x[row + j];
      x[row + i] = left / own[row + i];
    }
  }
  return 0;
}

void from_half(const uint16_t* half, float* value, int count) {
  int i = 0;
  for (; i + kWidth <= count; i += kWidth) store(value + i, load_half(half + i));
  for (; i < count; ++i) value[i] = element(half + i);
}

void to_half(const float* value, float scale, uint16_t* half, int count) {
  int i = 0;
  for (; i + kWidth <= count; i += kWidth) store_half(half + i, load(value + i) * scale);
  for (; i < count; ++i)
    reinterpret_cast<_Float16*>(half)[i] = static_cast<_Float16>(value[i] * scale);
}

void to_bytes(const float* values, float weight, const float* inverses, int rank, int8_t* bytes) {
  constexpr int kGroup = 16;
  constexpr float kLargest = 127;
  for (int first = 0; first < rank; first += kGroup) {
    const int count = rank - first < kGroup ? rank - first : kGroup;
    int8_t levels[kGroup] = {};
    for (int i = 0; i < count; ++i) {
      const float level = __builtin_rintf(values[first + i] * weight * inverses[first + i]);
      levels[i] = static_cast<int8_t>(level > kLargest    ? kLargest
                                      : level < -kLargest ? -kLargest
                                                          : level);
    }
    for (int i = 0; i < kGroup / 2; ++i) {
      bytes[first + 2 * i] = levels[i];
      bytes[first + 2 * i + 1] = levels[kGroup / 2 + i];
    }
  }
}

// As many as hide an addition's latency, and as registers hold.
constexpr int kChainVectors = kWidth == 16 ? 16 : 12;

void step_chains(float* chains, int steps) {
  Vector x[kChainVectors];
#pragma GCC unroll 16
  for (int i = 0; i < kChainVectors; ++i) x[i] = load(chains + i * kWidth);
  for (int step = 0; step < steps; ++step) {
#pragma GCC unroll 16
    for (int i = 0; i < kChainVectors; ++i) x[i] = x[i] * kFmaFactor + kFmaTerm;
  }
#pragma GCC unroll 16
  for (int i = 0; i < kChainVectors; ++i) store(chains + i * kWidth, x[i]);
}

uint32_t sum_rows(const uint32_t* source, int row_bits, uint32_t state, int64_t rows) {
  using Words [[gnu::vector_size(kWidth * 4)]] = uint32_t;
  using UnalignedWords [[gnu::vector_size(kWidth * 4), gnu::aligned(4), gnu::may_alias]] = uint32_t;
  constexpr int kSums = 4;
  Words sums[kSums] = {};
  for (int64_t i = 0; i < rows; ++i) {
    state = state * kGatherFactor + kGatherTerm;
    const uint32_t* row = source + static_cast<int64_t>(state >> (32 - row_bits)) * kGatherWords;
#pragma GCC unroll 32
    for (int k = 0; k < kGatherWords / kWidth; ++k)
      sums[k % kSums] += *reinterpret_cast<const UnalignedWords*>(row + k * kWidth);
  }
  const Words all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  uint32_t sum = 0;
  for (int i = 0; i < kWidth; ++i) sum += all[i];
  return sum;
}

// The compiler makes vectors of it where the type of numbers is no variable.
template <Numbers kNumbers>
Digest digest_of(const uint32_t* words, int64_t first, int64_t count) {
  // hash_of_word(), whose product of a constant and the place grows by the constant.
  constexpr uint64_t kStep = 0x9e3779b97f4a7c15ull;
  uint64_t hash = 0, not_finite = 0, place = kStep * static_cast<uint64_t>(first + 1);
  for (int64_t i = 0; i < count; ++i, place += kStep) {
    hash += mix64(words[i] + place);
    not_finite += not_finite_in(words[i], first + i, kNumbers);
  }
  return {hash, not_finite};
}

Digest digest(const uint32_t* words, int64_t first, int64_t count, Numbers numbers) {
  switch (numbers) {
    case Numbers::fp32:
      return digest_of<Numbers::fp32>(words, first, count);
    case Numbers::fp16:
      return digest_of<Numbers::fp16>(words, first, count);
    case Numbers::bf16:
      return digest_of<Numbers::bf16>(words, first, count);
    case Numbers::fp64:
      return digest_of<Numbers::fp64>(words, first, count);
    default:
      return digest_of<Numbers::other>(words, first, count);
  }
}

constexpr SimdKernels kernels(const char* name) {
  return {name,
          kWidth,
          rank_update,
          unpack_lower,
          stream,
          dot,
          row_products,
          axpy,
          scale_add,
          exchange_add,
          multiply,
          multiply_half,
          add_products,
          add_squares,
          solve_cholesky,
          from_half,
          to_half,
          to_bytes,
          kChainVectors * kWidth,
          step_chains,
          sum_rows,
          digest};
}

}  // namespace alsbench::ALSBENCH_SIMD
