// SPDX-License-Identifier: Apache-2.0
// The rows of the table of stage_support.h, each from the file of its stage. A new one is declared
// here, and listed below.
#pragma once

#include "harness/stage/stage_support.h"

namespace alsbench {

StageSupport hermitian_support();
StageSupport bias_support();
StageSupport normal_equations_support();
StageSupport solve_support();
StageSupport factorize_batched_support();
StageSupport update_support();
StageSupport gram_support();
StageSupport rotate_support();
StageSupport subsample_support();
StageSupport blend_support();
StageSupport centre_support();
StageSupport level_columns_support();
StageSupport implicit_equations_support();
StageSupport implicit_update_support();
StageSupport implicit_loss_support();
StageSupport sgd_epoch_support();
StageSupport ccd_update_support();
StageSupport ccd_next_support();
StageSupport rmse_support();
StageSupport top_k_support();
StageSupport copy_support();
StageSupport read_support();
StageSupport gather_copy_support();
StageSupport spin_support();
StageSupport fma_support();
StageSupport mma_support();
StageSupport gather_l1_support();
StageSupport gather_l2_support();
StageSupport gather_memory_support();
StageSupport gemm_batched_support();

// clang-format off
inline constexpr StageSupport (*kSupports[])() = {
    hermitian_support,
    bias_support,
    normal_equations_support,
    solve_support,
    update_support,
    gram_support,
    rotate_support,
    subsample_support,
    blend_support,
    centre_support,
    level_columns_support,
    implicit_equations_support,
    implicit_update_support,
    implicit_loss_support,
    sgd_epoch_support,
    ccd_update_support,
    ccd_next_support,
    rmse_support,
    top_k_support,
    factorize_batched_support,
    copy_support,
    read_support,
    gather_copy_support,
    spin_support,
    fma_support,
    mma_support,
    gather_l1_support,
    gather_l2_support,
    gather_memory_support,
    gemm_batched_support,
};
// clang-format on

}  // namespace alsbench
