// SPDX-License-Identifier: Apache-2.0
// The rows of the table of stage_support.cpp, each from the file of its stage.
#pragma once

#include "harness/stage/stage_support.h"

namespace alsbench {

StageSupport hermitian_support();
StageSupport bias_support();
StageSupport normal_equations_support();
StageSupport solve_support();
StageSupport factorize_batched_support();
StageSupport update_support();
StageSupport rmse_support();
StageSupport copy_support();
StageSupport gather_copy_support();
StageSupport spin_support();
StageSupport gemm_batched_support();

}  // namespace alsbench
