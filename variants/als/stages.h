// SPDX-License-Identifier: Apache-2.0
// The stages of ALS. docs/developing/design.md ("Stages") states what each reads and
// writes.
#pragma once

#include "variants/core/stage.h"

namespace alsbench::stages {

extern const StageInfo hermitian;         // A_u of every row of the batch
extern const StageInfo bias;              // b_u
extern const StageInfo normal_equations;  // both
extern const StageInfo solve;             // x_u from A_u and b_u
extern const StageInfo update;            // a whole half-iteration without A_u in global memory
extern const StageInfo gram;              // the Gram matrix of one side's factors, weighted by n
extern const StageInfo rotate;            // factors times an orthogonal matrix
extern const StageInfo subsample;         // some of the ratings of each row, as ratings
extern const StageInfo blend;             // a weighted sum of two factor matrices
extern const StageInfo centre;         // ratings less the mean and what their columns' levels say
extern const StageInfo level_columns;  // the columns of factors that hold biases

}  // namespace alsbench::stages

namespace alsbench {

// Products with A_u that CG takes by a configuration, or took where its steps were measured.
double cg_products(const WorkOptions& options);

// Work of a batched factorisation of A_u alone, which counts as Cholesky.
Work factorization_work(const Shape& shape, const WorkOptions& options);

// The share of the ratings that the stage subsample takes where it is measured by itself.
constexpr double kMeasuredShare = 0.5;

}  // namespace alsbench
