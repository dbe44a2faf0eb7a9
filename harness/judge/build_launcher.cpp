// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/build_launcher.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>

#include "base/error.h"
#include "harness/files/atomic_file.h"
#include "harness/process/exit_code.h"

namespace alsbench {

std::filesystem::path find_build(const std::string& text) {
  const std::filesystem::path path(text);
  for (const std::filesystem::path& candidate : {path, path / "alsbench", path / "build/alsbench"})
    if (std::filesystem::is_regular_file(candidate) && access(candidate.c_str(), X_OK) == 0)
      return std::filesystem::absolute(candidate);
  throw UsageError(
      fmt::format("{}: is no program, nor a folder with alsbench or build/alsbench in it", text));
}

std::string filter_of(const std::vector<std::string>& names) {
  std::string pattern = "^(";
  for (const std::string& name : names) {
    if (pattern.size() > 2) pattern += '|';
    for (const char c : name) {
      if (std::strchr("\\^$.|?*+()[]{}", c) != nullptr) pattern += '\\';
      pattern += c;
    }
  }
  return pattern + ")$";
}

BuildLauncher::BuildLauncher(LauncherOptions settings)
    : Launcher(settings.launch), settings_(std::move(settings)) {
  write_file_atomically(folder() / "suite.json", settings_.suite_text);
}

ComparisonInput BuildLauncher::measure(const LaunchPlace& place,
                                       const std::vector<std::string>& names) {
  const bool is_base = place.build == Build::base;
  const std::filesystem::path& build = is_base ? settings_.base : settings_.test;
  const auto& kernels = is_base ? settings_.base_kernels : settings_.test_kernels;
  const std::filesystem::path target = folder() / "result.json";
  std::filesystem::remove(target);
  std::filesystem::remove(target.string() + ".journal");  // an older build's may look unfinished
  std::vector<std::string> words{
      build.string(), "run",           (folder() / "suite.json").string(),
      "--json",       target.string(), "--quiet"};
  const std::string filter = names.empty() ? settings_.filter : filter_of(names);
  if (!filter.empty()) words.insert(words.end(), {"--filter", filter});
  words.insert(words.end(), settings_.arguments.begin(), settings_.arguments.end());
  words.insert(words.end(), kernels.begin(), kernels.end());
  if (place.phase == Phase::counting) words.emplace_back("--counters");
  const FinishedProgram ended = run(words);
  if (!ended.excess.empty())
    blame(place.build,
          fmt::format("the {} build {} {}; --launch-timeout and --launch-memory set "
                      "the limits; its last words: {}",
                      name_of(place.build), build.string(), ended.excess, ended.output_tail()));
  const bool written = std::filesystem::exists(target);
  const bool unfit = ended.end.exited_with(kExitEnvironment);
  // A test build that skips what the base can do is not the machine's fault: its cases are missing.
  if (!written || (unfit && place.build == Build::base)) {
    const std::string message = fmt::format(
        "the {} build {} {} and {}; its last words: {}", name_of(place.build), build.string(),
        ended.end.text(), written ? "measured nothing" : "wrote no result", ended.output_tail());
    if (unfit) throw EnvironmentError(message);
    blame(place.build, message);
  }
  try {
    ComparisonInput input = read_comparison_input({target});
    const std::string& name = is_base ? settings_.base_name : settings_.test_name;
    input.source = name.empty() ? build.string() : name;
    return input;
  } catch (const UsageError& error) {
    blame(place.build, fmt::format("the {} build {} wrote what cannot be read: {}",
                                   name_of(place.build), build.string(), error.what()));
  }
}

}  // namespace alsbench
