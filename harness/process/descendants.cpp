// SPDX-License-Identifier: Apache-2.0
#include "harness/process/descendants.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>

#include "base/clock.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

constexpr auto kPollInterval = std::chrono::milliseconds(5);
constexpr auto kKillTime = std::chrono::seconds(5);  // for killed processes to end

constexpr char kZombie = 'Z';  // ended, and not yet reaped

struct Entry {
  pid_t parent = 0;
  char state = kZombie;
  int64_t resident_bytes = 0;
};

// A line of /proc/PID/stat, man proc(5): the name, in brackets, may hold anything.
Entry entry_of(const fs::path& folder) {
  std::ifstream file(folder / "stat");
  std::string line;
  std::getline(file, line);
  Entry entry;
  const size_t end = line.rfind(')');
  if (end == std::string::npos) return entry;
  constexpr int kBetween = 19;  // fields from the parent's to the resident pages
  std::istringstream rest(line.substr(end + 1));
  rest >> entry.state >> entry.parent;
  std::string skipped;
  for (int i = 0; i < kBetween; ++i) rest >> skipped;
  int64_t pages = 0;
  if (rest >> pages) entry.resident_bytes = pages * sysconf(_SC_PAGESIZE);
  return entry;
}

std::map<pid_t, Entry> all_processes() {
  std::map<pid_t, Entry> processes;
  std::error_code gone;
  for (auto at = fs::directory_iterator("/proc", gone); !gone && at != fs::directory_iterator();
       at.increment(gone)) {
    const std::string name = at->path().filename().string();
    pid_t id = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
    if (error == std::errc() && end == name.data() + name.size())
      processes[id] = entry_of(at->path());
  }
  return processes;
}

// Those of `ancestors`, and all below them.
std::set<pid_t> families(const std::map<pid_t, Entry>& processes, std::set<pid_t> ancestors) {
  for (size_t before = 0; before != ancestors.size();) {
    before = ancestors.size();
    for (const auto& [id, entry] : processes)
      if (ancestors.contains(entry.parent)) ancestors.insert(id);
  }
  return ancestors;
}

std::set<pid_t> children(const std::map<pid_t, Entry>& processes) {
  std::set<pid_t> found;
  for (const auto& [id, entry] : processes)
    if (entry.parent == getpid()) found.insert(id);
  return found;
}

std::set<pid_t> new_ones(const std::map<pid_t, Entry>& processes, const std::set<pid_t>& others) {
  std::set<pid_t> mine = children(processes);
  for (const pid_t other : others) mine.erase(other);
  return families(processes, mine);
}

}  // namespace

Descendants::Descendants() : others_(children(all_processes())) {
  prctl(PR_GET_CHILD_SUBREAPER, &was_reaper_);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Descendants::~Descendants() {
  end();
  prctl(PR_SET_CHILD_SUBREAPER, was_reaper_);
}

ProcessUse Descendants::use() const {
  const auto processes = all_processes();
  ProcessUse use;
  for (const pid_t id : new_ones(processes, others_)) {
    if (processes.at(id).state == kZombie) continue;
    use.resident_bytes += processes.at(id).resident_bytes;
    ++use.count;
  }
  return use;
}

int Descendants::end() {
  std::set<pid_t> killed;
  const auto deadline = Clock::now() + kKillTime;
  while (Clock::now() < deadline) {
    const auto processes = all_processes();
    const std::set<pid_t> left = new_ones(processes, others_);
    if (left.empty()) break;
    for (const pid_t id : left) {
      if (processes.at(id).state != kZombie) killed.insert(id);
      kill(id, SIGKILL);
      waitpid(id, nullptr, WNOHANG);  // of several threads only when the last has ended
    }
    std::this_thread::sleep_for(kPollInterval);
  }
  return static_cast<int>(killed.size());
}

}  // namespace alsbench
