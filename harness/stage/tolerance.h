// SPDX-License-Identifier: Apache-2.0
// How far a correct output may be from the FP64 reference on the same (rounded) inputs.
//
// Notation: u = 2^-24 is half a unit in the last place of float, n the terms of a sum.
// - A float sum of n products: each addition rounds a partial sum by at most u, in either
//   direction, so the relative error grows as u sqrt(n / 3) / sqrt(3) (random signs; the worst
//   case n u needs all of them equal). Twelve of those standard deviations, and one more rounding
//   each for the product and lambda n_u: 4 u (sqrt(n) + 1). It is relative to the sum of the terms'
//   magnitudes, which for A_u(i, j) is at most sqrt(A_ii A_jj) (Cauchy-Schwarz).
// - Tensor cores add to the accumulator by truncation (Fasi, Higham, Mikaitis, Pranesh, Numerical
//   behavior of NVIDIA tensor cores, PeerJ CS 2021): up to 2 u of the partial sum a step, always
//   toward zero. A step takes at least 8 terms, and the partial sums of n terms of one sign are
//   half the sum on average: u n / 8.
// - Those of sm_89 add products of e4m3 to the accumulator behind whose leading bit 13 are kept
//   (Zhang et al., SageAttention2, ICML 2025): of each of n terms what is below is cut off, up to
//   2^-13 of the partial sum, which is half the sum on average: 2^-14 n.
// - There a rating is the sum of two parts in the factors' type, of p bits: what is left over is at
//   most 2^-(2 p + 2) of it.
// - Storing in a type of p bits rounds once more by at most 2^-p: 2^-11 in half.
// - A backward stable solver solves (A + E) x = b with ||E|| / ||A|| a small multiple of u sqrt(f)
//   (Higham, Accuracy and Stability, ch. 10; random signs as above): 4 u (sqrt(f) + 1).
// - k steps of CG: the attainable accuracy is about u kappa a step, 8 u kappa (k + 1), with kappa
// <=
//   ||A|| / smallest eigenvalue, which is at least lambda n_u. On the way there rounding costs
//   orthogonality, and iterates in float leave those in double by much more, for a few steps, by an
//   amount that no simple bound meets (Greenbaum, Iterative methods, ch. 4). It is measured: plain
//   float CG on the same system in three orders of the coordinates, the largest departure times 30
//   (in a simulation of 45,000 iterates, kappa to 1000, times 10 fell short 4 times).
// - A variant that forms A_u and b_u itself solves a neighbouring system. What that does to its
//   iterates is measured in the same way: the float CG gets A_u and b_u with random errors of the
//   standard deviation of such sums, a twelfth of their tolerance.
// - One that then keeps A_u's sums in half solves the system with those rounded, and is held
// against
//   that. The errors of its sums show where they take an element across a tie, by 2^-10 of it: the
//   float CG gets A_u with errors of the whole tolerance in either direction, and rounded.
#pragma once

#include <cstdint>

#include "variants/core/stage.h"

namespace alsbench {

constexpr double kDeviationsInATolerance = 12;

double sum_tolerance(int64_t terms);
double truncation_tolerance(int64_t terms);  // what tensor cores add to sum_tolerance
double short_sum_tolerance(int64_t terms);   // the same of products of e4m3 on sm_89
double two_parts_tolerance(Scalar scalar);   // of a number as the sum of two parts of that type
double storage_tolerance(Scalar scalar);     // of one rounding to that type; 0 for fp32
double solver_tolerance(int32_t rank);       // of ||b - A x|| / (||A|| ||x|| + ||b||)
// Of ||x_k - ref|| / ||x||; `departure` is that of plain float CG.
double cg_tolerance(double condition, int steps, double departure);

}  // namespace alsbench
