// SPDX-License-Identifier: Apache-2.0
// ReadingLine: a live line on a terminal while a command reads files: how much of their bytes is
// done. It shows what takes longer than an instant, and leaves nothing behind.
#pragma once

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "harness/cli/progress/progress_report.h"

namespace alsbench {

class ReadingLine {
 public:
  // Shows something where the progress is a live line. `name` is what is read.
  ReadingLine(const ProgressOptions& options, const std::string& name);
  ReadingLine(ProgressMode mode, const std::string& name, std::FILE* stream);
  ~ReadingLine();
  ReadingLine(const ReadingLine&) = delete;
  ReadingLine& operator=(const ReadingLine&) = delete;

 private:
  void show_until(const std::stop_token& stop);

  std::string name_;
  std::FILE* stream_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // ends before what it uses
};

// Removes the line from standard error, in a process that ends because of a signal: callable from
// its handler.
void remove_reading_line() noexcept;

}  // namespace alsbench
