// SPDX-License-Identifier: Apache-2.0
#include "harness/process/run_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>
#include <limits>
#include <optional>

#include "harness/process/interrupted.h"

namespace alsbench {
namespace {

constexpr double kGraceSeconds = 5;  // for a program to end once it is interrupted
constexpr size_t kLastWords = 1000;

}  // namespace

std::string FinishedProgram::output_tail() const {
  const std::string text = fmt::format("{}", fmt::join(log_tail, "\n"));
  return text.size() <= kLastWords ? text : "..." + text.substr(text.size() - kLastWords);
}

FinishedProgram run_program(const std::vector<std::string>& words,
                            const std::atomic<bool>* interrupted) {
  Process process(words);
  const auto event =
      process.wait(std::numeric_limits<double>::infinity(), {.interrupted = interrupted});
  if (event == Process::Event::interrupted) {
    process.send(SIGINT);
    process.wait(kGraceSeconds);
  }
  const std::optional<ProcessEnd> end = process.kill_group();
  if (event == Process::Event::interrupted || (interrupted != nullptr && *interrupted))
    throw Interrupted();
  return {end.value(), process.log_tail()};
}

}  // namespace alsbench
