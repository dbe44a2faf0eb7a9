// SPDX-License-Identifier: Apache-2.0
// Arguments of the stages of implicit ALS (Hu, Koren, Volinsky, Collaborative Filtering for
// Implicit Feedback Datasets, ICDM 2008). A rating above zero says that a user prefers an item;
// every other cell, with or without a rating, says so little that it counts as not preferred.
#pragma once

#include "kernels/shared/params/als.h"
#include "kernels/shared/partials.h"

namespace alsbench {

// The confidence c = 1 + alpha r in a cell beyond that of a cell without a rating, which is 1.
ALSBENCH_HOST_DEVICE constexpr float added_confidence(float rating, float alpha) {
  return rating > 0 ? alpha * rating : 0.0f;
}

// Weights of a rating in the equations of its row: c - 1, and c p.
struct CellWeights {
  float added;
  float target;
};
// `direct`: c = alpha |r| in place of 1 + alpha r, and a rating below zero says that a user does
// not prefer the item. c - 1 is then negative where c is below 1.
ALSBENCH_HOST_DEVICE constexpr CellWeights cell_weights(float rating, float alpha, bool direct) {
  const float scaled = alpha * (rating < 0 ? -rating : rating);
  if (direct) return {scaled - 1, rating > 0 ? scaled : 0.0f};
  const float added = added_confidence(rating, alpha);
  return {added, rating > 0 ? 1 + added : 0.0f};
}

// The stages implicit_equations and implicit_update: A_u = Theta^T Theta + sum (c - 1) theta
// theta^T + lambda I and b_u = sum c p theta, where p = 1 for ratings above zero and 0 for others.
// Batches, and A_u and b_u of a row without ratings, are those of UpdateParams.
struct ImplicitParams {
  // First, since kernels that know nothing of a stage but its rows take UpdateParams.
  UpdateParams update;          // operands of normal equations, or of an update
  const float* gram = nullptr;  // Theta^T Theta over all rows: rank x rank, dense and symmetric
  float alpha = 0;
  int32_t weighted = 0;  // not 0: lambda n_u in place of lambda
  // CUDA: the Gram matrix as tensor-core sums lie in a warp, at the end of the workspace.
  void* gram_tiles = nullptr;
  int32_t direct = 0;  // not 0: confidences are direct (cell_weights); on the CPU alone
};

// The stage implicit_loss: sums over `ratings` (train or test, user side), s being x . theta.
struct ImplicitLossParams {
  RatingsView ratings;
  FactorsView x;      // float, ratings.rows rows
  FactorsView theta;  // float, ratings.cols rows
  float alpha = 0;
  // kLossPartials each, to be added up
  double* losses = nullptr;      // c (p - s)^2 - s^2: what a rating adds to the loss of its cell
  double* squares = nullptr;     // s^2
  double* confidence = nullptr;  // c - 1
  Partials partials = {};
  int32_t direct = 0;  // as of ImplicitParams
};
inline constexpr int kLossPartials = Partials::kCount;

}  // namespace alsbench
