// SPDX-License-Identifier: Apache-2.0
// Faults on purpose on the CPU: what a sweep must survive.
#pragma once

#include <string_view>

#include "kernels/shared/params/als.h"

namespace alsbench {

// Commits the named fault; `params.matrices` holds the right result in float already.
void commit_defect(std::string_view defect, const UpdateParams& params);

}  // namespace alsbench
