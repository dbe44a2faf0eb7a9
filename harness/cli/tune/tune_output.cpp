// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/tune/tune_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/message.h"
#include "harness/cli/text_table.h"

namespace alsbench {
namespace {

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.0f}%", 100 * *share) : "";
}

std::string best_text(const Progress& progress, const SearchSpace& space) {
  if (progress.best >= space.size()) return "nothing measured yet";
  const std::string share =
      progress.share_of_ceiling
          ? fmt::format(" ({} of the ceiling)", percent(progress.share_of_ceiling))
          : "";
  return fmt::format("best {:.4g} ms{} {}", progress.best_seconds * 1e3, share,
                     space[progress.best].text());
}

}  // namespace

TuneProgress::TuneProgress(ProgressReport& report, const SearchSpace& space, std::string what)
    : report_(report), space_(space), what_(std::move(what)) {}

void TuneProgress::listen(TuneOptions& tune) {
  const int64_t points =
      std::min<int64_t>(tune.budget.evaluations, static_cast<int64_t>(space_.size()));
  for (int64_t i = 0; i < points; ++i) items_.push_back(report_.add({"", what_ + "/point", 1}));
  tune.on_start = [this](std::optional<size_t> point) { start(point); };
  tune.on_progress = [this](const Progress& progress) { show(progress); };
}

void TuneProgress::start(std::optional<size_t> point) {
  if (!point) {
    end();  // the search is over, whatever it left
    playoff_ = report_.add({what_ + ": playoff", what_ + "/playoff", 1});
    return report_.start(*playoff_);
  }
  if (next_ == items_.size()) return;  // more samples of a point that was counted
  report_.rename(items_[next_], space_[*point].text());
  report_.start(items_[next_]);
  running_ = true;
}

void TuneProgress::show(const Progress& progress) {
  if (std::exchange(best_, progress.best) != progress.best)
    report_.note(best_text(progress, space_));
  report_.status(best_text(progress, space_));
  const double waited = progress.wait_seconds - std::exchange(waited_, progress.wait_seconds);
  if (progress.playoff) return;
  const auto counted = static_cast<size_t>(progress.evaluations);
  if (std::exchange(running_, false) && next_ < counted) {
    report_.finish_started(waited);
    ++next_;
  }
  while (next_ < std::min(counted, items_.size())) report_.drop(items_[next_++]);  // known before
}

void TuneProgress::end() {
  while (next_ < items_.size()) report_.drop(items_[next_++]);
  if (playoff_) report_.finish_started(0);
  playoff_.reset();
}

std::string tuning_table(const TuningResult& result, const SearchSpace& space,
                         const Objective& objective) {
  TextTable table({"point", "median ms", "of the ceiling", "over default", "registers", ""});
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
               ok ? percent(objective.share_of_ceiling(point, seconds)) : "",
               ok && std::isfinite(result.default_seconds)
                   ? fmt::format("{:.2f}x", result.default_seconds / seconds)
                   : "",
               found->registers > 0 ? std::to_string(found->registers) : "", role});
  }
  return table.text();
}

void warn_of_disturbances(const TuningWorker& worker) {
  if (const std::string text = worker.disturbances(); !text.empty())
    print_message("alsbench: warning: {}\n", text);
}

}  // namespace alsbench
