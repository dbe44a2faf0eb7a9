// SPDX-License-Identifier: Apache-2.0
// The stage and the pipelines of stochastic gradient descent (kernels/shared/params/sgd.h).
#pragma once

#include "variants/core/pipeline_grammar.h"
#include "variants/core/variant.h"

namespace alsbench {

namespace stages {
extern const StageInfo sgd_epoch;  // every rating once
}

const PipelineGrammar& sgd_pipelines();

namespace sgd_parameters {

// Ratings of a row that stay together, and the size of the grid: a variant has one of them.
inline const Parameter kRun{
    .name = "run",
    .values = {16, 1, 4, 64},
    .description =
        "ratings of a row that follow each other, its factors in registers; runs are "
        "shuffled, and 1 shuffles the ratings",
    .effect = Effect::storage,
    .operand = Operand::ratings};
Parameter grid(std::vector<Value> sizes);
// Of both factor matrices. The first is the default.
Parameter factors(std::vector<Value> types);
// Ratings that a worker takes at a time; as many as Xie et al. take.
inline const Parameter kBatch{"batch", {256, 64, 1024}, "ratings that a worker takes at a time"};

inline constexpr const char* kRaces =
    "workers write the same factors without locks, and what one adds may be lost";

}  // namespace sgd_parameters

}  // namespace alsbench
