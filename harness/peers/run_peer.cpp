// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/run_peer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <tuple>

#include "base/clock.h"
#include "harness/files/atomic_file.h"
#include "harness/peers/peer_progress.h"
#include "harness/process/cpu_usage_monitor.h"
#include "harness/process/descendants.h"
#include "harness/process/interrupted.h"
#include "harness/process/process.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;
constexpr double kFirstPollSeconds = 0.02;  // seconds until the first look at what it takes; then
constexpr double kMaxPollSeconds = 0.25;    // twice as long each time, up to this
constexpr double kCheckSeconds = 120;       // for a peer to say that it is there
constexpr double kGraceSeconds = 2;         // for what it started to end after it

// By way of env(1), which changes the folder and finds the program.
std::vector<std::string> enum_names(const Peer& peer, const PlaceholderValues& values,
                                    const fs::path& folder,
                                    const std::vector<std::string>& command) {
  std::vector<std::string> words{"/usr/bin/env", "-C", folder.string()};
  for (const auto& [name, value] : peer.environment)
    words.push_back(fmt::format("{}={}", name, filled(value, values)));
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

bool on_path(const std::string& program) {
  if (program.find('/') != std::string::npos) return access(program.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  return false;
}

// A program on its way, and what it took so far.
struct Watched {
  const PeerLimits& limits;
  ProgressReader& reader;
  Clock::time_point begin = Clock::now();
  int64_t peak_bytes = 0;

  // Why it must not go on.
  std::optional<std::pair<Outcome, std::string>> excess() const {
    if (seconds_since(begin) > limits.seconds)
      return std::pair(Outcome::hung, fmt::format("not done within {} s", limits.seconds));
    if (peak_bytes > limits.bytes)
      return std::pair(Outcome::oom,
                       fmt::format("its processes took {:.1f} GiB of memory, and may take {:.1f}",
                                   std::ldexp(peak_bytes, -30), std::ldexp(limits.bytes, -30)));
    if (reader.bytes() > limits.output_bytes)
      return std::pair(Outcome::crashed, fmt::format("it wrote more than {} MiB of messages",
                                                     limits.output_bytes >> 20));
    return std::nullopt;
  }
};

// Until it has ended, or must not go on.
std::optional<std::pair<Outcome, std::string>> watch(Process& process, Watched& watched,
                                                     const Descendants& family) {
  for (double look = kFirstPollSeconds;; look = std::min(2 * look, kMaxPollSeconds)) {
    const Process::Event event = process.wait(look, {.interrupted = watched.limits.interrupted});
    watched.peak_bytes = std::max(watched.peak_bytes, family.use().resident_bytes);
    if (const auto excess = watched.excess()) return excess;
    if (event == Process::Event::ended) return std::nullopt;
    if (event == Process::Event::interrupted) throw Interrupted();
  }
}

// How many processes a program left that ended by itself.
int64_t surviving_descendants(const Descendants& family) {
  const auto end = Clock::now();
  while (family.use().count > 0 && seconds_since(end) < kGraceSeconds) usleep(20000);
  return family.use().count;
}

void set_end(PeerRun& run, const std::optional<ProcessEnd>& end) {
  if (!end) {
    run.outcome = Outcome::hung;
    run.detail = "it does not end, not even when it is killed";
  } else if (!end->exited_with(0)) {
    run.outcome = Outcome::crashed;
    run.detail = "it " + end->text();
  }
}

// Whether Python's last line names a module that the check does not ask for: one that the peer
// needs in turn.
bool lacks_another_module(const std::string& line, const std::vector<std::string>& check) {
  constexpr std::string_view kBefore = "No module named '";
  const size_t at = line.find(kBefore);
  if (at == std::string::npos) return false;
  const size_t begin = at + kBefore.size();
  const std::string name = line.substr(begin, line.find_first_of(".'", begin) - begin);
  return std::ranges::none_of(
      check, [&](const std::string& word) { return word.find(name) != std::string::npos; });
}

}  // namespace

PeerPresence find_peer(const Peer& peer, const fs::path& folder,
                       const std::atomic<bool>* interrupted) {
  const auto missing = [&](const std::string& why) {
    return PeerPresence{"",
                        fmt::format("unavailable: {}; to install it: {}", why, peer.needs.install)};
  };
  const std::vector<std::string>& command =
      peer.needs.check.empty() ? peer.command : peer.needs.check;
  for (const std::string& program : {command.front(), peer.command.front()})
    if (!on_path(program)) return missing(fmt::format("there is no program '{}'", program));
  if (peer.needs.check.empty()) return {};
  const Descendants family;
  Process process(enum_names(peer, {}, folder, peer.needs.check));
  const Process::Event event = process.wait(kCheckSeconds, {.interrupted = interrupted});
  if (event == Process::Event::interrupted) throw Interrupted();
  const auto end = process.kill_group();
  const std::vector<std::string> lines = process.log_tail();
  const std::string last = lines.empty() ? "" : lines.back();
  if (event == Process::Event::timeout)
    return missing(fmt::format("its check takes more than {} s", kCheckSeconds));
  if (!end || !end->exited_with(0)) {
    if (lacks_another_module(last, peer.needs.check))
      return missing("it is installed, but cannot be loaded: " + last);
    return missing(last.empty() ? "its check fails" : last);
  }
  return {last, ""};
}

std::vector<std::string> peer_command(const Peer& peer, const PlaceholderValues& values) {
  std::vector<std::string> command;
  for (const std::string& word : peer.command) command.push_back(filled(word, values));
  return command;
}

PeerRun run_peer(const Peer& peer, const PlaceholderValues& values, const fs::path& folder,
                 const PeerLimits& limits) {
  for (const PeerFile& file : peer.files) write_file_atomically(folder / file.name, file.content);
  PeerRun run;
  const CpuUsageMonitor processors;
  ProgressReader reader(peer.progress);
  Descendants family;
  Watched watched{limits, reader};
  Process process(enum_names(peer, values, folder, peer_command(peer, values)));
  process.listen([&](std::string_view bytes) { reader.add(bytes, seconds_since(watched.begin)); });
  const auto excess = watch(process, watched, family);
  run.use.wall_seconds = seconds_since(watched.begin);
  run.use.left_processes = excess ? 0 : surviving_descendants(family);
  const double seen_seconds = seconds_since(watched.begin);
  set_end(run, process.kill_group());
  family.end();
  if (excess) std::tie(run.outcome, run.detail) = *excess;
  run.log_tail = process.log_tail();
  run.use.peak_bytes = watched.peak_bytes;
  run.use.cpu_seconds = processors.children_seconds();
  run.use.other_share = processors.other_share(seen_seconds);
  run.progress = reader.take_progress();
  run.own_seconds = reader.total_seconds();
  run.own_test_metric = reader.test_metric();
  return run;
}

}  // namespace alsbench
