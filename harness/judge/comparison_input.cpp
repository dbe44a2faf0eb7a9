// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/comparison_input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/median.h"
#include "harness/files/gzip.h"
#include "harness/files/strict_json.h"
#include "harness/judge/foreign_input.h"
#include "harness/judge/statistics.h"
#include "harness/record/escape.h"

namespace alsbench {
namespace {

CaseRole role_of(const CaseRecord& record) {
  return record.role == Role::ceiling    ? CaseRole::control
         : record.role == Role::training ? CaseRole::training
                                         : CaseRole::kernel;
}

std::vector<KernelFacts> kernels_of(const CaseRecord& record) {
  std::vector<KernelFacts> kernels;
  for (const KernelRecord& kernel : record.kernels)
    kernels.push_back({kernel.report.instance, kernel.report.code_hash, resources_of(kernel.report),
                       kernel.report.grid, kernel.report.block});
  return kernels;
}

// The median of those that are known; 0 where none is.
template <class Of>
double median_known(std::span<Of> all, double std::remove_const_t<Of>::*clock_hz) {
  std::vector<double> clocks;
  for (const auto& one : all)
    if (one.*clock_hz > 0) clocks.push_back(one.*clock_hz);
  return clocks.empty() ? 0 : median(std::move(clocks));
}

double median_clock(std::span<const Sample> samples) {
  return median_known(samples, &Sample::sm_clock_hz);
}

double median_clock(std::span<const Launch> launches) {
  return median_known(launches, &Launch::clock_hz);
}

Launch joined_file(std::span<const Launch> launches) {
  std::vector<double> seconds;
  Launch file{.samples = 0, .timed_out = true, .file = launches.front().file};
  size_t disturbed = 0;
  for (const Launch& launch : launches) {
    seconds.push_back(launch.seconds);
    file.samples += launch.samples;
    disturbed += launch.disturbed ? 1 : 0;
    file.timed_out = file.timed_out && launch.timed_out;
  }
  file.seconds = median(std::move(seconds));
  file.disturbed = 2 * disturbed > launches.size();
  file.clock_hz = median_clock(launches);
  return file;
}

std::vector<Launch> launches_of(const CaseRecord& record, const MeasurementRecord& measurement) {
  std::vector<Launch> launches;
  std::span<const Sample> samples = measurement.samples;  // of all launches, in their order
  for (const LaunchRecord& launch : measurement.launches) {
    if (!std::isfinite(launch.median_seconds))
      throw UsageError(
          fmt::format("case '{}' has a launch without a median", visible(record.name)));
    const size_t count =
        std::min(samples.size(), static_cast<size_t>(std::max<int64_t>(0, launch.count)));
    launches.push_back({launch.median_seconds, launch.count, launch.stop_reason == "disturbed",
                        launch.stop_reason == "time", median_clock(samples.first(count))});
    samples = samples.subspan(count);
  }
  return launches;
}

// Seconds until the test metric was at the target, or of all iterations where there is none; 0
// where the target was not reached.
double training_seconds(const TrainingLaunch& launch, const std::optional<double>& target) {
  if (!target) return launch.seconds();
  double seconds = 0;
  for (const IterationRecord& iteration : launch.iterations) {
    seconds += iteration.seconds;
    if (iteration.test_metric <= *target) return seconds;
  }
  return 0;
}

void add_training(const TrainingRecord& training, ComparisonCase& c) {
  c.metric = training.metric;
  for (const TrainingLaunch& launch : training.launches) {
    if (launch.iterations.empty()) continue;
    const double seconds = training_seconds(launch, training.target);
    if (seconds > 0) c.launches.push_back({seconds, 1, disturbed(launch.iterations)});
    std::map<std::string, double> stages;
    for (const IterationRecord& iteration : launch.iterations)
      for (const auto& [stage, stage_seconds] : iteration.stage_seconds)
        stages[stage] += stage_seconds;
    for (const auto& [stage, stage_seconds] : stages) c.parts[stage].push_back(stage_seconds);
    const double last = launch.iterations.back().test_metric;
    if (std::isfinite(last)) c.metrics.push_back(last);
  }
  if (c.launches.empty()) {
    c.outcome = Outcome::wrong;
    c.detail = fmt::format("the target {} {} was not reached", upper_case(training.metric),
                           json_of(training.target).dump());
  }
}

void add_counters(const CountersRecord& counters, ComparisonCase& c) {
  if (counters.counted()) c.counters = sum_of(counters.kernels);
  if (const auto& refusal = counters.refusal)
    c.no_counters =
        fmt::format("{}: {}; {}", name_of(refusal->why), refusal->detail, refusal->remedy);
}

// The cases of one record: one a cache mode, or one that says what became of it.
void add_cases(const CaseRecord& record, std::vector<ComparisonCase>& cases) {
  if (record.role == Role::peer) return;  // no build of ours makes it faster
  ComparisonCase c;
  c.name = c.record = record.name;
  c.role = role_of(record);
  c.device = record.device;
  c.outcome = record.outcome;
  c.detail = record.detail;
  c.kernels = kernels_of(record);
  c.peak_device_bytes = record.peak_device_bytes.value_or(-1);
  if (record.verification) c.solver_steps = record.verification->mean_solver_steps;
  for (const KernelRecord& kernel : record.kernels)
    if (kernel.seconds) c.parts[kernel.report.instance].push_back(*kernel.seconds);
  if (c.role == CaseRole::control)
    c.kind = fmt::format("{}/{}/{}", record.stage, record.variant, name_of(record.backend));
  if (c.outcome != Outcome::ok) return cases.push_back(std::move(c));
  if (record.training) {
    add_training(*record.training, c);
    return cases.push_back(std::move(c));
  }
  for (const CacheMode mode : kCacheModes) {
    if (!record.of(mode)) continue;
    ComparisonCase measured = c;
    measured.name += fmt::format("/{}", name_of(mode));
    if (!c.kind.empty()) measured.kind += fmt::format("/{}", name_of(mode));
    measured.launches = launches_of(record, *record.of(mode));
    if (const auto& counters = record.of(mode)->counters) add_counters(*counters, measured);
    cases.push_back(std::move(measured));
  }
}

std::string text_of_file(const std::filesystem::path& path, const std::string& source) {
  std::string text = document_text(path);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw UsageError(fmt::format("{}: is empty", source));
  return text;
}

ComparisonInput read_file(const std::filesystem::path& path, const ForeignReader& reader) {
  const std::string source = path.string();
  if (!std::filesystem::exists(path))
    throw UsageError(fmt::format("{}: there is no such file", source));
  const std::string text = text_of_file(path, source);
  const std::string written = without_bare_numbers(text);
  const Json json = parse_json(written, source);
  ForeignReader beside = reader;
  beside.folder = path.has_parent_path() ? path.parent_path() : ".";
  if (auto foreign = foreign_input_of(json, source, beside)) return *std::move(foreign);
  if (written != text) parse_json(text, source);  // refuses what only Google Benchmark writes
  return comparison_input_of(result_from_json(json, source), source);
}

std::vector<std::filesystem::path> files_of(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file() && is_document_name(name) && !name.ends_with(".gbench.json"))
      files.push_back(entry.path());
  }
  if (files.empty())
    throw UsageError(
        fmt::format("{}: is a folder without a .json or .json.gz file", path.string()));
  std::ranges::sort(files);
  return files;
}

// Takes what another file of the same side says of the measurement. Throws UsageError where both
// say something else that binds them.
void merge_environment(ComparisonInput& side, const ComparisonInput& more) {
  std::vector<std::string> differing;
  for (const Property& one : more.environment) {
    const Property* own = find_property(side.environment, one.name);
    if (own == nullptr)
      side.environment.push_back(one);
    else if (one.binding && own->value != one.value)
      differing.push_back(
          difference_text({one.story, one.name, own->value, one.value}, side.source, more.source));
  }
  if (!differing.empty())
    throw UsageError(fmt::format("files of one side were measured in different environments: {}",
                                 fmt::join(differing, "; ")));
}

// Counters of the first file that has them.
void adopt(const ComparisonCase& c, ComparisonCase& target) {
  if (!target.counters) target.counters = c.counters;
  if (target.no_counters.empty()) target.no_counters = c.no_counters;
}

// Adds what another file of the same side says of a case.
// It was skipped where all files skipped it, and has failed where it failed in one.
void join(ComparisonCase c, ComparisonCase& target) {
  if (c.outcome == Outcome::skipped) return;
  if (target.outcome == Outcome::skipped) {
    target = std::move(c);
    return;
  }
  if (target.launches.empty()) {  // the facts are those of a file that measured it
    c.outcome = std::exchange(target.outcome, c.outcome);
    std::swap(c.detail, target.detail);
    std::swap(c, target);
  }
  std::move(c.launches.begin(), c.launches.end(), std::back_inserter(target.launches));
  target.peak_device_bytes = std::max(target.peak_device_bytes, c.peak_device_bytes);
  std::move(c.metrics.begin(), c.metrics.end(), std::back_inserter(target.metrics));
  for (auto& [name, seconds] : c.parts)
    std::move(seconds.begin(), seconds.end(), std::back_inserter(target.parts[name]));
  target.ends.merge(c.ends);
  adopt(c, target);
  if (failed(target.outcome) || !failed(c.outcome)) return;
  target.outcome = c.outcome;
  target.detail = c.detail;
}

}  // namespace

void InputMerger::add_kernels(const ComparisonInput& input) {
  for (const KernelsProvenance& kernels : input.kernels) {
    const auto known = std::ranges::find_if(
        input_.kernels, [&](const auto& one) { return one.name == kernels.name; });
    if (known == input_.kernels.end())
      input_.kernels.push_back(kernels);
    else if (known->hash != kernels.hash)
      throw UsageError(fmt::format(
          "the files of the custom kernel '{}' changed between the launches of one side: {} has "
          "{}, the launches before {}; measure again, and leave them alone meanwhile",
          kernels.name, input.source, kernels.hash, known->hash));
  }
}

void InputMerger::add(ComparisonInput input) {
  for (ComparisonCase& c : input.cases)
    for (Launch& launch : c.launches) launch.file = files_;
  ++files_;
  if (input_.format.empty()) {
    input_ = std::move(input);
    for (size_t i = 0; i < input_.cases.size(); ++i) index_[input_.cases[i].name] = i;
    return;
  }
  if (input.format != input_.format)
    throw UsageError(
        fmt::format("files of one side are of two formats: {} is {} JSON, and {} is {} JSON; leave "
                    "one kind out",
                    input_.source, input_.format, input.source, input.format));
  merge_environment(input_, input);
  add_kernels(input);
  std::move(input.times_utc.begin(), input.times_utc.end(), std::back_inserter(input_.times_utc));
  if (input.source != input_.source) input_.source += ", " + input.source;
  for (ComparisonCase& c : input.cases) {
    const auto [known, added] = index_.try_emplace(c.name, input_.cases.size());
    if (added) {
      input_.cases.push_back(std::move(c));
      continue;
    }
    ComparisonCase& target = input_.cases[known->second];
    if (!c.launches.empty() && !target.launches.empty() && c.quantity != target.quantity)
      throw UsageError(
          fmt::format("case '{}' is in {} in {}, and in {} before; give one unit, and one "
                      "statistic of its samples",
                      visible(c.name), c.quantity.text(), input.source, target.quantity.text()));
    join(std::move(c), target);
  }
}

void InputMerger::adopt_counters(const ComparisonInput& counted) {
  for (const ComparisonCase& c : counted.cases)
    if (const auto known = index_.find(c.name); known != index_.end())
      adopt(c, input_.cases[known->second]);
}

double median_clock(const ComparisonCase& c) { return median_clock(std::span(c.launches)); }

void join_launches_of_files(ComparisonInput& input) {
  for (ComparisonCase& c : input.cases) {
    std::vector<Launch> files;
    for (auto begin = c.launches.begin(); begin != c.launches.end();) {
      const auto end = std::find_if(begin, c.launches.end(), [&](const Launch& launch) {
        return launch.file != begin->file;
      });
      files.push_back(joined_file(std::span(begin, end)));
      begin = end;
    }
    c.launches = std::move(files);
  }
}

ComparisonInput comparison_input_of(const ResultDocument& document, const std::string& source) {
  ComparisonInput input;
  input.source = source;
  input.format = kOwnFormat;
  input.environment = environment_of(document);
  input.times_utc = {document.provenance.time_utc};
  input.kernels = document.provenance.kernels;
  try {
    for (const CaseRecord& record : document.cases) add_cases(record, input.cases);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: is damaged: {}", source, error.what()));
  }
  return input;
}

ComparisonInput read_foreign_file(const std::filesystem::path& path, const std::string& source,
                                  const ForeignReader& reader) {
  const std::string text = without_bare_numbers(text_of_file(path, source));
  ForeignReader beside = reader;
  beside.folder = path.has_parent_path() ? path.parent_path() : ".";
  return foreign_input_of(parse_json(text, source), source, beside).value();
}

ComparisonInput read_comparison_input(const std::vector<std::filesystem::path>& paths,
                                      const ForeignReader& reader) {
  InputMerger merger;
  for (const std::filesystem::path& path : paths)
    for (const std::filesystem::path& file : files_of(path)) merger.add(read_file(file, reader));
  return std::move(merger.input());
}

ComparisonInput read_comparison_input(const std::vector<std::filesystem::path>& paths) {
  return read_comparison_input(paths, {});
}

}  // namespace alsbench
