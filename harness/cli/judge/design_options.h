// SPDX-License-Identifier: Apache-2.0
// Options of a comparison in two phases, which `ab` and `bisect` share.
#pragma once

#include "harness/cli/judge/comparison_output.h"
#include "harness/judge/screen_and_confirm.h"

namespace alsbench {

// How many launches there are, their order, and the rules that judge them.
void add_design_options(CLI::App& command, TwoPhaseDesign& design);

// Throws UsageError where so many launches find no slow case of the suite.
void refuse_few_launches(const TwoPhaseDesign& design, const LaunchOptions& launch,
                         const Suite& suite);

}  // namespace alsbench
