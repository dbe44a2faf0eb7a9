// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/judge/design_options.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <string>

#include "harness/cli/validators.h"

namespace alsbench {

void add_design_options(CLI::App& command, TwoPhaseDesign& design) {
  const auto even = CLI::Validator(
      [](const std::string& text) {
        int64_t number = 0;
        std::from_chars(text.data(), text.data() + text.size(), number);
        return number >= 2 && number <= 200 && number % 2 == 0
                   ? std::string()
                   : text + " is not an even number from 2 to 200";
      },
      "EVEN");
  command
      .add_option("--screening-launches", design.screening_launches,
                  "Launches of each build for screening all cases")
      ->capture_default_str()
      ->check(even);
  command
      .add_option("--max-launches", design.max_launches,
                  "Launches of each build for confirming cases that screening left open")
      ->capture_default_str()
      ->check(even);
  command
      .add_option("--budget-seconds", design.budget_seconds,
                  "Time budget: start no block of 2 + 2 launches after it (the first always runs)")
      ->check(above_zero());
  command.add_option("--seed", design.seed, "Seed of the order of launches")
      ->check(seed_number())
      ->capture_default_str();
  add_rules_options(command, design.rules);
}

void refuse_few_launches(const TwoPhaseDesign& design, const LaunchOptions& launch,
                         const Suite& suite) {
  const int64_t cases = launch.cases_of(suite);
  refuse_few_launches("--max-launches", design.max_launches, suite.name, cases,
                      launches_to_confirm(design.rules, cases));
}

}  // namespace alsbench
