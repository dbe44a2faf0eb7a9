// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/inspect/busy_processes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "base/clock.h"
#include "harness/record/escape.h"

namespace alsbench {
namespace {

struct Used {
  std::string name;
  double seconds = 0;
};

// Of /proc/PID/stat (proc_pid_stat(5)): the name in parentheses, which may have any characters;
// behind it the 12th and the 13th field are the ticks in user and in kernel mode.
Used used_by(const std::filesystem::path& process) {
  std::ifstream file(process / "stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const size_t open = text.find('('), close = text.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  std::istringstream rest(text.substr(close + 1));
  std::string skipped;
  for (int field = 0; field < 11; ++field) rest >> skipped;
  double user = 0, kernel = 0;
  rest >> user >> kernel;
  return {text.substr(open + 1, close - open - 1),
          (user + kernel) / static_cast<double>(sysconf(_SC_CLK_TCK))};
}

std::map<int, Used> used_by_all() {
  std::map<int, Used> all;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename().string();
    int id = 0;
    const auto [end, bad] = std::from_chars(name.data(), name.data() + name.size(), id);
    if (bad == std::errc() && end == name.data() + name.size() && id != getpid())
      all[id] = used_by(entry.path());
  }
  return all;
}

}  // namespace

std::vector<BusyProcess> busy_processes(double seconds) {
  constexpr double kBusy = 0.1;
  const std::map<int, Used> before = used_by_all();
  const auto begin = Clock::now();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  const std::map<int, Used> after = used_by_all();
  const double elapsed = seconds_since(begin);
  std::vector<BusyProcess> busy;
  for (const auto& [id, used] : after) {
    const auto known = before.find(id);
    const double since = used.seconds - (known == before.end() ? 0 : known->second.seconds);
    if (since >= kBusy * elapsed) busy.push_back({id, used.name, since / elapsed});
  }
  std::sort(busy.begin(), busy.end(),
            [](const auto& a, const auto& b) { return a.processors > b.processors; });
  return busy;
}

std::string text_of(const std::vector<BusyProcess>& processes) {
  std::vector<std::string> texts;
  for (const BusyProcess& process : processes)
    texts.push_back(
        fmt::format("{} ({}) {:.1f}", visible(process.name), process.id, process.processors));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace alsbench
