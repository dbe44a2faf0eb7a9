// SPDX-License-Identifier: Apache-2.0
#include "harness/process/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>

#include "base/clock.h"
#include "base/error.h"
#include "harness/files/usable_processors.h"

namespace alsbench {
namespace {

constexpr double kInterruptSeconds = 0.2;  // at most this late for an interrupt
constexpr double kPollSeconds = 0.02;      // at most this late for an end that no pidfd tells
constexpr double kKillSeconds = 2;         // for a killed program to end

struct ChildSetup {
  char* const* arguments;
  int output;
  int inherited;
  pid_t parent;
  std::optional<cpu_set_t> processors;
};

// Between fork and exec: async-signal-safe calls only.
[[noreturn]] void run_child(const ChildSetup& setup) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != setup.parent) _exit(127);  // died before prctl
  signal(SIGPIPE, SIG_DFL);                   // what is ignored here stays so in what is started
  signal(SIGXFSZ, SIG_DFL);
  const int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(setup.output, STDOUT_FILENO);
  dup2(setup.output, STDERR_FILENO);
  if (setup.inherited >= 0) fcntl(setup.inherited, F_SETFD, 0);
  if (setup.processors) sched_setaffinity(0, sizeof *setup.processors, &*setup.processors);
  execv(setup.arguments[0], setup.arguments);
  _exit(127);
}

[[noreturn]] void throw_system(const std::string& program, const char* call) {
  throw EnvironmentError(
      fmt::format("cannot start {}: {}: {}", program, call, std::strerror(errno)));
}

}  // namespace

std::string ProcessEnd::text() const {
  return signal != 0 ? fmt::format("died of signal {} ({})", signal, strsignal(signal))
                     : fmt::format("ended with exit code {}", exit_code);
}

Process::Process(std::vector<std::string> words, int inherited) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw_system(words[0], "pipe2");
  output_ = FileDescriptor(ends[0]);
  const FileDescriptor child_output(ends[1]);
  fcntl(output_.get(), F_SETFL, O_NONBLOCK);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const ChildSetup setup{arguments.data(), child_output.get(), inherited, getpid(),
                         usable_processors()};
  pid_ = fork();
  if (pid_ < 0) throw_system(words[0], "fork");
  if (pid_ == 0) run_child(setup);
  setpgid(pid_, pid_);  // here too: whoever comes first
  ended_ = FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
}

Process::~Process() { kill_group(); }

bool Process::has_ended() const {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == pid_;
}

Process::Event Process::wait(double seconds, const WaitFor& also) {
  const double deadline = steady_seconds() + seconds;
  const auto interrupted = [&] { return also.interrupted != nullptr && *also.interrupted; };
  while (true) {
    const double left = deadline - steady_seconds();
    const double look = std::clamp(left, 0.0, ended_ ? kInterruptSeconds : kPollSeconds);
    const bool last = has_ended();  // before the poll: what it wrote before its end is there then
    std::array<pollfd, 3> waiting{
        {{also.descriptor, POLLIN, 0}, {output_.get(), POLLIN, 0}, {ended_.get(), POLLIN, 0}}};
    const int milliseconds = last || interrupted() ? 0 : static_cast<int>(std::ceil(look * 1e3));
    poll(waiting.data(), waiting.size(), milliseconds);
    if (waiting[1].revents != 0) read_log();
    if (waiting[0].revents != 0) return Event::readable;
    if (last) return Event::ended;
    if (interrupted()) return Event::interrupted;
    if (left <= 0) return Event::timeout;
  }
}

void Process::send(int signal) const {
  if (running()) kill(pid_, signal);
}

std::optional<ProcessEnd> Process::kill_group() {
  if (!running()) return end_;
  kill(-pid_, SIGKILL);  // a program that has ended keeps the group's number until it is reaped
  if (wait(kKillSeconds) == Event::ended) {
    int status = 0;
    waitpid(pid_, &status, 0);
    end_ =
        WIFSIGNALED(status) ? ProcessEnd{0, WTERMSIG(status)} : ProcessEnd{WEXITSTATUS(status), 0};
  }
  read_log();
  pid_ = -1;
  ended_.reset();
  output_.reset();
  return end_;
}

// The most that a pipe holds; not until nothing comes, which may never be.
void Process::read_log() {
  std::vector<char> bytes(1 << 16);
  const ssize_t count = output_ ? read(output_.get(), bytes.data(), bytes.size()) : -1;
  if (count > 0) {
    const std::string_view written(bytes.data(), static_cast<size_t>(count));
    log_.add(written);
    if (listener_) listener_(written);
  }
  if (count == 0) output_.reset();  // it would stay readable for ever
}

std::vector<std::string> Process::log_tail() {
  read_log();
  return log_.lines();
}

void LogTail::add(std::string_view bytes) {
  joiner_.add(bytes, [this](std::string line) {
    lines_.push_back(std::move(line));
    if (lines_.size() > kLines) lines_.pop_front();
  });
}

std::vector<std::string> LogTail::lines() const {
  std::vector<std::string> all(lines_.begin(), lines_.end());
  if (!joiner_.rest().empty()) all.push_back(joiner_.rest());
  return all;
}

}  // namespace alsbench
