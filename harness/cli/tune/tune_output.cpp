// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/tune/tune_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "base/message.h"
#include "harness/cli/output.h"
#include "harness/cli/text_table.h"
#include "harness/cli/unfinished_run.h"
#include "harness/files/command_line.h"
#include "harness/tune/database/database_file.h"

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
  table.drop_empty_columns();
  return table.text();
}

void warn_of_disturbances(const TuningWorker& worker) {
  if (const std::string text = worker.disturbances(); !text.empty())
    print_message("alsbench: warning: {}\n", text);
}

TuneTargets tune_targets(const TuneOutputOptions& options, const std::string& name) {
  TuneTargets targets;
  targets.json_on_stdout = options.json == kStdout;
  targets.json = options.json;
  if (options.json.empty() || targets.json_on_stdout)
    targets.json = options.folder / (name + ".json");
  targets.journal = targets.json.string() + ".journal";
  return targets;
}

TuneTargets tune_targets(const LiveTuneOptions& options, const std::string& name) {
  TuneTargets targets = tune_targets(options.output, name);
  if (!options.journal.empty()) targets.journal = options.journal;
  return targets;
}

void writes_document(FilePlan& plan, const TuneOutputOptions& options, const TuneTargets& targets) {
  if (targets.json_on_stdout)
    plan.writes_or_prints(kStdout, "--json");
  else
    plan.writes(targets.json, options.json.empty() ? "the result" : "--json", content::kJson);
}

void check_files(FilePlan plan, const LiveTuneOptions& options, const TuneTargets& targets) {
  reads_data(plan, options.problem.data);
  writes_document(plan, options.output, targets);
  reads_database(plan, options.database);
  plan.writes(options.database, kDatabaseRole);
  plan.writes(targets.journal, options.journal.empty() ? "the journal" : "--journal");
  plan.check();
  if (!options.resume && !options.fresh && !options.output.dry_run)
    protect_unfinished_journal(targets.journal);
}

void write_document(const Json& document, const std::string& tables, const TuneTargets& targets) {
  write_json(targets.json_on_stdout ? "stdout" : targets.json.string(), document);
  if (!targets.json_on_stdout) fmt::print("{}", tables);
  flush_output();
}

std::filesystem::path database_path(const LiveTuneOptions& options, const DeviceTraits& device) {
  const std::filesystem::path path = options.database.empty()
                                         ? user_database_path(device)
                                         : std::filesystem::path(options.database);
  check_database(path);
  return path;
}

TuningDatabase known_database(const std::filesystem::path& file) {
  return TuningDatabase::load(std::filesystem::exists(file) ? file : std::filesystem::path());
}

void print_journal_problems(const std::filesystem::path& path,
                            const std::vector<std::string>& problems) {
  for (const std::string& problem : problems)
    print_message("alsbench: {}: {}; skipped, measured again\n", path.string(), problem);
}

void print_resume_hint(const TuneTargets& targets) {
  print_message("\nstopped; what was measured is in {}. To resume:\n  {}\n",
                targets.journal.string(), resume_command(process_command_line()));
}

}  // namespace alsbench
