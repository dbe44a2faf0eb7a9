// SPDX-License-Identifier: Apache-2.0
// WorkerClient: the planner's end of a worker process: starts it, asks, and turns its death,
// silence or nonsense into an outcome.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/files/file_descriptor.h"
#include "harness/process/interrupted.h"
#include "harness/process/process.h"
#include "harness/record/journal.h"
#include "harness/record/outcome.h"
#include "harness/sweep/worker/line_socket.h"
#include "harness/sweep/worker/messages.h"

namespace alsbench {

// A request that ended otherwise than well. After outcomes that cost the worker its life
// (`worker_lost`), the next request starts a fresh one.
struct WorkerFailure : std::runtime_error {
  WorkerFailure(Outcome what, const std::string& detail, std::vector<std::string> log, bool lost,
                std::optional<Rule> broken = std::nullopt)
      : std::runtime_error(detail),
        outcome(what),
        log_tail(std::move(log)),
        worker_lost(lost),
        rule(broken) {}
  Outcome outcome;
  std::vector<std::string> log_tail;
  bool worker_lost;
  std::optional<Rule> rule;  // of honest measurement, that the variant broke
};

// Record of counters that a worker was lost over.
CountersRecord no_counters(const WorkerFailure& failure);

class WorkerClient {
 public:
  // `command` gets "--socket N" appended. `interrupted` is polled while waiting; may be null.
  explicit WorkerClient(std::vector<std::string> command,
                        const std::atomic<bool>* interrupted = nullptr);
  ~WorkerClient();
  WorkerClient(const WorkerClient&) = delete;
  WorkerClient& operator=(const WorkerClient&) = delete;

  // Sends a request and waits for its answer. Throws WorkerFailure, UsageError or EnvironmentError
  // as the worker says, Interrupted.
  template <class R>
  R::Answer ask(const R& request, double limit_seconds) {
    return read_as<typename R::Answer>(JsonField(exchange(request, limit_seconds, {})));
  }
  // `on_event` gets what comes before the answer; each event restarts the time limit.
  template <class R, class OnEvent>
  R::Answer ask(const R& request, double limit_seconds, const OnEvent& on_event) {
    return read_as<typename R::Answer>(
        JsonField(exchange(request, limit_seconds, [&](const Json& event) {
          on_event(read_as<typename R::Event>(JsonField(event)));
        })));
  }

  // Counts the processes started; a change means that everything prepared is gone.
  int generation() const { return generation_; }
  bool running() const { return process_ && process_->running(); }
  void stop();                          // lets it end by itself for a moment, then kills its group
  std::vector<std::string> log_tail();  // the last lines it has written so far

 private:
  Json exchange(const worker::Request& request, double limit_seconds,
                const std::function<void(const Json&)>& on_event);
  void start();
  std::string wait_line(double limit_seconds);
  [[noreturn]] void fail_dead();
  [[noreturn]] void fail(Outcome outcome, const std::string& detail);

  std::vector<std::string> command_;
  const std::atomic<bool>* interrupted_;
  std::unique_ptr<Process> process_;  // the last one; its log outlives it
  FileDescriptor socket_;
  LineSocket lines_{-1};
  std::string activity_;  // what runs in place of the case that was asked for; "": nothing
  int generation_ = 0;
  int64_t memory_kills_at_start_ = 0;
};

}  // namespace alsbench
