// SPDX-License-Identifier: Apache-2.0
// The stages and the pipelines of implicit ALS (kernels/shared/params/implicit.h).
#pragma once

#include <optional>
#include <string>

#include "variants/core/pipeline_grammar.h"

namespace alsbench {

namespace stages {
extern const StageInfo implicit_equations;  // A_u and b_u of every row of the batch
extern const StageInfo implicit_update;     // a whole half-iteration, A_u only on the chip
extern const StageInfo implicit_loss;       // what the ratings add to the loss over all cells
}  // namespace stages

// Pipelines that update one side. The Gram matrix that they read is made by the stage gram before.
const PipelineGrammar& implicit_pipelines();

// Why factors of a type cannot be multiplied by the roots of weights. Those in bytes are stored
// once for each distinct rating.
std::optional<std::string> root_weights_objection(const Shape& shape, Scalar factors);

}  // namespace alsbench
