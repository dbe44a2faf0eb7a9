// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/algorithm_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string_view>

#include "base/error.h"
#include "harness/cli/validators.h"
#include "harness/record/escape.h"

namespace alsbench {
namespace {

constexpr const char* kAlpha = "alpha";

// A call that throws UsageError, whose message then names the option.
template <class Call>
auto named_after(std::string_view option, const Call& call) {
  try {
    return call();
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", option, error.what()));
  }
}

}  // namespace

void add_feedback_options(CLI::App& command, AlgorithmOptions& options) {
  command
      .add_option("--feedback", options.feedback,
                  "Kind of ratings: opinions (explicit), or counts of user actions (implicit)")
      ->check(CLI::IsMember(all_feedback()))
      ->capture_default_str();
  command.add_option("--hyper", options.hyper, "Hyper-parameters of the algorithm: name=value,...");
  command.add_option("--alpha", options.alpha,
                     "Implicit feedback: the confidence in a rating r is 1 + alpha r");
}

void add_algorithm_options(CLI::App& command, AlgorithmOptions& options) {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : all_algorithms()) names.push_back(algorithm.name);
  add_feedback_options(command, options);
  command
      .add_option("--algorithm", options.algorithm,
                  "Factorization algorithm (default: the first for the feedback)")
      ->check(CLI::IsMember(names))
      ->excludes(command.get_option("--feedback"));
}

void add_target_options(CLI::App& command, AlgorithmOptions& options) {
  for (const std::string& metric : all_metrics())
    add_checked(command, "--target-" + metric, options.targets[metric], above_zero(),
                fmt::format("Stop when the test {} is at most this", upper_case(metric)));
}

const Algorithm& algorithm_of(const AlgorithmOptions& options) {
  return options.algorithm.empty() ? algorithm_of_feedback(options.feedback)
                                   : algorithm_named(options.algorithm);
}

Config hyper_of(const AlgorithmOptions& options) {
  const Algorithm& algorithm = algorithm_of(options);
  Config config = named_after("--hyper", [&] { return parse_hyper(algorithm, options.hyper); });
  if (options.alpha.empty()) return config;
  if (algorithm.hyper.find(kAlpha) == nullptr)
    throw UsageError(fmt::format("--alpha: algorithm {} has no alpha; give --feedback implicit",
                                 algorithm.name));
  if (("," + options.hyper).find(fmt::format(",{}=", kAlpha)) != std::string::npos)
    throw UsageError("--alpha: --hyper also sets alpha; give one of them");
  return named_after("--alpha",
                     [&] { return algorithm.hyper.assign(config, kAlpha, options.alpha); });
}

std::optional<double> target_of(const AlgorithmOptions& options) {
  const std::string& own = algorithm_of(options).metric;
  for (const auto& [metric, target] : options.targets)
    if (target && metric != own)
      throw UsageError(
          fmt::format("--target-{}: the metric of algorithm {} is {}; give --target-{}", metric,
                      algorithm_of(options).name, own, own));
  return options.targets.at(own);
}

}  // namespace alsbench
