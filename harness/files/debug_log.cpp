// SPDX-License-Identifier: Apache-2.0
#include "harness/files/debug_log.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "base/message.h"

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
  static const auto begin = Clock::now();
  const double seconds = seconds_since(begin);
  print_message("debug {:8.3f} s {}: {}\n", seconds, getpid(), text);
}

}  // namespace alsbench
