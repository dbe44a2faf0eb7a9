// SPDX-License-Identifier: Apache-2.0
// The inner loops of the CPU backend, compiled for several instruction sets (simd/*.cpp, one body)
// and chosen once at run time. The stages of kernels/cpu call them through simd().
#pragma once

#include <cstdint>

#include "kernels/shared/regions.h"

namespace alsbench {

// A register tile: `rows` rows times `vectors` vectors of the instruction set's width.
struct RegisterTile {
  int rows = 6;
  int vectors = 2;
};

constexpr int64_t kWidestVector = 16;  // floats
constexpr int64_t kProductRows = 4;    // that add_products takes at a time
constexpr int64_t kCholeskyRows = 4;   // that solve_cholesky factorises at a time

struct SimdKernels {
  const char* name;
  int width;  // floats in a vector

  // Lower triangle, in whole tiles, of C (+)= G^T G. G is count x ld; C is rank_update_rows x ld; G
  // has zero columns from rank on. Returns false for a tile that is not built.
  bool (*rank_update)(RegisterTile tile, const float* g, int count, int rank, int64_t ld, float* c,
                      bool accumulate);
  // The lower triangle of c (rank_update_rows x ld) as the whole symmetric matrix `whole`, rank x
  // rank; as many floats as a vector has are overwritten behind it.
  void (*unpack_lower)(const float* c, int64_t ld, int rank, float* whole);
  // A copy that leaves the caches alone, for what is not read again soon.
  void (*stream)(const float* from, float* to, int64_t count);
  float (*dot)(const float* a, const float* b, int count);
  // y_i = row i of g . x; g is count x ld, and x has `rank` floats.
  void (*row_products)(const float* g, int64_t count, int64_t ld, const float* x, int rank,
                       float* y);
  void (*axpy)(float alpha, const float* x, float* y, int count);      // y += alpha x
  void (*scale_add)(const float* x, float beta, float* y, int count);  // y = x + beta y
  // x = a x + b y and y = a y + b x at once, both of the old x and y.
  void (*exchange_add)(float a, float b, float* x, float* y, int count);
  void (*multiply)(const float* a, int rank, const float* x, float* y);  // y = A x, A rank x rank
  void (*multiply_half)(const uint16_t* a, int rank, const float* x, float* y);
  // y += sum over k of w_k g_k, where w_k = g_k . v, or b_k - g_k . v where b is not null. g_k is
  // row k of g, count x ld; ld is a multiple of kWidestVector; v and y have ld floats. A call for
  // each part of g gives the bits of one for all, where all parts but the last have a multiple of
  // kProductRows rows.
  void (*add_products)(const float* g, int64_t count, int64_t ld, const float* v, const float* b,
                       float* y);
  // `sum` plus the squares of g_k . v over all k; in parts as add_products.
  double (*add_squares)(const float* g, int64_t count, int64_t ld, const float* v, double sum);
  // Solves A x = b by A = U^T U, row by row from the top. `system` is cholesky_rows x
  // cholesky_pitch, and U overwrites it: row i has A's elements [i, rank) in their columns and b_i
  // in column cholesky_rows; the rows from rank on are those of a unit matrix; all other columns
  // from rank on are zero. x has cholesky_pitch floats. Returns 0, or the number, from 1, of the
  // first pivot that is not positive; x is not written then.
  int (*solve_cholesky)(float* system, int rank, float* x);
  void (*from_half)(const uint16_t* half, float* value, int count);
  void (*to_half)(const float* value, float scale, uint16_t* half, int count);  // of scale * value
  // A row of factors times a weight as signed bytes, at their places
  // (kernels/shared/byte_factors.h) in whole groups of 16; `inverses`: of the scales.
  void (*to_bytes)(const float* values, float weight, const float* inverses, int rank,
                   int8_t* bytes);
  // The ceiling fma: `chains` numbers, so many steps on (kernels/shared/fma_chain.h).
  int chains;
  void (*step_chains)(float* chains, int steps);
  // The gather ceilings: the sum of all words of rows drawn from `state` on, of 2^row_bits rows
  // (kernels/shared/gather_rows.h).
  uint32_t (*sum_rows)(const uint32_t* source, int row_bits, uint32_t state, int64_t rows);
  // Digest of `count` words of a region, of which the first has index `first`; all add up to its.
  Digest (*digest)(const uint32_t* words, int64_t first, int64_t count, Numbers numbers);
};

// Those of the widest instruction set that this processor has.
const SimdKernels& simd();
// Number `index` of all that this processor can run, widest first; null past the last.
const SimdKernels* supported_simd(int index);

// Leading dimension, in floats, of the G and C of rank_update, and rows of C: whole tiles and
// vectors touch more than rank of both.
int64_t rank_update_pitch(int rank);
int64_t rank_update_rows(int rank);

// Rows of the system of solve_cholesky, in whole blocks, and its leading dimension in floats.
int64_t cholesky_rows(int rank);
int64_t cholesky_pitch(int rank);

}  // namespace alsbench
