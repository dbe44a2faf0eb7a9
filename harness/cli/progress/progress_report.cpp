// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/progress/progress_report.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/clock.h"
#include "base/message.h"
#include "harness/cli/output.h"
#include "harness/record/escape.h"

namespace alsbench {
namespace {

constexpr double kRefreshSeconds = 0.1;  // of the live line
constexpr double kSparseSeconds = 30;    // between lines that no item begins
constexpr size_t kUsualWidth = 80;

bool continues_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

ProgressMode ProgressOptions::chosen() const {
  if (quiet || mode == "none") return ProgressMode::none;
  if (mode == "json") return ProgressMode::json;
  if (mode == "text") return ProgressMode::text;
  if (mode == "bar") return ProgressMode::bar;
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal != nullptr && std::strcmp(terminal, "dumb") == 0;
  return isatty(STDERR_FILENO) != 0 && !dumb ? ProgressMode::bar : ProgressMode::text;
}

void add_progress_options(CLI::App& command, ProgressOptions& options) {
  CLI::Option* quiet = command.add_flag("-q,--quiet", options.quiet, "Print no progress on stderr");
  command
      .add_option("--progress", options.mode,
                  "none, text, bar or json (default: bar on a terminal, else text)")
      ->check(CLI::IsMember({"none", "text", "bar", "json"}))
      ->excludes(quiet);
}

std::optional<size_t> terminal_width(std::FILE* stream) {
  if (const char* columns = std::getenv("COLUMNS")) {
    size_t width = 0;
    const char* end = columns + std::strlen(columns);
    if (std::from_chars(columns, end, width).ptr == end && width > 0) return width;
  }
  winsize size{};
  if (isatty(fileno(stream)) != 0 && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 &&
      size.ws_col > 0)
    return size.ws_col;
  return std::nullopt;
}

std::string shortened(const std::string& text, size_t width) {
  size_t points = 0, cut = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (continues_code_point(text[i])) continue;
    if (points + 1 == width) cut = i;
    if (++points > width) return width == 0 ? "" : text.substr(0, cut) + "…";
  }
  return text;
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<int64_t>(std::ceil(std::max(0.0, seconds)));
  return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                      : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

ProgressReport::ProgressReport(std::string command, ProgressMode mode)
    : ProgressReport(std::move(command), mode, stderr, steady_seconds) {}

ProgressReport::ProgressReport(std::string command, ProgressMode mode, std::FILE* stream, Now now)
    : command_(std::move(command)),
      mode_(mode),
      stream_(stream),
      now_(std::move(now)),
      began_(now_()),
      shown_at_(began_) {}

std::optional<double> ProgressReport::left_seconds() const {
  std::optional<double> left = costs_.remaining_seconds();
  if (left && limit_) left = std::min(*left, std::max(0.0, *limit_ - (now_() - began_)));
  return left;
}

std::string ProgressReport::summary() const {
  const std::optional<double> left = left_seconds();
  return fmt::format("[{}/{}]{}", costs_.ended(), costs_.size(),
                     left ? fmt::format(" {} left", clock_text(*left)) : "");
}

void ProgressReport::start(size_t item) {
  started_ = item;
  started_at_ = now_();
  current_ = visible(costs_[item].name);
  if (mode_ == ProgressMode::text) {
    write(fmt::format("{} {}", summary(), current_));
    shown_at_ = started_at_;
  } else if (mode_ == ProgressMode::json) {
    write_json("start", costs_[item].name);
  } else {
    shown_at_ = -std::numeric_limits<double>::infinity();
    show();
  }
}

void ProgressReport::spend(size_t item, double seconds, double share) {
  costs_.spend(item, seconds, share);
  show();
}

void ProgressReport::finish(size_t item) {
  costs_.finish(item);
  if (mode_ == ProgressMode::json) write_json("end", costs_[item].name);
  show();
}

void ProgressReport::finish_started(double waited_seconds) {
  costs_.spend(started_, std::max(0.0, now_() - started_at_ - waited_seconds));
  finish(started_);
}

void ProgressReport::drop(size_t item) {
  costs_.drop(item);
  show();
}

void ProgressReport::note(const std::string& line) {
  if (mode_ == ProgressMode::none) return;
  if (mode_ == ProgressMode::json) return write_json("note", line);
  const bool again = line_open_;
  clear();
  write(line);
  if (again) show();
}

void ProgressReport::show() {
  const bool bar = mode_ == ProgressMode::bar;
  if (!bar && mode_ != ProgressMode::text) return;
  const double now = now_();
  if (now - shown_at_ < (bar ? kRefreshSeconds : kSparseSeconds)) return;
  shown_at_ = now;
  std::string line = summary();
  if (!status_.empty()) line += " " + visible(status_);
  if (!current_.empty()) line += " · " + current_;
  if (!bar) return write(line);
  const size_t width = terminal_width(stream_).value_or(kUsualWidth);
  write_message(stream_, "\r\033[K" + shortened(line, width > 1 ? width - 1 : width));
  line_open_ = true;
}

void ProgressReport::clear() {
  if (!std::exchange(line_open_, false)) return;
  write_message(stream_, "\r\033[K");
  shown_at_ = -std::numeric_limits<double>::infinity();
}

void ProgressReport::end() {
  clear();
  current_.clear();
}

void ProgressReport::write(const std::string& line) { write_message(stream_, line + "\n"); }

void ProgressReport::write_json(const char* event, const std::string& text) {
  const std::optional<double> left = left_seconds();
  const nlohmann::ordered_json json{
      {"event", event},
      {"command", command_},
      {std::strcmp(event, "note") == 0 ? "text" : "item", text},
      {"ended", costs_.ended()},
      {"planned", costs_.size()},
      {"elapsed_seconds", now_() - began_},
      {"remaining_seconds", left ? nlohmann::ordered_json(*left) : nlohmann::ordered_json()}};
  write(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace alsbench
