// SPDX-License-Identifier: Apache-2.0
// The stages and the pipelines of CCD++ (kernels/shared/params/ccd.h).
#pragma once

#include "variants/core/pipeline_grammar.h"
#include "variants/core/variant.h"

namespace alsbench {

namespace stages {
extern const StageInfo ccd_update;  // a feature of one side
extern const StageInfo ccd_next;    // on to the next feature
}  // namespace stages

const PipelineGrammar& ccd_pipelines();

}  // namespace alsbench
