#include "harness/stage/verifier.h"

#include <fmt/format.h>

#include "harness/stage/check.h"

namespace alsbench {
namespace {

// The first diagnostic parameter that is off its default, or null.
const Parameter* diagnostic_off_default(const Variant& variant, const Config& config) {
  for (const Parameter& parameter : variant.space.parameters())
    if (parameter.diagnostic && !config.is(parameter.name, parameter.values.front().text))
      return &parameter;
  return nullptr;
}

Verification skipped(std::string reason) {
  Verification verification;
  verification.detail = std::move(reason);
  return verification;
}

}  // namespace

Verification verify(StageFixture& fixture, const Variant& variant, const Config& config,
                    Executable& executable, ReferenceRows& references) {
  if (const Parameter* parameter = diagnostic_off_default(variant, config))
    return skipped(fmt::format("{}={} does not compute the stage", parameter->name,
                               config.get(parameter->name)));
  switch (variant.stage) {
    case Stage::hermitian:
    case Stage::bias:
    case Stage::normal_equations:
      return check_normal_equations(fixture, config, executable, references);
    case Stage::solve:
      return check_solve(fixture, variant, config, executable, references.sampled());
    case Stage::factorize_batched:
      return check_factorization(fixture, variant, executable, references.sampled());
    case Stage::rmse:
      return check_rmse(fixture, executable);
    case Stage::copy:
      return check_copy(fixture, executable);
    case Stage::gather_copy:
      return check_gather_copy(fixture, executable, references.sampled());
    case Stage::spin:
      return check_spin(fixture, executable);
    case Stage::gemm_batched:
      return check_gemm(fixture, config, executable, references.sampled());
    case Stage::update:
      return check_update(fixture, variant, config, executable, references);
  }
  return skipped(fmt::format("stage {} has no reference yet", name_of(variant.stage)));
}

}  // namespace alsbench
