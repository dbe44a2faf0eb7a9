// SPDX-License-Identifier: Apache-2.0
// The stage sgd_epoch on the CPU. A row's factors stay in a thread's memory while ratings of the
// same row follow each other.
#pragma once

#include "kernels/cpu/parallel.h"
#include "kernels/shared/params/sgd.h"

namespace alsbench {

// Hogwild (Niu et al., NIPS 2011): threads take `batch` ratings at a time and lock nothing. One
// thread's addition to a row may be lost to another.
void sgd_lock_free(const SgdParams& params, bool half, int64_t batch,
                   const CpuResources& resources);

// The blocks of a diagonal side by side, one diagonal after another (Gemulla et al., KDD 2011):
// threads have no row or column in common, so the result does not depend on their number.
void sgd_blocked(const SgdParams& params, bool half, const CpuResources& resources);

}  // namespace alsbench
