// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/worker/worker_client.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>

#include "base/clock.h"
#include "base/error.h"
#include "harness/files/debug_log.h"
#include "harness/process/line_joiner.h"
#include "harness/record/escape.h"

namespace alsbench {
namespace {

constexpr double kGraceSeconds = 2;  // for a worker to end by itself

// How many processes the system has killed for lack of memory since it started; 0 where it does not
// say.
int64_t memory_kills() {
  std::ifstream file("/proc/vmstat");
  std::string key;
  for (int64_t count = 0; file >> key >> count;)
    if (key == "oom_kill") return count;
  return 0;
}

// Logs what a worker writes by lines, at the end one without an end.
class WorkerLog {
 public:
  WorkerLog() = default;
  ~WorkerLog() {
    if (!lines_.rest().empty()) log_line(lines_.rest());
  }
  WorkerLog(const WorkerLog&) = delete;
  WorkerLog& operator=(const WorkerLog&) = delete;

  void add(std::string_view written) { lines_.add(written, log_line); }

 private:
  static void log_line(const std::string& line) { log_debug("worker: " + printable(line)); }

  LineJoiner lines_{1 << 16};
};

}  // namespace

CountersRecord no_counters(const WorkerFailure& failure) {
  return {{},
          0,
          CountersFailure{CountersFailureKind::failed, failure.what(),
                          "see docs/explanation/profiling.md"}};
}

WorkerClient::WorkerClient(std::vector<std::string> command, const std::atomic<bool>* interrupted)
    : command_(std::move(command)), interrupted_(interrupted) {}

WorkerClient::~WorkerClient() { stop(); }

void WorkerClient::start() {
  std::array<int, 2> pair{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0)
    throw EnvironmentError(
        fmt::format("cannot start a worker process: socketpair: {}", std::strerror(errno)));
  socket_ = FileDescriptor(pair[0]);
  const FileDescriptor child_socket(pair[1]);
  memory_kills_at_start_ = memory_kills();
  std::vector<std::string> words = command_;
  words.insert(words.end(), {"--socket", std::to_string(child_socket.get())});
  process_ = std::make_unique<Process>(words, child_socket.get());
  if (logs_debug()) {
    log_debug(fmt::format("worker {} started", process_->id()));
    process_->listen(
        [log = std::make_shared<WorkerLog>()](std::string_view written) { log->add(written); });
  }
  lines_ = LineSocket(socket_.get());
  ++generation_;
}

void WorkerClient::stop() {
  if (!running()) return;
  shutdown(socket_.get(), SHUT_RDWR);
  process_->wait(kGraceSeconds);
  process_->kill_group();
}

std::vector<std::string> WorkerClient::log_tail() {
  return process_ ? process_->log_tail() : std::vector<std::string>();
}

void WorkerClient::fail(Outcome outcome, const std::string& detail) {
  process_->kill_group();
  const std::string at = activity_.empty() ? "" : fmt::format(", in {}", activity_);
  throw WorkerFailure(outcome, detail + at, log_tail(), true);
}

// The other end is closed: the process has ended, or is about to.
void WorkerClient::fail_dead() {
  if (process_->wait(kGraceSeconds) != Process::Event::ended)
    fail(Outcome::crashed, "the worker closed its connection and went on running");
  const ProcessEnd end = process_->kill_group().value();
  if (end.signal == SIGKILL && memory_kills() > memory_kills_at_start_)
    fail(Outcome::oom, "the worker was killed, and the system kills for lack of memory");
  fail(Outcome::crashed, fmt::format("the worker {}", end.text()));
}

std::string WorkerClient::wait_line(double limit_seconds) {
  const double deadline = steady_seconds() + limit_seconds;
  while (true) {
    if (auto line = lines_.buffered_line()) return *line;
    const double left = deadline - steady_seconds();
    switch (process_->wait(left, {socket_.get(), interrupted_})) {
      case Process::Event::readable:
        if (!lines_.fill()) fail_dead();
        break;
      case Process::Event::ended:
        fail_dead();
      case Process::Event::interrupted:
        process_->kill_group();
        throw Interrupted();
      case Process::Event::timeout:
        fail(Outcome::hung,
             fmt::format("no answer within {} s; --hang-timeout S allows more", limit_seconds));
    }
  }
}

Json WorkerClient::exchange(const worker::Request& request, double limit_seconds,
                            const std::function<void(const Json&)>& on_event) {
  if (interrupted_ != nullptr && *interrupted_) throw Interrupted();
  if (!running()) start();
  activity_.clear();
  const std::string asked = to_json(request).dump(-1, ' ', false, Json::error_handler_t::replace);
  if (logs_debug()) log_debug("to the worker: " + asked);
  if (!send_line(socket_.get(), asked)) fail_dead();
  while (true) {
    const std::string line = wait_line(limit_seconds);
    if (logs_debug()) log_debug("from the worker: " + printable(line));
    const Json answer = Json::parse(line, nullptr, false);
    if (!answer.is_object())
      fail(Outcome::crashed,
           fmt::format("the worker broke the protocol: '{}'", line.substr(0, 80)));
    if (answer.contains("activity")) {
      activity_ = read_as<worker::Activity>(JsonField(answer)).activity;
      continue;
    }
    if (!answer.contains("ok")) {
      if (on_event) on_event(answer);
      continue;
    }
    if (answer["ok"] == true) return answer;
    const auto failure = read_as<worker::Failure>(JsonField(answer));
    if (failure.error == worker::Refusal::usage) throw UsageError(failure.detail);
    if (failure.error == worker::Refusal::environment) throw EnvironmentError(failure.detail);
    const Outcome outcome = failure.outcome.value_or(Outcome::crashed);
    if (failure.fatal) process_->kill_group();
    throw WorkerFailure(outcome, failure.detail, log_tail(), failure.fatal, failure.rule);
  }
}

}  // namespace alsbench
