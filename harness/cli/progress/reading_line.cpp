// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/progress/reading_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string_view>

#include "base/message.h"
#include "harness/files/reading_progress.h"
#include "harness/record/escape.h"

namespace alsbench {
namespace {

constexpr std::string_view kNoLine = "\r\033[K";
constexpr std::chrono::milliseconds kRefresh{100};

std::atomic<bool> line_is_shown{false};

}  // namespace

ReadingLine::ReadingLine(const ProgressOptions& options, const std::string& name)
    : ReadingLine(options.chosen(), name, stderr) {}

ReadingLine::ReadingLine(ProgressMode mode, const std::string& name, std::FILE* stream)
    : name_(visible(name)), stream_(stream) {
  reading_progress().begin(0);
  if (mode == ProgressMode::bar)
    thread_ = std::jthread([this](const std::stop_token& stop) { show_until(stop); });
}

ReadingLine::~ReadingLine() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  if (line_is_shown.exchange(false)) write_message(stream_, kNoLine);
}

void ReadingLine::show_until(const std::stop_token& stop) {
  constexpr size_t kUsualWidth = 80;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, stop, kRefresh, [&] { return stop.stop_requested(); })) {
    const ReadingProgress& progress = reading_progress();
    const int64_t all = progress.all();
    if (all == 0) continue;
    const auto done = static_cast<double>(std::min(progress.done(), all));
    const std::string line =
        fmt::format("reading {}: {:.0f} % of {:.0f} MB", name_,
                    100 * done / static_cast<double>(all), static_cast<double>(all) / 1e6);
    const size_t width = terminal_width(stream_).value_or(kUsualWidth);
    line_is_shown = true;
    write_message(stream_,
                  fmt::format("{}{}", kNoLine, shortened(line, width > 1 ? width - 1 : width)));
  }
}

void remove_reading_line() noexcept {
  if (!line_is_shown) return;
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, kNoLine.data(), kNoLine.size());
}

}  // namespace alsbench
