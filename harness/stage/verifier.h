// SPDX-License-Identifier: Apache-2.0
// The verifier: is a configuration's output right on this shape? Sampled rows against the FP64
// reference.
#pragma once

#include "harness/stage/memory_watch.h"
#include "harness/stage/stage_support.h"

namespace alsbench {

// Poisons the outputs, runs the executable once, and checks every row of a small problem, else the
// longest, the shortest, empty and some random rows. Writes beyond buffers and into inputs are
// wrong as well. Skipped, with the reason in detail, where a diagnostic parameter is off its
// default: such a point does not compute the stage.
Verification verify(StageFixture& fixture, const Variant& variant, const Config& config,
                    Executable& executable, ReferenceCache& references);
// Makes it a wrong one.
void break_rule(const Violation& violation, Verification& verification);

}  // namespace alsbench
