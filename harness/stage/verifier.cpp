// SPDX-License-Identifier: Apache-2.0
#include "harness/stage/verifier.h"

#include <fmt/format.h>

#include "variants/als/stages.h"
#include "variants/metric/stages.h"

namespace alsbench {
namespace {

// The first diagnostic parameter that is off its default, or null.
const Parameter* diagnostic_off_default(const Variant& variant, const Config& config) {
  for (const Parameter& parameter : variant.space.parameters())
    if (parameter.diagnostic() && !config.is(parameter.name, parameter.values.front().text))
      return &parameter;
  return nullptr;
}

Verification skipped(std::string reason) {
  Verification verification;
  verification.detail = std::move(reason);
  return verification;
}

}  // namespace

void break_rule(const Violation& violation, Verification& verification) {
  verification.outcome = outcome_of(violation.rule);
  verification.rule = violation.rule;
  verification.detail = text_of(violation);
}

Verification verify(StageFixture& fixture, const Variant& variant, const Config& config,
                    Executable& executable, ReferenceCache& references) {
  if (const Parameter* parameter = diagnostic_off_default(variant, config))
    return skipped(fmt::format("{}={} does not compute the stage", parameter->name,
                               config.get(parameter->name)));
  fixture.restore(variant);
  const MemoryWatch watch(fixture, variant);
  Verification found =
      support_of(variant.stage).check({fixture, variant, config, executable, references});
  fixture.restore(variant);
  if (const auto violation = watch.violation()) break_rule(*violation, found);
  return found;
}

}  // namespace alsbench
