// SPDX-License-Identifier: Apache-2.0
#include "harness/files/debug_log.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "variants/core/error.h"

namespace alsbench {
namespace {

bool read_variable() {
  const char* value = std::getenv("ALSBENCH_LOG");
  const std::string_view text = value != nullptr ? value : "";
  if (!text.empty() && text != "debug")
    throw UsageError(fmt::format("ALSBENCH_LOG='{}' is no level; use debug, or unset it", text));
  return text == "debug";
}

}  // namespace

bool logs_debug() {
  static const bool wanted = read_variable();
  return wanted;
}

void log_debug(std::string_view text) {
  using Clock = std::chrono::steady_clock;
  static const auto begin = Clock::now();
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  const std::string line = fmt::format("debug {:8.3f} s {}: {}\n", seconds, getpid(), text);
  std::fwrite(line.data(), 1, line.size(), stderr);  // whole, so that threads do not mix theirs
}

}  // namespace alsbench
