// SPDX-License-Identifier: Apache-2.0
#include "harness/stage/verifier.h"

#include <fmt/format.h>

#include "variants/als/stages.h"
#include "variants/metric/stages.h"

namespace alsbench {
namespace {

// Why the configuration does not compute the stage: the first diagnostic parameter that is off its
// default. Nothing where it does.
std::optional<std::string> no_stage(const CheckRequest& request) {
  for (const Parameter& parameter : request.variant.space.parameters())
    if (parameter.diagnostic() && !request.config.is(parameter.name, parameter.values.front().text))
      return fmt::format("{}={} does not compute the stage", parameter.name,
                         request.config.get(parameter.name));
  return std::nullopt;
}

Verification skipped(std::string reason) {
  Verification verification;
  verification.detail = std::move(reason);
  return verification;
}

std::string name_of_buffer(const Operands& operands, const Trespass& trespass) {
  for (const auto* regions : {&operands.inputs, &operands.outputs})
    for (const Region& region : *regions)
      if (region.data == trespass.buffer) return fmt::format("'{}'", region.name);
  return "a buffer";
}

}  // namespace

void break_rule(const Violation& violation, Verification& verification) {
  verification.outcome = outcome_of(violation.rule);
  verification.rule = violation.rule;
  verification.detail = text_of(violation);
}

Verification verify(const CheckRequest& request) {
  if (const auto reason = no_stage(request)) return skipped(*reason);
  request.fixture.restore(request.variant);
  return verify(request, MemoryWatch(request.fixture, request.variant));
}

Verification verify(const CheckRequest& request, const MemoryWatch& watch) {
  if (const auto reason = no_stage(request)) return skipped(*reason);
  request.fixture.restore(request.variant);
  Verification found = support_of(request.variant.stage).check(request);
  request.fixture.restore(request.variant);
  // A check that saw the same knows who did it.
  const auto violation = watch.violation();
  if (violation && found.rule != violation->rule) break_rule(*violation, found);
  return found;
}

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
