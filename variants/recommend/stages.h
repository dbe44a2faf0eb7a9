// SPDX-License-Identifier: Apache-2.0
// The stages that recommend.
#pragma once

#include "variants/core/stage.h"

namespace alsbench::stages {

extern const StageInfo top_k;  // the best items of each row that it has not seen

}  // namespace alsbench::stages
