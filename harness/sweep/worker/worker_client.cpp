#include "harness/sweep/worker/worker_client.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "variants/core/error.h"

namespace alsbench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kLogLines = 20;
constexpr size_t kLogLineLength = 500;
constexpr int kPollMilliseconds = 200;  // at most this late for an interrupt
constexpr int kGraceMilliseconds = 2000;

[[noreturn]] void throw_system(const char* what) {
  throw EnvironmentError(
      fmt::format("cannot start a worker process: {}: {}", what, std::strerror(errno)));
}

struct ChildSetup {
  int socket;
  int log;
  pid_t parent;
  char* const* arguments;
};

// Between fork and exec: async-signal-safe calls only.
[[noreturn]] void run_child(const ChildSetup& setup) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != setup.parent) _exit(127);  // died before prctl
  const int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(setup.log, STDOUT_FILENO);
  dup2(setup.log, STDERR_FILENO);
  fcntl(setup.socket, F_SETFD, 0);
  execv(setup.arguments[0], setup.arguments);
  _exit(127);
}

}  // namespace

WorkerClient::WorkerClient(std::vector<std::string> command, const std::atomic<bool>* interrupted)
    : command_(std::move(command)), interrupted_(interrupted) {}

WorkerClient::~WorkerClient() { stop(); }

void WorkerClient::start() {
  std::array<int, 2> pair{}, log{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0)
    throw_system("socketpair");
  socket_ = FileDescriptor(pair[0]);
  const FileDescriptor child_socket(pair[1]);
  if (pipe2(log.data(), O_CLOEXEC) != 0) throw_system("pipe2");
  log_ = FileDescriptor(log[0]);
  const FileDescriptor child_log(log[1]);
  fcntl(log_.get(), F_SETFL, O_NONBLOCK);

  std::vector<std::string> words = command_;
  words.insert(words.end(), {"--socket", std::to_string(child_socket.get())});
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const ChildSetup setup{child_socket.get(), child_log.get(), getpid(), arguments.data()};
  pid_ = fork();
  if (pid_ < 0) throw_system("fork");
  if (pid_ == 0) run_child(setup);
  setpgid(pid_, pid_);  // here too: whoever comes first
  process_ = FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  lines_ = LineSocket(socket_.get());
  log_lines_.clear();
  log_rest_.clear();
  ++generation_;
}

void WorkerClient::stop() {
  if (pid_ <= 0) return;
  shutdown(socket_.get(), SHUT_RDWR);
  pollfd ended{process_.get(), POLLIN, 0};
  if (process_) poll(&ended, 1, kGraceMilliseconds);
  kill_group();
}

void WorkerClient::kill_group() {
  if (pid_ <= 0) return;
  kill(-pid_, SIGKILL);
  pollfd ended{process_.get(), POLLIN, 0};
  // A process stuck in a driver call may not end; it is left behind rather than waited for.
  if (!process_ || poll(&ended, 1, kGraceMilliseconds) > 0) waitpid(pid_, nullptr, 0);
  pid_ = -1;
  process_.reset();
  socket_.reset();
  log_.reset();
}

void WorkerClient::read_log() {
  std::array<char, 4096> chunk{};
  while (true) {
    const ssize_t count = read(log_.get(), chunk.data(), chunk.size());
    if (count <= 0) return;
    log_rest_.append(chunk.data(), static_cast<size_t>(count));
    for (size_t end = log_rest_.find('\n'); end != std::string::npos; end = log_rest_.find('\n')) {
      log_lines_.push_back(log_rest_.substr(0, std::min(end, kLogLineLength)));
      log_rest_.erase(0, end + 1);
      if (log_lines_.size() > kLogLines) log_lines_.pop_front();
    }
    if (log_rest_.size() > kLogLineLength) log_rest_.resize(kLogLineLength);
  }
}

std::vector<std::string> WorkerClient::log_tail() {
  if (log_) read_log();
  std::vector<std::string> tail(log_lines_.begin(), log_lines_.end());
  if (!log_rest_.empty()) tail.push_back(log_rest_);
  return tail;
}

void WorkerClient::fail(Outcome outcome, const std::string& detail) {
  std::vector<std::string> log = log_tail();
  kill_group();
  throw WorkerFailure(outcome, detail, std::move(log), true);
}

// The other end is closed: the process has ended, or is about to.
void WorkerClient::fail_dead() {
  pollfd ended{process_.get(), POLLIN, 0};
  int status = 0;
  const bool reaped = process_ && poll(&ended, 1, kGraceMilliseconds) > 0 &&
                      waitpid(pid_, &status, WNOHANG) == pid_;
  if (log_) read_log();
  const pid_t group = pid_;
  if (!reaped) fail(Outcome::crashed, "the worker closed its connection and went on running");
  kill(-group, SIGKILL);  // what it may have left behind
  pid_ = -1;
  process_.reset();
  socket_.reset();
  log_.reset();
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
    fail(Outcome::oom, "the worker was killed, most likely by the system for lack of memory");
  if (WIFSIGNALED(status))
    fail(Outcome::crashed, fmt::format("the worker died of signal {} ({})", WTERMSIG(status),
                                       strsignal(WTERMSIG(status))));
  fail(Outcome::crashed,
       fmt::format("the worker ended by itself with exit code {}", WEXITSTATUS(status)));
}

std::string WorkerClient::wait_line(double limit_seconds) {
  const auto deadline = Clock::now() + std::chrono::duration<double>(limit_seconds);
  while (true) {
    if (auto line = lines_.buffered_line()) return *line;
    if (interrupted_ != nullptr && *interrupted_) {
      kill_group();
      throw Interrupted();
    }
    const double left = std::chrono::duration<double>(deadline - Clock::now()).count();
    if (left <= 0) fail(Outcome::hung, fmt::format("no answer within {} s", limit_seconds));
    std::array<pollfd, 2> waiting{{{socket_.get(), POLLIN, 0}, {log_.get(), POLLIN, 0}}};
    const int milliseconds = static_cast<int>(std::min(left * 1e3 + 1, double{kPollMilliseconds}));
    if (poll(waiting.data(), log_ ? 2 : 1, milliseconds) <= 0) continue;
    if (log_ && waiting[1].revents != 0) {
      read_log();
      // A closed log would stay readable for ever.
      if ((waiting[1].revents & (POLLHUP | POLLERR)) != 0) log_.reset();
    }
    if (waiting[0].revents != 0 && !lines_.fill()) fail_dead();
  }
}

Json WorkerClient::request(const Json& message, double limit_seconds,
                           const std::function<void(const Json&)>& on_event) {
  if (interrupted_ != nullptr && *interrupted_) throw Interrupted();
  if (!running()) start();
  if (!send_line(socket_.get(), message.dump(-1, ' ', false, Json::error_handler_t::replace)))
    fail_dead();
  while (true) {
    const std::string line = wait_line(limit_seconds);
    const Json answer = Json::parse(line, nullptr, false);
    if (!answer.is_object())
      fail(Outcome::crashed,
           fmt::format("the worker broke the protocol: '{}'", line.substr(0, 80)));
    if (!answer.contains("ok")) {
      if (on_event) on_event(answer);
      continue;
    }
    if (answer["ok"] == true) return answer;
    const std::string detail = answer.value("detail", "no reason given");
    if (answer.value("error", "") == "usage") throw UsageError(detail);
    if (answer.value("error", "") == "environment") throw EnvironmentError(detail);
    const Outcome outcome = outcome_named(answer.value("outcome", "")).value_or(Outcome::crashed);
    if (answer.value("fatal", false)) fail(outcome, detail);
    throw WorkerFailure(outcome, detail, log_tail(), false);
  }
}

}  // namespace alsbench
