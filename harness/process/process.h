// SPDX-License-Identifier: Apache-2.0
// Process: a program in a process group of its own. It reads nothing, the tail of its output is
// kept, and it does not outlive the one who started it.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/files/file_descriptor.h"
#include "harness/process/line_joiner.h"

namespace alsbench {

// The last lines of what a program writes, in little memory however much that is.
class LogTail {
 public:
  static constexpr size_t kLines = 20;
  static constexpr size_t kLineLength = 500;  // longer lines are cut

  void add(std::string_view bytes);
  // The last complete lines, then the unfinished one where there is one.
  std::vector<std::string> lines() const;

 private:
  std::deque<std::string> lines_;
  LineJoiner joiner_{kLineLength};
};

// How a program ended.
struct ProcessEnd {
  int exit_code = 0;  // where no signal ended it
  int signal = 0;     // that it died of, or 0

  bool exited_with(int code) const { return signal == 0 && exit_code == code; }
  std::string text() const;  // "died of signal 11 (Segmentation fault)", "ended with exit code 3"
};

// Other reasons to end a wait.
struct WaitFor {
  int descriptor = -1;  // something to read there
  const std::atomic<bool>* interrupted = nullptr;
};

class Process {
 public:
  enum class Event { timeout, ended, readable, interrupted };

  // Starts words[0], a path, with the other words as its arguments. It inherits the descriptor
  // `inherited` under the same number, and no other one. Throws EnvironmentError where no process
  // can be made; a program that cannot be run ends with exit code 127.
  explicit Process(std::vector<std::string> words, int inherited = -1);
  ~Process();  // kills the group
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Gives `listener` all that the program writes, as it is read: pieces, not lines.
  void listen(std::function<void(std::string_view)> listener) { listener_ = std::move(listener); }

  // Reads the program's output until it has ended, something else is there, or the time has passed.
  // Readable output comes before the program's end, which comes before an interrupt.
  Event wait(double seconds, const WaitFor& also = {});

  // To the program alone, not to what it started.
  void send(int signal) const;

  // Kills what is left of the group. How the program ended, of itself or by this; nothing where it
  // does not end, as in a driver call: it is then left behind. Later calls change nothing.
  std::optional<ProcessEnd> kill_group();
  bool running() const { return pid_ > 0; }  // kill_group() was not called
  pid_t id() const { return pid_; }

  std::vector<std::string> log_tail();  // of what the program has written so far

 private:
  bool has_ended() const;
  void read_log();

  pid_t pid_ = -1;
  FileDescriptor ended_;  // pidfd: readable once the program has ended; none before Linux 5.3
  FileDescriptor output_;
  LogTail log_;
  std::function<void(std::string_view)> listener_;
  std::optional<ProcessEnd> end_;
};

}  // namespace alsbench
