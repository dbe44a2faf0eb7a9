// SPDX-License-Identifier: Apache-2.0
// BuildLauncher: takes the launches of `ab` and `aa`. A launch is `BUILD run SUITE` in a fresh
// process; its result file is read and removed, and its medians are kept. Both builds get the same
// suite file, whatever they embed.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/judge/screen_and_confirm.h"

namespace alsbench {

// The program that `text` names: itself, or `alsbench` or `build/alsbench` in that folder. Throws
// UsageError where there is none.
std::filesystem::path find_build(const std::string& text);

// A --filter that selects exactly these measurements.
std::string filter_of(const std::vector<std::string>& names);

struct LauncherOptions {
  std::filesystem::path base, test;
  std::string suite_text;
  std::string filter;                  // of the screening; a confirmation names its cases
  std::vector<std::string> arguments;  // to `run`: device, scale, sampling
  const std::atomic<bool>* interrupted = nullptr;
  // A launch of so many cases (0: all of them) is about to begin, and has ended.
  std::function<void(const LaunchPlace&, size_t cases)> on_launch = {};
  std::function<void(const std::string&)> on_launched = {};  // a line for people
};

class BuildLauncher {
 public:
  explicit BuildLauncher(LauncherOptions settings);
  ~BuildLauncher();  // removes its temporary folder
  BuildLauncher(const BuildLauncher&) = delete;
  BuildLauncher& operator=(const BuildLauncher&) = delete;

  // Throws Interrupted. The other errors quote the last lines that the build wrote.
  // EnvironmentError: the build says that the machine cannot do it. BaselineError: the base build
  // wrote no result. UsageError: the test build wrote none.
  ComparisonInput take(const LaunchPlace& place, const std::vector<std::string>& names);

  const std::vector<BuildLaunch>& launches() const { return launches_; }  // all so far
  double seconds() const;                                                 // since construction

 private:
  LauncherOptions settings_;
  std::filesystem::path folder_;
  double start_ = 0;
  std::vector<BuildLaunch> launches_;
};

}  // namespace alsbench
