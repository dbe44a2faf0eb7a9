// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/build_launcher.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/clock.h"
#include "base/error.h"
#include "harness/files/atomic_file.h"
#include "harness/process/exit_code.h"
#include "harness/process/run_program.h"

namespace alsbench {
namespace {

std::filesystem::path make_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "alsbench-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw EnvironmentError(fmt::format("cannot make a folder {}: {}; set TMPDIR to a writable one",
                                       name, std::strerror(errno)));
  return name;
}

std::vector<LaunchCase> medians_of(const ComparisonInput& input) {
  std::vector<LaunchCase> cases;
  for (const ComparisonCase& c : input.cases) {
    const bool timed = c.outcome == Outcome::ok && !c.launches.empty();
    cases.push_back(
        {c.name, c.outcome, timed ? c.launches[0].seconds : 0, timed ? c.launches[0].samples : 0});
  }
  return cases;
}

[[noreturn]] void blame(Build build, const std::string& message) {
  if (build == Build::base) throw BaselineError(message);
  throw UsageError(message);
}

}  // namespace

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
    : settings_(std::move(settings)), folder_(make_folder()), start_(steady_seconds()) {
  write_file_atomically(folder_ / "suite.json", settings_.suite_text);
}

BuildLauncher::~BuildLauncher() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

double BuildLauncher::seconds() const { return steady_seconds() - start_; }

ComparisonInput BuildLauncher::take(const LaunchPlace& place,
                                    const std::vector<std::string>& names) {
  const std::filesystem::path& build = place.build == Build::base ? settings_.base : settings_.test;
  const std::filesystem::path target = folder_ / "result.json";
  std::filesystem::remove(target);
  std::filesystem::remove(target.string() + ".journal");  // an older build's may look unfinished
  std::vector<std::string> words{build.string(), "run",           (folder_ / "suite.json").string(),
                                 "--json",       target.string(), "--quiet"};
  const std::string filter = names.empty() ? settings_.filter : filter_of(names);
  if (!filter.empty()) words.insert(words.end(), {"--filter", filter});
  words.insert(words.end(), settings_.arguments.begin(), settings_.arguments.end());
  if (place.phase == Phase::counting) words.emplace_back("--counters");
  if (settings_.on_launch) settings_.on_launch(place, names.size());
  const double begin = seconds();
  const FinishedProgram ended = run_program(words, settings_.interrupted);
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
  ComparisonInput input = [&] {
    try {
      return read_comparison_input({target});
    } catch (const UsageError& error) {
      blame(place.build, fmt::format("the {} build {} wrote what cannot be read: {}",
                                     name_of(place.build), build.string(), error.what()));
    }
  }();
  input.source = build.string();
  launches_.push_back(
      {place.index, place.phase, place.build, begin, seconds() - begin, medians_of(input)});
  if (settings_.on_launched)
    settings_.on_launched(fmt::format("launch {}: {}, {}, {} cases, {:.1f} s", place.index + 1,
                                      name_of(place.phase), name_of(place.build),
                                      launches_.back().cases.size(), seconds() - begin));
  return input;
}

}  // namespace alsbench
