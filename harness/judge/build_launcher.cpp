#include "harness/judge/build_launcher.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "harness/files/atomic_file.h"
#include "harness/files/file_descriptor.h"
#include "harness/sweep/json_of.h"
#include "harness/sweep/worker/worker_client.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

constexpr int kPollMilliseconds = 200;  // at most this late for an interrupt
constexpr int kGraceMilliseconds = 5000;
constexpr size_t kLastWords = 1000;
constexpr int kUnfit = 3;  // exit code of `run` where the machine cannot do it

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::filesystem::path make_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "alsbench-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw EnvironmentError(fmt::format("cannot make a folder {}: {}; set TMPDIR to a writable one",
                                       name, std::strerror(errno)));
  return name;
}

// Between fork and exec: async-signal-safe calls only. Its own group: a Ctrl-C comes by way of us.
[[noreturn]] void run_child(char* const* arguments, int log, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  const int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  execv(arguments[0], arguments);
  _exit(127);
}

// Runs a program to its end, its output into `log`; its wait status. Throws Interrupted once it has
// been asked to end and has ended.
int run_process(std::vector<std::string> words, const std::filesystem::path& log,
                const std::atomic<bool>* interrupted) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const FileDescriptor output(open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  const pid_t parent = getpid(), pid = fork();
  if (pid < 0)
    throw EnvironmentError(fmt::format("cannot start {}: {}", words[0], std::strerror(errno)));
  if (pid == 0) run_child(arguments.data(), output.get(), parent);
  const FileDescriptor process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  pollfd ended{process.get(), POLLIN, 0};
  bool stopped = false;
  while (poll(&ended, 1, kPollMilliseconds) <= 0) {
    if (interrupted == nullptr || !*interrupted) continue;
    kill(pid, SIGINT);
    if (poll(&ended, 1, kGraceMilliseconds) <= 0) kill(-pid, SIGKILL);
    stopped = true;
    break;
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (stopped || (interrupted != nullptr && *interrupted)) throw Interrupted();
  return status;
}

// A filter that selects exactly these measurements.
std::string pattern_of(const std::vector<std::string>& names) {
  std::string pattern = "^(";
  for (const std::string& name : names) {
    if (pattern.size() > 2) pattern += '|';
    for (const char c : name) {
      if (std::strchr("\\^$.|?*+()[]{}", c) != nullptr) pattern += '\\';
      pattern += c;
    }
  }
  return pattern + ")$";
}

std::string last_words(const std::filesystem::path& log) {
  const std::string text = read_whole_file(log);
  return text.size() <= kLastWords ? text : "..." + text.substr(text.size() - kLastWords);
}

std::string how_it_ended(int status) {
  return WIFSIGNALED(status) ? fmt::format("died of signal {}", WTERMSIG(status))
                             : fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

Json medians_json(const ComparisonInput& input) {
  Json cases = Json::object();
  for (const ComparisonCase& c : input.cases)
    cases[c.name] = c.outcome == Outcome::ok && !c.launches.empty()
                        ? Json{{"median_seconds", json_of(c.launches[0].seconds)},
                               {"samples", c.launches[0].samples}}
                        : Json{{"outcome", name_of(c.outcome)}};
  return cases;
}

}  // namespace

std::filesystem::path find_build(const std::string& text) {
  const std::filesystem::path path(text);
  for (const std::filesystem::path& candidate : {path, path / "alsbench", path / "build/alsbench"})
    if (std::filesystem::is_regular_file(candidate) && access(candidate.c_str(), X_OK) == 0)
      return std::filesystem::absolute(candidate);
  throw UsageError(
      fmt::format("{}: is no program, nor a folder with alsbench or build/alsbench in it", text));
}

BuildLauncher::BuildLauncher(LaunchSettings settings)
    : settings_(std::move(settings)), folder_(make_folder()), start_(steady_seconds()) {
  write_file_atomically(folder_ / "suite.json", settings_.suite_text);
}

BuildLauncher::~BuildLauncher() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

double BuildLauncher::seconds() const { return steady_seconds() - start_; }

ComparisonInput BuildLauncher::take(const LaunchPlace& place,
                                    const std::vector<std::string>& names) {
  const std::filesystem::path& build = place.build == Build::base ? settings_.base : settings_.test;
  const std::filesystem::path target = folder_ / "result.json", log = folder_ / "log.txt";
  std::filesystem::remove(target);
  std::vector<std::string> words{build.string(), "run",           (folder_ / "suite.json").string(),
                                 "--json",       target.string(), "--quiet"};
  const std::string filter = names.empty() ? settings_.filter : pattern_of(names);
  if (!filter.empty()) words.insert(words.end(), {"--filter", filter});
  words.insert(words.end(), settings_.arguments.begin(), settings_.arguments.end());
  const double begin = seconds();
  const int status = run_process(words, log, settings_.interrupted);
  const bool written = std::filesystem::exists(target);
  const bool unfit = WIFEXITED(status) && WEXITSTATUS(status) == kUnfit;
  // A test build that skips what the base can do is not the machine's fault: its cases are missing.
  if (!written || (unfit && place.build == Build::base)) {
    const std::string message = fmt::format(
        "the {} build {} {} and {}; its last words: {}", name_of(place.build), build.string(),
        how_it_ended(status), written ? "measured nothing" : "wrote no result", last_words(log));
    if (unfit) throw EnvironmentError(message);
    if (place.build == Build::base) throw BaselineError(message);
    throw UsageError(message);
  }
  ComparisonInput input = read_comparison_input({target});
  input.source = build.string();
  launches_.push_back({{"index", place.index},
                       {"phase", name_of(place.phase)},
                       {"build", name_of(place.build)},
                       {"start_seconds", begin},
                       {"seconds", seconds() - begin},
                       {"cases", medians_json(input)}});
  if (settings_.on_progress)
    settings_.on_progress(fmt::format("launch {}: {}, {}, {} cases, {:.1f} s", place.index + 1,
                                      name_of(place.phase), name_of(place.build),
                                      launches_.back()["cases"].size(), seconds() - begin));
  return input;
}

}  // namespace alsbench
