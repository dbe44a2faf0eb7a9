// SPDX-License-Identifier: Apache-2.0
// ProgressReport: what a long command says on stderr while it works. A live line with the time
// left on a terminal, plain lines elsewhere, or JSON for programs.
#pragma once

#include <cstdio>
#include <functional>
#include <optional>
#include <string>

#include "harness/cli/app.h"
#include "harness/cli/progress/cost_estimate.h"

namespace alsbench {

enum class ProgressMode { none, text, bar, json };

struct ProgressOptions {
  std::string mode = {};  // none, text, bar or json; empty: bar on a terminal, text elsewhere
  bool quiet = false;

  ProgressMode chosen() const;
};

// Adds --progress and -q/--quiet, which says none.
void add_progress_options(CLI::App& command, ProgressOptions& options);

// Columns of the terminal: COLUMNS, else what the terminal says, else nothing.
std::optional<size_t> terminal_width(std::FILE* stream);
// At most `width` code points, the last of which is an ellipsis where some were cut.
std::string shortened(const std::string& text, size_t width);
// "0:42", "12:05" or "3:00:12".
std::string clock_text(double seconds);

class ProgressReport {
 public:
  using Now = std::function<double()>;  // a steady clock, in seconds

  ProgressReport(std::string command, ProgressMode mode);
  ProgressReport(std::string command, ProgressMode mode, std::FILE* stream, Now now);
  ~ProgressReport() { end(); }
  ProgressReport(const ProgressReport&) = delete;
  ProgressReport& operator=(const ProgressReport&) = delete;

  size_t add(WorkItem item) { return costs_.add(std::move(item)); }
  void rename(size_t item, const std::string& name) { costs_.rename(item, name); }
  void start(size_t item);  // said before it is done, so a hang has a name
  void spend(size_t item, double seconds, double share = 0);  // see CostEstimate
  void finish(size_t item);                                   // at what was spent on it
  // Finishes what was started last, at the time since then. Seconds that it waited for something
  // else, such as compilers, say nothing of what is to come.
  void finish_started(double waited_seconds = 0);
  void drop(size_t item);
  // Nothing but --quiet keeps a note back. It stands above the live line.
  void note(const std::string& line);
  // Current state next to the counts, such as the best point: part of the live line.
  void status(std::string text) { status_ = std::move(text); }
  // Whatever is planned, it takes no longer than this, counted from the beginning.
  void set_time_limit(double seconds) { limit_ = seconds; }
  // Removes the live line. Called once more by the destructor.
  void end();

 private:
  void show();
  void clear();
  void write(const std::string& line);
  void write_json(const char* event, const std::string& text);
  std::optional<double> left_seconds() const;
  std::string summary() const;  // "[3/40] 0:42 left"

  std::string command_;
  ProgressMode mode_;
  std::FILE* stream_;
  Now now_;
  CostEstimate costs_;
  std::string status_, current_;
  size_t started_ = 0;
  double began_ = 0, started_at_ = 0, shown_at_ = 0;
  std::optional<double> limit_;
  bool line_open_ = false;
};

}  // namespace alsbench
