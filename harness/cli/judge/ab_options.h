// SPDX-License-Identifier: Apache-2.0
// What the command line of `alsbench ab` says.
#pragma once

#include <filesystem>
#include <string>

#include "harness/cli/judge/comparison_output.h"
#include "harness/judge/screen_and_confirm.h"

namespace alsbench {

struct BisectionOptions {
  std::string range;             // GOOD..BAD; "": no bisection
  std::string repository = ".";  // of git
  std::string build_command = "cmake -S . -B build && cmake --build build --target alsbench";
  std::string builds;  // folder; "": in the cache
};

struct AbOptions {
  std::string base, test;
  BisectionOptions bisection;
  std::filesystem::path folder = "results/local";
  LaunchOptions launch;
  TwoPhaseDesign design;
  ComparisonOutput output;
};

}  // namespace alsbench
