// SPDX-License-Identifier: Apache-2.0
// The stages gram and rotate on the CPU, and the basis between them. The bits do not depend on the
// number of threads.
#pragma once

#include "kernels/cpu/parallel.h"
#include "kernels/shared/params/basis.h"

namespace alsbench {

void gram_blocked(const GramParams& params, const CpuResources& resources);
void rotate_rows(const RotateParams& params, const CpuResources& resources);

// The eigenvectors of a symmetric matrix, rank x rank, as the columns of `basis`, in double by
// LAPACK. Returns false, and leaves `basis` alone, where an element is not finite or the iteration
// does not converge.
bool eigenvectors(const float* matrix, int rank, float* basis);

}  // namespace alsbench
