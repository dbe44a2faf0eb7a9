// Starts this program again with OPENBLAS_CORETYPE set, where OpenBLAS picked kernels far below the
// processor and the user did not set it. Called first by the commands that compute on the CPU:
// `worker` and `train`.
#pragma once

namespace alsbench {

void use_best_blas_core();

}  // namespace alsbench
