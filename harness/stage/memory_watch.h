// SPDX-License-Identifier: Apache-2.0
// MemoryWatch: whether executions wrote where they must not: beyond a buffer, or into an input.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/record/rule.h"
#include "harness/stage/stage_fixture.h"

namespace alsbench {

// A rule that a variant broke, and how.
struct Violation {
  Rule rule;
  std::string detail;
};
std::string text_of(const Violation& violation);  // begins with the rule's name

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

}  // namespace alsbench
