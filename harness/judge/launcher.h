// SPDX-License-Identifier: Apache-2.0
// Launcher: takes the launches of `ab` and `aa`, each a fresh process within limits, and keeps what
// the document lists of them. BuildLauncher takes those of builds, ProgramLauncher those of
// programs of others.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/files/private_folder.h"
#include "harness/judge/screen_and_confirm.h"
#include "harness/process/run_program.h"

namespace alsbench {

struct LaunchListener {
  // A launch of so many cases (0: all of them) is about to begin, and has ended.
  std::function<void(const LaunchPlace&, size_t cases)> on_launch = {};
  std::function<void(const std::string&)> on_launched = {};  // a line for people
};

struct LaunchSettings {
  ProgramLimits limits;  // of a launch
  const std::atomic<bool>* interrupted = nullptr;
};

class Launcher {
 public:
  explicit Launcher(LaunchSettings settings);
  virtual ~Launcher() = default;
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;

  void listen(LaunchListener listener) { listener_ = std::move(listener); }
  // Of the named cases, or of all. Throws Interrupted, and what measure() throws.
  ComparisonInput take(const LaunchPlace& place, const std::vector<std::string>& names);

  const std::vector<BuildLaunch>& launches() const { return launches_; }  // all so far
  double seconds() const;                                                 // since construction

 protected:
  // Errors quote the last lines that the launch wrote.
  virtual ComparisonInput measure(const LaunchPlace& place,
                                  const std::vector<std::string>& names) = 0;
  FinishedProgram run(const std::vector<std::string>& words) const;       // within the limits
  const std::filesystem::path& folder() const { return folder_.path(); }  // a temporary one

 private:
  LaunchSettings settings_;
  PrivateFolder folder_{"ab"};
  double start_ = 0;
  LaunchListener listener_;
  std::vector<BuildLaunch> launches_;
};

// The words that run a line in /bin/sh.
inline std::vector<std::string> shell(const std::string& line) { return {"/bin/sh", "-c", line}; }

// The side that an error is of: throws BaselineError or UsageError.
[[noreturn]] void blame(Build build, const std::string& message);

}  // namespace alsbench
