// SPDX-License-Identifier: Apache-2.0
#include "harness/stage/memory_watch.h"

#include <fmt/format.h>

namespace alsbench {
namespace {

std::string name_of_buffer(const Operands& operands, const Trespass& trespass) {
  for (const auto* regions : {&operands.inputs, &operands.outputs})
    for (const Region& region : *regions)
      if (region.data == trespass.buffer) return fmt::format("'{}'", region.name);
  return "a buffer";
}

}  // namespace

std::string text_of(const Violation& violation) {
  return fmt::format("{}: {}", name_of(violation.rule), violation.detail);
}

std::vector<Digest> digests_of(Device& device, const std::vector<Region>& regions) {
  std::vector<Digest> digests;
  for (const Region& region : regions) digests.push_back(device.digest(region));
  return digests;
}

MemoryWatch::MemoryWatch(StageFixture& fixture, const Variant& variant)
    : fixture_(fixture),
      variant_(variant),
      inputs_(digests_of(fixture.problem().device(), fixture.operands(variant, 0).inputs)) {}

std::optional<Violation> MemoryWatch::violation() const {
  Device& device = fixture_.problem().device();
  const Operands operands = fixture_.operands(variant_, 0);
  if (const auto trespass = device.find_trespass())
    return Violation{
        Rule::out_of_bounds_write,
        fmt::format("wrote {} the {} bytes of {}", trespass->before ? "before" : "behind",
                    trespass->bytes, name_of_buffer(operands, *trespass))};
  const std::vector<Digest> inputs = digests_of(device, operands.inputs);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!(inputs[i] == inputs_[i]))
      return Violation{Rule::input_changed,
                       fmt::format("changed its input '{}'", operands.inputs[i].name)};
  return std::nullopt;
}

}  // namespace alsbench
