// SPDX-License-Identifier: Apache-2.0
// What `alsbench tune` shows: the live line and the final table.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "harness/cli/output.h"
#include "harness/cli/tune/tune_command.h"

namespace alsbench {
namespace {

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.0f}%", 100 * *share) : "";
}

std::string line_of(const Progress& progress, const SearchSpace& space) {
  const std::string share = progress.share_of_roof
                                ? fmt::format(" ({} of the roof)", percent(progress.share_of_roof))
                                : "";
  const std::string best = progress.best < space.size()
                               ? fmt::format("best {:.4g} ms{} {}", progress.best_seconds * 1e3,
                                             share, space[progress.best].text())
                               : "nothing measured yet";
  const std::string rest =
      progress.playoff ? "playoff" : fmt::format("{:.0f} s left", std::ceil(progress.eta_seconds));
  return fmt::format("[{}/{}] {} · {}", progress.evaluations, progress.planned, best, rest);
}

}  // namespace

LiveLine::LiveLine(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

void LiveLine::show(const Progress& progress, const SearchSpace& space) {
  if (quiet_) return;
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}", line_of(progress, space));
    open_ = true;
  } else if (progress.best != best_) {
    fmt::print(stderr, "{}\n", line_of(progress, space));
  }
  best_ = progress.best;
}

void LiveLine::end() {
  if (open_) fmt::print(stderr, "\n");
  open_ = false;
}

std::string tuning_table(const TuningResult& result, const SearchSpace& space,
                         const Objective& objective) {
  TextTable table({"point", "median ms", "of the roof", "over default", "registers", ""});
  std::vector<size_t> rows = result.tie_set;
  const size_t fallback = space.default_point();
  if (std::find(rows.begin(), rows.end(), fallback) == rows.end()) rows.push_back(fallback);
  for (const size_t point : rows) {
    const auto found =
        std::find_if(result.points.begin(), result.points.end(),
                     [&](const Evaluation& evaluation) { return evaluation.point == point; });
    if (found == result.points.end()) continue;
    // The choice and the default as they were compared; the others by all of their samples.
    double seconds = found->median();
    if (point == fallback) seconds = result.default_seconds;
    if (result.found && point == result.best) seconds = result.best_seconds;
    std::string role = point == fallback ? "default" : "";
    if (std::find(result.tie_set.begin(), result.tie_set.end(), point) != result.tie_set.end())
      role = (point == result.best ? "best" : "tie") + (role.empty() ? "" : ", " + role);
    const bool ok = std::isfinite(seconds);
    table.add({space[point].text(),
               ok ? fmt::format("{:.4g}", seconds * 1e3) : std::string(name_of(found->outcome)),
               ok ? percent(objective.share_of_roof(point, seconds)) : "",
               ok && std::isfinite(result.default_seconds)
                   ? fmt::format("{:.2f}x", result.default_seconds / seconds)
                   : "",
               found->registers > 0 ? std::to_string(found->registers) : "", role});
  }
  return table.text();
}

}  // namespace alsbench
