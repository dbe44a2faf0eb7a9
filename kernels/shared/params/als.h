// SPDX-License-Identifier: Apache-2.0
// Arguments of the stages of one half-iteration of ALS. Every kernel of a stage, CUDA or CPU, takes
// them by value. docs/developing/design.md ("Stages") states shapes and units in words.
#pragma once

#include "kernels/shared/types.h"
#include "kernels/shared/views.h"

namespace alsbench {

// Where the pieces of rows longer than a chunk are in the workspace (rows/pieces.cuh), in bytes.
struct PieceLayout {
  int32_t chunk = 0;    // ratings of a piece
  int32_t ordered = 0;  // not 0: by the first column they name, else one row after another
  // Rows of more ratings are listed, and handed out before the others.
  int32_t listed_above = 0;
  int32_t all_listed = 0;     // 1: so are the others, behind them
  int32_t short_ratings = 0;  // rows of at most so many have a kernel of their own; 0: none
  int64_t items_at = 0, split_rows_at = 0, sums_at = 0;
};

// Arguments from the plan of a CUDA variant to its kernels, in addition to the operands of the
// stage: one compiled kernel serves every number.
struct PlanArguments {
  int32_t cg_steps = 0;    // at most
  float cg_tolerance = 0;  // the norm of the residual, relative to b's, at which CG ends
  PieceLayout pieces;
  int64_t factors_at = 0;  // in the workspace: a copy of the factors, where the variant makes one
};

// The stages of one half-iteration: hermitian, bias, normal_equations, solve, update. They treat
// the batch of rows [first_row, first_row + row_count) of `ratings`; batch row i is row first_row +
// i. A_u = sum theta theta^T + lambda n_u I and b_u = sum r theta over the n_u ratings of row u
// (paper, eq. 2; weighted lambda). A row without ratings has A_u = I and b_u = 0, in either
// storage, so every solver gives x_u = 0.
struct UpdateParams {
  RatingsView ratings;   // of the side being updated
  FactorsView factors;   // the fixed side: ratings.cols rows; in the type that `factors` names
  FactorsView solution;  // float; ratings.rows rows: previous iterate in, new iterate out
  float lambda = 0;      // before the weighting by n_u
  int64_t first_row = 0;
  int64_t row_count = 0;
  void* matrices =
      nullptr;  // row_count x rank x rank, dense and symmetric. float: A_u. half: A_u / n_u
  float* bias =
      nullptr;  // row_count x solution.pitch: b_u, never scaled; elements [rank, pitch) are zero
  int32_t* steps = nullptr;   // row_count: CG steps really taken; may be null
  int32_t* status = nullptr;  // row_count: 0, or the factorisation's info of that row; may be null
  void* workspace = nullptr;  // as many bytes as the variant's plan asked for
  // The stage update: its solutions once more, in the type of `factors` and at the same places; may
  // be null, and is where that type is float. Of a copy in bytes only the largest magnitudes are
  // written, raised where they were lower (kernels/shared/byte_factors.h). And how many finite ones
  // are infinite there, added to; may be null.
  void* rounded = nullptr;
  uint32_t* overflows = nullptr;
  PlanArguments plan;  // CUDA
};

}  // namespace alsbench
