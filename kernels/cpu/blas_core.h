// SPDX-License-Identifier: Apache-2.0
// Which kernels OpenBLAS runs. On processors newer than itself OpenBLAS falls back to its oldest
// kernels (seen with 0.3.21 on Sapphire Rapids: "Prescott", a tenth of the speed), which would make
// every CPU ceiling and baseline a false one.
#pragma once

#include <string>

namespace alsbench {

std::string blas_config();  // the library's version and build options, as it states them itself
std::string blas_core();    // what OpenBLAS chose, e.g. "SkylakeX"
// The value of OPENBLAS_CORETYPE to set before OpenBLAS is loaded; "" when its own choice fits this
// processor.
std::string better_blas_core();
// Makes OpenBLAS choose by OPENBLAS_CORETYPE as it is now; nothing may use OpenBLAS meanwhile. An
// OpenBLAS with kernels for one processor alone keeps them.
void choose_blas_core_again();

}  // namespace alsbench
