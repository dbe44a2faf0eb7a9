// WorkerClient: the planner's end of a worker process: starts it in its own process group, asks,
// keeps the tail of its log, and turns its death, silence or nonsense into an outcome.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <deque>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/files/file_descriptor.h"
#include "harness/record/journal.h"
#include "harness/record/outcome.h"
#include "harness/sweep/worker/line_socket.h"

namespace alsbench {

// A request that ended otherwise than well. After outcomes that cost the worker its life
// (`worker_lost`), the next request starts a fresh one.
struct WorkerFailure : std::runtime_error {
  WorkerFailure(Outcome what, const std::string& detail, std::vector<std::string> log, bool lost)
      : std::runtime_error(detail), outcome(what), log_tail(std::move(log)), worker_lost(lost) {}
  Outcome outcome;
  std::vector<std::string> log_tail;
  bool worker_lost;
};

// The user asked to stop.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

class WorkerClient {
 public:
  // `command` gets "--socket N" appended. `interrupted` is polled while waiting; may be null.
  explicit WorkerClient(std::vector<std::string> command,
                        const std::atomic<bool>* interrupted = nullptr);
  ~WorkerClient();
  WorkerClient(const WorkerClient&) = delete;
  WorkerClient& operator=(const WorkerClient&) = delete;

  // Sends a request and waits for its answer; `on_event` gets the lines before it, each of which
  // restarts the time limit. Throws WorkerFailure, UsageError or EnvironmentError as the worker
  // says, Interrupted.
  Json request(const Json& message, double limit_seconds,
               const std::function<void(const Json&)>& on_event = {});

  // Counts the processes started; a change means that everything prepared is gone.
  int generation() const { return generation_; }
  bool running() const { return pid_ > 0; }
  void stop();                          // lets it end by itself for a moment, then kills its group
  std::vector<std::string> log_tail();  // the last lines it has written so far

 private:
  void start();
  std::string wait_line(double limit_seconds);
  void read_log();
  void kill_group();
  [[noreturn]] void fail_dead();
  [[noreturn]] void fail(Outcome outcome, const std::string& detail);

  std::vector<std::string> command_;
  const std::atomic<bool>* interrupted_;
  pid_t pid_ = -1;
  FileDescriptor process_;  // pidfd: readable once it has ended
  FileDescriptor socket_;
  FileDescriptor log_;
  LineSocket lines_{-1};
  std::deque<std::string> log_lines_;
  std::string log_rest_;  // the last, unfinished line
  int generation_ = 0;
};

}  // namespace alsbench
