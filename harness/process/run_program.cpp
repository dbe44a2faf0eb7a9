// SPDX-License-Identifier: Apache-2.0
#include "harness/process/run_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <optional>

#include "base/clock.h"
#include "harness/process/descendants.h"
#include "harness/process/interrupted.h"

namespace alsbench {
namespace {

constexpr double kGraceSeconds = 5;  // for a program to end once it is interrupted
constexpr double kLookSeconds = 1;   // between two looks at its memory, which take CPU time
constexpr size_t kLastWords = 1000;

bool are_set(const ProgramLimits& limits) {
  return std::isfinite(limits.seconds) || limits.bytes > 0;
}

std::string too_long(const ProgramLimits& limits) {
  return fmt::format("was not done within {:g} s and was killed", limits.seconds);
}

std::string too_large(const ProgramLimits& limits) {
  return fmt::format("took more than {:.2f} GiB of memory and was killed",
                     std::ldexp(static_cast<double>(limits.bytes), -30));
}

// Waits for its end. Returns "", or in words the limit that it exceeded.
std::string watch(Process& process, const ProgramLimits& limits, const Descendants* family,
                  const std::atomic<bool>* interrupted) {
  const double deadline = steady_seconds() + limits.seconds;
  while (true) {
    const double left = std::max(0.0, deadline - steady_seconds());
    const double look = limits.bytes > 0 ? std::min(left, kLookSeconds) : left;
    const Process::Event event = process.wait(look, {.interrupted = interrupted});
    if (event == Process::Event::ended) return "";
    if (event == Process::Event::interrupted) {
      process.send(SIGINT);
      process.wait(kGraceSeconds);
      process.kill_group();
      throw Interrupted();
    }
    if (limits.bytes > 0 && family->use().resident_bytes > limits.bytes) return too_large(limits);
    if (steady_seconds() >= deadline) return too_long(limits);
  }
}

}  // namespace

std::string FinishedProgram::output_tail() const {
  const std::string text = fmt::format("{}", fmt::join(log_tail, "\n"));
  return text.size() <= kLastWords ? text : "..." + text.substr(text.size() - kLastWords);
}

FinishedProgram run_program(const std::vector<std::string>& words,
                            const std::atomic<bool>* interrupted, const ProgramLimits& limits) {
  std::optional<Descendants> family;
  if (are_set(limits)) family.emplace();
  Process process(words);
  FinishedProgram finished;
  finished.excess = watch(process, limits, family ? &*family : nullptr, interrupted);
  finished.end = process.kill_group().value_or(ProcessEnd{});
  if (family) family->end();
  if (interrupted != nullptr && *interrupted) throw Interrupted();
  finished.log_tail = process.log_tail();
  return finished;
}

}  // namespace alsbench
