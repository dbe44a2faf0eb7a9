// SPDX-License-Identifier: Apache-2.0
// The stages that measure a model.
#pragma once

#include "variants/core/stage.h"

namespace alsbench::stages {

extern const StageInfo rmse;  // sums of squared errors over ratings

}  // namespace alsbench::stages
