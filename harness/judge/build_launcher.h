// SPDX-License-Identifier: Apache-2.0
// BuildLauncher: launches of builds of alsbench. A launch is `BUILD run SUITE` in a fresh process;
// its result file is read and removed, and its medians are kept. Both builds get the same suite
// file, whatever they embed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/judge/launcher.h"

namespace alsbench {

// The program that `text` names: itself, or `alsbench` or `build/alsbench` in that folder. Throws
// UsageError where there is none.
std::filesystem::path find_build(const std::string& text);

// A regular expression that matches exactly these names.
std::string filter_of(const std::vector<std::string>& names);

struct LauncherOptions {
  std::filesystem::path base, test;
  std::vector<std::string> base_kernels, test_kernels;  // "--kernels FOLDER ..." of each side
  std::string base_name, test_name;  // of the sides in a comparison; empty: their programs' paths
  std::string suite_text;
  std::string filter;                  // of the screening; a confirmation names its cases
  std::vector<std::string> arguments;  // to `run`: device, scale, sampling
  LaunchSettings launch;
};

class BuildLauncher : public Launcher {
 public:
  explicit BuildLauncher(LauncherOptions settings);

 private:
  // EnvironmentError: the build says that the machine cannot do it. BaselineError: the base build
  // wrote no result. UsageError: the test build wrote none.
  ComparisonInput measure(const LaunchPlace& place, const std::vector<std::string>& names) override;

  LauncherOptions settings_;
};

}  // namespace alsbench
