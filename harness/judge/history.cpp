// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include "base/error.h"
#include "base/median.h"
#include "harness/files/atomic_file.h"
#include "harness/files/gzip.h"
#include "harness/files/hash.h"
#include "harness/files/regular_expression.h"
#include "harness/files/strict_json.h"
#include "harness/record/document.h"
#include "harness/record/escape.h"
#include "harness/record/tables.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

// Medians of the ceilings by group and cache mode.
class Controls {
 public:
  explicit Controls(const std::vector<ResultRow>& rows) {
    for (const ResultRow& row : rows)
      if (row.timed() && row.record->role == Role::ceiling)
        groups_[key_of(row)][kind_of(*row.record)] = row.seconds();
  }
  void describe(const ResultRow& row, HistoryPoint& point) const {
    const auto group = groups_.find(key_of(row));
    if (group == groups_.end()) return;
    double logs = 0;
    for (const auto& [kind, seconds] : group->second) {
      point.controls += (point.controls.empty() ? "" : " ") + kind;
      logs += std::log(seconds);
    }
    point.control_seconds = std::exp(logs / static_cast<double>(group->second.size()));
  }

 private:
  static std::string key_of(const ResultRow& row) {
    return row.record->group + "\n" + row.mode_name();
  }
  static std::string kind_of(const CaseRecord& record) {
    return record.stage + "/" + record.variant;
  }
  std::map<std::string, std::map<std::string, double>> groups_;
};

// Name and driver of the device a record ran on.
void describe_device(const ResultDocument& result, const CaseRecord& record, HistoryPoint& point) {
  for (const DeviceRecord& device : result.devices) {
    if (device.id != record.device) continue;
    point.device = device.traits.name;
    point.driver = driver_of(device);
  }
}

std::string checksum_of(Json json) {
  json.erase("checksum");
  return Fnv1a128().add(json.dump()).hex();
}

void require_points(const HistoryRun& run, const std::string& source) {
  if (run.points.empty())
    throw UsageError(fmt::format("{}: has no case that was measured; it is not added", source));
}

constexpr const char* kRestore = "restore the file from a copy, or remove it knowingly";

Json json_of_file(const fs::path& path) {
  try {
    return read_json(path);
  } catch (const UsageError& error) {
    throw BaselineError(fmt::format("{}; {}", error.what(), kRestore));
  }
}

HistoryRun read_run(const fs::path& path) {
  const Json json = json_of_file(path);
  try {
    check_document(json, "history_run", path.string());
  } catch (const UsageError& error) {
    throw BaselineError(error.what());
  }
  if (checksum_of(json) != text_at(json, "checksum"))
    throw BaselineError(fmt::format("{}: its checksum differs: it was changed or damaged; {}",
                                    path.string(), kRestore));
  try {
    HistoryRun run = read_written(json, path.string(), read_as<HistoryRun>);
    run.file = path.filename().string();
    return run;
  } catch (const UsageError& error) {
    throw BaselineError(fmt::format("{}; {}", error.what(), kRestore));
  }
}

}  // namespace

bool is_day(const std::string& text) {
  static const RegularExpression form("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  if (!form.matches(text)) return false;
  const auto number = [&](size_t begin) {
    return static_cast<unsigned>(std::stoi(text.substr(begin)));
  };
  return std::chrono::year_month_day(std::chrono::year(static_cast<int>(number(0))),
                                     std::chrono::month(number(5)), std::chrono::day(number(8)))
      .ok();
}

bool is_utc_time(const std::string& text) {
  static const RegularExpression clock("T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z");
  const size_t day_end = std::min(text.find('T'), text.size());
  return is_day(text.substr(0, day_end)) && clock.matches(text.substr(day_end));
}

void describe(Fields<HistoryPoint>& fields) {
  fields("name", &HistoryPoint::name, "the case, with its cache mode");
  fields("device", &HistoryPoint::device, "class: the device's name");
  fields("driver", &HistoryPoint::driver);
  fields("seconds", &HistoryPoint::seconds,
         "median; of a training, of all iterations; of another quantity than time its cost")
      .range(Range::Kind::above_0);
  fields.inlined(&HistoryPoint::quantity);
  fields("controls", &HistoryPoint::controls, "the ceilings measured interleaved with the case");
  fields("control_seconds", &HistoryPoint::control_seconds,
         "geometric mean of their medians; 1 without controls")
      .range(Range::Kind::time);
}

void describe(Fields<HistoryRun>& fields) {
  fields.record("", "One run of a history: `alsbench history DIR --add RESULT.json`.");
  describe_document(fields, "history_run");
  fields("time_utc", &HistoryRun::time_utc);
  fields("git_commit", &HistoryRun::git_commit);
  fields("suite", &HistoryRun::suite);
  fields("points", &HistoryRun::points).range(Range::Kind::not_empty);
  fields("checksum", &HistoryRun::checksum, "FNV-1a-128 of the compact JSON without this member")
      .omitted();
}

HistoryRun history_run_of(const ResultDocument& result, const std::string& source) {
  HistoryRun run;
  run.time_utc = result.provenance.time_utc;
  if (!is_utc_time(run.time_utc))
    throw UsageError(
        fmt::format("{}: is damaged: /provenance/time_utc: '{}' is no time; it is written as "
                    "2026-12-31T12:00:00Z",
                    source, visible(run.time_utc)));
  run.git_commit = result.provenance.build.git_commit;
  run.suite = result.suite.name;
  const std::vector<ResultRow> rows = rows_of(result.cases);
  const Controls controls(rows);
  for (const ResultRow& row : rows) {
    if (row.record->role == Role::ceiling || (!row.timed() && !row.trained())) continue;
    HistoryPoint point;
    point.name = row.name;
    point.seconds = row.seconds();
    describe_device(result, *row.record, point);
    controls.describe(row, point);
    run.points.push_back(std::move(point));
  }
  require_points(run, source);
  return run;
}

namespace {

// The class of machine that a case was measured on, as far as its file tells.
std::string device_of(const ComparisonInput& input, const ComparisonCase& c) {
  for (const std::string& key : {"nvbench device " + c.device, std::string("cpu_model_name"),
                                 std::string("host_name"), std::string("hostname")})
    if (const Property* found = find_property(input.environment, key)) return found->value;
  return "";
}

}  // namespace

HistoryRun history_run_of(const ComparisonInput& input, const RunOrigin& origin) {
  HistoryRun run;
  run.time_utc = !origin.time_utc.empty()  ? origin.time_utc
                 : input.times_utc.empty() ? origin.file_time
                                           : input.times_utc.front();
  run.git_commit = origin.git_commit;
  run.suite = input.format;
  for (const ComparisonCase& c : input.cases) {
    if (c.role == CaseRole::control || c.outcome != Outcome::ok || c.launches.empty()) continue;
    std::vector<double> seconds;
    for (const Launch& launch : c.launches) seconds.push_back(launch.seconds);
    HistoryPoint& point = run.points.emplace_back();
    point.name = c.name;
    point.device = origin.machine.empty() ? device_of(input, c) : origin.machine;
    point.driver = origin.driver;
    point.seconds = median(std::move(seconds));
    point.quantity = c.quantity;
  }
  require_points(run, origin.source);
  return run;
}

HistoryRun history_run_of(const ComparisonDocument& document, const RunOrigin& origin) {
  if (!document.programs)
    throw UsageError(fmt::format(
        "{}: is a comparison of builds or files; add the result of `alsbench run`", origin.source));
  HistoryRun run;
  run.time_utc = document.provenance.time_utc;
  run.git_commit = document.programs->test.git_commit;
  run.suite = document.programs->format;
  for (const CaseComparison& c : document.comparison.cases) {
    if (!c.compared()) continue;
    HistoryPoint& point = run.points.emplace_back();
    point.name = c.name;
    point.device = document.provenance.host.cpu;
    point.driver = document.programs->gpu_driver;
    point.seconds = c.quantity.is_time() ? c.test_seconds : c.quantity.cost_of(c.test_value);
    point.quantity = c.quantity;
  }
  require_points(run, origin.source);
  return run;
}

std::string add_to_history(const fs::path& folder, const HistoryRun& run) {
  Json json = to_json(run);
  json["checksum"] = checksum_of(json);
  std::string time = run.time_utc;
  std::erase_if(time, [](char c) { return c == ':' || c == '-'; });
  constexpr size_t kDigits = 12;
  const std::string name =
      fmt::format("{}-{}.json", time, json["checksum"].get<std::string>().substr(0, kDigits));
  if (!fs::exists(folder / name) && !fs::exists(folder / (name + ".gz")))
    write_file_atomically(folder / name, json.dump(1) + "\n");
  return name;
}

std::vector<HistoryRun> read_history(const fs::path& folder) {
  if (!fs::is_directory(folder))
    throw BaselineError(
        fmt::format("{}: there is no such history; --add begins one", folder.string()));
  std::vector<HistoryRun> runs;
  for (const auto& entry : fs::directory_iterator(folder))
    if (is_document_name(entry.path().native())) runs.push_back(read_run(entry.path()));
  if (runs.empty())
    throw BaselineError(fmt::format("{}: the history is empty; --add adds a run", folder.string()));
  std::ranges::sort(runs, [](const HistoryRun& a, const HistoryRun& b) {
    return std::pair(a.time_utc, a.file) < std::pair(b.time_utc, b.file);
  });
  std::set<std::string> known;  // a copy of a file, or one compressed beside it, is no second run
  std::erase_if(runs, [&](const HistoryRun& run) { return !known.insert(run.checksum).second; });
  return runs;
}

}  // namespace alsbench
