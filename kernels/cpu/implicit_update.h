// SPDX-License-Identifier: Apache-2.0
// The stage implicit_update on the CPU: a half-iteration of implicit ALS with CG, a row at a time.
#pragma once

#include "kernels/cpu/cg.h"
#include "kernels/cpu/parallel.h"
#include "kernels/shared/params/implicit.h"

namespace alsbench {

// A_u is never formed: with factor rows h that are gathered once, times the roots of their weights,
// A_u v = Theta^T Theta v + sum h (h . v) + lambda v. Rows are gathered as in
// update_matrix_free.
void implicit_update_matrix_free(const ImplicitParams& params, const CgOptions& options,
                                 const CpuResources& resources);

}  // namespace alsbench
