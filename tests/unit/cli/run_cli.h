// SPDX-License-Identifier: Apache-2.0
// Runs the command line in this process and captures what it prints.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/cli/cli.h"

namespace alsbench {

struct CliRun {
  int exit_code = -1;
  std::string out;
  std::string err;
};

inline CliRun run(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "alsbench");
  std::vector<char*> pointers;
  for (auto& argument : arguments) pointers.push_back(argument.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  CliRun result;
  result.exit_code = run_cli(static_cast<int>(pointers.size()), pointers.data());
  result.out = testing::internal::GetCapturedStdout();
  result.err = testing::internal::GetCapturedStderr();
  return result;
}

}  // namespace alsbench
