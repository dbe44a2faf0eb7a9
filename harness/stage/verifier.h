// SPDX-License-Identifier: Apache-2.0
// The verifier: is a configuration's output right on this shape? Sampled rows against the FP64
// reference.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/record/verification.h"
#include "harness/stage/stage_fixture.h"
#include "harness/stage/stage_support.h"

namespace alsbench {

// A rule that a variant broke, and how.
struct Violation {
  Rule rule;
  std::string detail;
};
std::string text_of(const Violation& violation);  // begins with the rule's name

// Whether executions wrote where they must not: beyond a buffer, or into an input.
class MemoryWatch {
 public:
  // Takes the inputs down as they are, after all enqueued work. Both must outlive it.
  MemoryWatch(StageFixture& fixture, const Variant& variant);
  // A forbidden write since then, after all enqueued work. Fences of buffers are mended.
  std::optional<Violation> violation() const;

 private:
  StageFixture& fixture_;
  const Variant& variant_;
  std::vector<Digest> inputs_;
};

std::vector<Digest> digests_of(Device& device, const std::vector<Region>& regions);

// Poisons the outputs, runs the executable once, and checks every row of a small problem, else the
// longest, the shortest, empty and some random rows. Writes beyond buffers and into inputs are
// wrong as well. Skipped, with the reason in detail, where a diagnostic parameter is off its
// default: such a point does not compute the stage.
Verification verify(const CheckRequest& request);
// The same with a watch that began earlier, on the same inputs.
Verification verify(const CheckRequest& request, const MemoryWatch& watch);
// Makes it a wrong one.
void break_rule(const Violation& violation, Verification& verification);

}  // namespace alsbench
