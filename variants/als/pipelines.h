// SPDX-License-Identifier: Apache-2.0
// The pipelines of ALS: what updates one side of the factorization.
#pragma once

#include "variants/core/pipeline_grammar.h"

namespace alsbench {

const PipelineGrammar& als_pipelines();

}  // namespace alsbench
