// SPDX-License-Identifier: Apache-2.0
// Host computations of a sketch of the ratings, between its products on the device.
#pragma once

#include <cstdint>

namespace alsbench {

// Y is X' E for a sketch E and columns X whose Gram matrix is `gram`; that of Y is `products`. The
// basis B, rank x rank and row-major, makes Y B the products of E with orthonormal columns that
// span X's: B is the inverse of gram's Cholesky factor. It scales them all alike, so the mean
// square of Y B's rows, over `weight`, is `row_norm` squared. Its first column is zero, and those
// of B follow but the last. Returns false, and leaves `basis` alone, where X or Y is zero or not
// finite.
struct SketchGrams {
  const float* gram = nullptr;      // rank x rank
  const float* products = nullptr;  // rank x rank
  int rank = 0;
  double weight = 1;  // the sum of both sides' weights: ratings
  double row_norm = 1;
};
bool sketch_basis(const SketchGrams& grams, float* basis);

}  // namespace alsbench
