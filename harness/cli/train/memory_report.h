// SPDX-License-Identifier: Apache-2.0
// The text of `alsbench train --dry-run`.
#pragma once

#include <string>

#include "harness/train/memory_plan.h"

namespace alsbench {

std::string text_of(const MemoryPlan& plan);

}  // namespace alsbench
