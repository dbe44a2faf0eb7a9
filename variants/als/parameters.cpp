// SPDX-License-Identifier: Apache-2.0
#include "variants/als/parameters.h"

#include <algorithm>

namespace alsbench::parameters {
namespace {

// The type that a parameter names; fp32 where the configuration lacks it.
Scalar type_of(const Config& config, const std::string& parameter) {
  return scalar_named(config.get_or(parameter, "fp32")).value_or(Scalar::fp32);
}

}  // namespace

Scalar factors_type(const Config& config) { return type_of(config, "factors"); }

Scalar matrices_type(const Config& config) {
  return type_of(config, config.has("output") ? "output" : "matrix");
}

Scalar matrices_type(const Config& config, int64_t count) {
  return count <= short_row_ratings(config) ? Scalar::fp32 : matrices_type(config);
}

int short_row_ratings(const Config& config) {
  return config.has("short") ? config.integer("short") : 0;
}

bool reads_past_l1(const Config& config) { return config.get_or(kFactorReads.name, "on") == "off"; }

int64_t ratings_of_piece(const Config& config, int64_t count) {
  return config.has("chunk") ? std::min<int64_t>(count, config.integer("chunk")) : count;
}

bool multiplies_by_warpgroups(const Config& config) {
  return config.get_or(kProducts.name, "mma") == "wgmma";
}

bool sums_truncate(const Config& config) {
  return config.is("sums", "tensor_cores") && factors_type(config) != Scalar::int8;
}

std::optional<CgOptions> cg_options(const Config& config) {
  if (!config.has("steps")) return std::nullopt;
  return CgOptions{!config.is("warm", "off"), config.integer("steps"),
                   config.has("tolerance") ? static_cast<float>(config.number("tolerance")) : 0,
                   preconditions(config)};
}

std::optional<Config> late_config(const Config& config) {
  const std::string steps = config.get_or(kLateSteps.name, "0");
  if (steps == "0") return std::nullopt;
  return config.with(kSteps.name, steps).with(kLateSteps.name, "0");
}

bool stops_early(const Config& config) { return config.number("tolerance") != 0; }

bool preconditions(const Config& config) { return config.is("precondition", "jacobi"); }

std::string precondition_argument(const Config& config) {
  return preconditions(config) ? ", true" : "";
}

KernelPlan with_cg_arguments(KernelPlan plan, const CgOptions& options) {
  PlanArguments arguments = arguments_of(plan);
  arguments.cg_steps = options.steps;
  arguments.cg_tolerance = options.tolerance;
  plan.arguments = arguments;
  return plan;
}

}  // namespace alsbench::parameters
