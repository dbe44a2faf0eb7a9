// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/pipeline_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "harness/record/escape.h"
#include "harness/tune/database/tuned_entry.h"
#include "harness/tune/database/tuning_database.h"

namespace alsbench {
namespace {

StageSearchRecord record_of(const StageSearch& search) {
  constexpr double kNotFound = std::numeric_limits<double>::quiet_NaN();
  const TuningResult& result = search.result;
  StageSearchRecord record;
  record.part = search.part;
  record.stage = name_of(search.stage);
  record.skipped = search.skipped;
  record.refines = search.refines;
  record.stop_reason = result.stop_reason;
  record.evaluations = result.evaluations;
  record.best = records_of(search.best);
  record.best_seconds = result.found ? result.best_seconds : kNotFound;
  record.default_seconds = result.found ? result.default_seconds : kNotFound;
  record.elapsed = result.elapsed_seconds;
  record.measuring = result.measure_seconds;
  record.compiling = result.wait_seconds;
  record.preparing = result.prepare_seconds - result.verify_seconds;
  record.verifying = result.verify_seconds;
  return record;
}

TrialRecord record_of(const Trial& trial) {
  return {trial.purpose, records_of(trial.pipelines), trial.outcome, trial.detail,
          trial.metric,  trial.worst_deviation,       trial.seconds, trial.passed};
}

ContenderRecord record_of(const Contender& contender) {
  ContenderRecord record;
  record.pipelines = records_of(contender.pipelines);
  record.is_default = contender.is_default;
  record.eligible = contender.eligible;
  for (const std::string& part : contender.pipelines.algorithm->parts) {
    const auto found = contender.seconds.find(part);
    record.parts.push_back(
        {part, found == contender.seconds.end() ? std::vector<double>() : found->second});
  }
  record.totals = contender.totals;
  return record;
}

std::vector<std::vector<StepRecord>> ties_of(const std::vector<Pipeline>& pipelines) {
  std::vector<std::vector<StepRecord>> records;
  for (const Pipeline& pipeline : pipelines) records.push_back(records_of(pipeline.steps));
  return records;
}

PartChoiceRecord record_of(const PartChoice& choice) {
  PartChoiceRecord record;
  record.part = choice.part;
  record.pick = records_of(choice.pick.steps);
  record.default_pick = records_of(choice.fallback.steps);
  record.median_seconds = choice.median_seconds;
  record.default_seconds = choice.default_seconds;
  record.ties = ties_of(choice.ties);
  return record;
}

template <class T>
auto list_of_records(const std::vector<T>& list) {
  std::vector<decltype(record_of(list.front()))> records;
  for (const T& one : list) records.push_back(record_of(one));
  return records;
}

// A tuning trains at least the exact recipe.
const Algorithm& algorithm_of(const PipelineTuning& tuning) {
  return *tuning.trials.front().pipelines.algorithm;
}

double speedup(const PartChoice& choice) { return choice.default_seconds / choice.median_seconds; }

TunedProblem problem_of(const PipelineTuningContext& context) {
  TunedProblem problem{context.problem.name(), context.problem, {}, context.data};
  for (const auto& [part, shape] : context.shapes) problem.shapes.push_back({part, shape});
  return problem;
}

PipelineSearchRecord search_of(const PipelineTuning& tuning, const PipelineTuneOptions& options) {
  PipelineSearchRecord search;
  if (options.warm_start)
    search.warm_start = {records_of(options.warm_start->recipe), options.warm_start->reason,
                         tuning.around_warm_start};
  search.strategy = options.strategy;
  search.seed = options.seed;
  search.stage_evaluations = options.stage_evaluations;
  search.budget_seconds = tuning.budget_seconds;
  search.evaluations = tuning.evaluations;
  search.playoff_rounds = options.playoff_rounds;
  return search;
}

GateRecord gate_of(const PipelineTuning& tuning, const PipelineTuneOptions& options) {
  GateRecord gate;
  gate.iterations = options.iterations;
  gate.tolerance = options.tolerance;
  gate.test_ratings = tuning.test_ratings;
  gate.metric = algorithm_of(tuning).metric;
  gate.exact = tuning.exact_metric;
  gate.target = tuning.target_metric;
  gate.test = tuning.metric;
  gate.worst_deviation = tuning.worst_deviation;
  return gate;
}

HyperSearchRecord record_of(const HyperSearch& search) {
  return {search.chosen().hyper, search.chosen().seconds, search.fallback().seconds, search.trials};
}

// The values that are not the defaults.
std::string changed_values(const HyperSearch& search) {
  std::vector<std::pair<std::string, std::string>> changed;
  for (const auto& [name, value] : search.chosen().hyper.entries())
    if (!search.fallback().hyper.is(name, value)) changed.emplace_back(name, value);
  return Config(std::move(changed)).text();
}

// The limit of the gate, and how near the choice came to it.
std::string accuracy_text(const PipelineTuning& tuning, const PipelineTuneOptions& options) {
  if (options.goal == Goal::time_to_target)
    return fmt::format("let through up to {:.5f}", tuning.target_metric);
  return fmt::format("at most {:.2g} % off it from iteration 2 on, let through up to {:.2g} %",
                     100 * tuning.worst_deviation, 100 * options.tolerance);
}

std::string hyper_line(const HyperSearch& search) {
  if (search.pick == 0) return "hyper  no other values reach the target sooner\n";
  return fmt::format(
      "hyper  {}: {:.3f} ms to the target, {:.3f} ms with the defaults; give it to `train` as "
      "--hyper\n",
      changed_values(search), 1e3 * search.chosen().seconds, 1e3 * search.fallback().seconds);
}

bool default_was_refused(const PipelineTuning& tuning) {
  return std::ranges::any_of(tuning.playoff, [](const auto& contender) {
    return contender.is_default && !contender.eligible;
  });
}

std::vector<StepRecord> steps_of(const SearchSpace& space, size_t point) {
  return records_of({{space[point].variant, space[point].config}});
}

}  // namespace

const Shape& PipelineTuningContext::shape(const std::string& part) const {
  for (const auto& [name, shape] : shapes)
    if (name == part) return shape;
  throw std::out_of_range("no shape of part " + part);
}

PipelineTuningDocument document_of(const PipelineTuning& tuning, const PipelineTuneOptions& options,
                                   const PipelineTuningContext& context) {
  PipelineTuningDocument document;
  document.training = {context.algorithm->name, context.minimised};
  document.provenance = context.provenance;
  document.device = context.device;
  document.members = context.members;
  document.problem = problem_of(context);
  document.goal = options.goal;
  document.search = search_of(tuning, options);
  document.gate = gate_of(tuning, options);
  document.stages = list_of_records(tuning.stages);
  document.trials = list_of_records(tuning.trials);
  document.playoff = list_of_records(tuning.playoff);
  document.parts = list_of_records(tuning.parts);
  if (tuning.hyper) document.hyper = record_of(*tuning.hyper);
  document.time = tuning.time;
  return document;
}

std::string table_of(const PipelineTuning& tuning, const PipelineTuneOptions& options) {
  std::string text;
  for (const PartChoice& choice : tuning.parts) {
    text += fmt::format("{:<6} {}\n", choice.part, choice.pick.text());
    const std::string over = std::isfinite(choice.default_seconds)
                                 ? fmt::format("{:.3f}x over the default ({:.3f} ms)",
                                               speedup(choice), 1e3 * choice.default_seconds)
                                 : "the default did not train";
    text += fmt::format("       {:.3f} ms{}, {}: {}\n", 1e3 * choice.median_seconds,
                        options.goal == Goal::time ? "" : " to the target, both parts", over,
                        choice.fallback.text());
    text += ties_text(records_of(choice.pick.steps), ties_of(choice.ties), "       ");
  }
  if (default_was_refused(tuning))
    text += "       the default is not let through, as it is further off exact FP32 or fails\n";
  text += fmt::format("{:<6} {:.5f} after {} iterations, exact FP32 {:.5f}; {}\n",
                      upper_case(algorithm_of(tuning).metric), tuning.metric, options.iterations,
                      tuning.exact_metric, accuracy_text(tuning, options));
  if (tuning.hyper) text += hyper_line(*tuning.hyper);
  const TimeSpent& time = tuning.time;
  text += fmt::format(
      "time   {:.1f} s: {:.0f} % measuring, {} configurations and pairs; the data took {:.1f} s "
      "before\n",
      time.total, 100 * time.measuring() / std::max(time.total, 1e-9), tuning.evaluations,
      time.data);
  text += fmt::format(
      "       samples {:.1f} s, training that judges {:.1f} s, playoff {:.1f} s; waiting for "
      "compilers {:.1f} s, preparing {:.1f} s, verifying {:.1f} s, other {:.1f} s\n",
      time.sampling, time.accuracy, time.playoff, time.compiling, time.preparing, time.verifying,
      time.other());
  return text;
}

std::vector<TunedEntry> entries_of(const PipelineTuning& tuning, const PipelineTuneOptions& options,
                                   const PipelineTuningContext& context) {
  std::vector<TunedEntry> entries;
  for (const PartChoice& choice : tuning.parts) {
    TunedEntry entry;
    entry.device = context.traits;
    entry.members = context.members;
    entry.what = kWholePipeline;
    entry.algorithm = context.algorithm;
    entry.minimised = context.minimised;
    entry.part = choice.part;
    entry.goal = options.goal;
    entry.shape = context.shape(choice.part);
    entry.data = context.problem.name();
    entry.storage = precision_of(choice.pick).storage;
    entry.pick = records_of(choice.pick.steps);
    entry.default_pick = records_of(choice.fallback.steps);
    entry.median_seconds = choice.median_seconds;
    // A default that failed is no slower than the pick, for all that is known.
    entry.default_seconds =
        std::isfinite(choice.default_seconds) ? choice.default_seconds : choice.median_seconds;
    entry.ties = ties_of(choice.ties);
    entry.search = {options.strategy, options.stage_evaluations, tuning.budget_seconds,
                    tuning.evaluations, options.seed};
    entry.code_hash =
        code_hash_of_steps(choice.pick.steps, entry.shape, context.traits).value_or("");
    entry.accuracy = TunedAccuracy{context.algorithm->metric, options.iterations, tuning.metric,
                                   tuning.exact_metric, options.tolerance};
    entry.provenance = entry_provenance(context.provenance, context.device);
    entries.push_back(std::move(entry));
  }
  return entries;
}

EntryProvenance entry_provenance(const Provenance& provenance, const DeviceRecord& device) {
  const BuildProvenance& build = provenance.build;
  EntryProvenance entry;
  entry.time_utc = provenance.time_utc;
  entry.version = build.version;
  entry.git_commit = build.git_commit;
  entry.git_dirty = build.git_dirty;
  entry.compiler = build.compiler;
  entry.cuda_toolkit = build.cuda_toolkit;
  if (device.versions) entry.nvrtc = device.versions->nvrtc;
  if (device.nvml) entry.driver = device.nvml->driver_version;
  return entry;
}

TunedEntry stage_entry(const TuningResult& result, const SearchSpace& space, const Budget& budget,
                       const std::string& part, const PipelineTuningContext& context) {
  if (!result.found) throw std::logic_error("a tuning that found nothing has no entry");
  const SearchPoint& best = space[result.best];
  TunedEntry entry;
  entry.device = context.traits;
  entry.what = name_of(best.variant->stage);
  entry.part = part;
  entry.shape = context.shape(part);
  entry.data = context.problem.name();
  entry.storage = storage_of(*best.variant, best.config);
  entry.pick = steps_of(space, result.best);
  entry.default_pick = steps_of(space, space.default_point());
  entry.median_seconds = result.best_seconds;
  // A default that failed is no slower than what was found, for all that is known.
  entry.default_seconds =
      std::isfinite(result.default_seconds) ? result.default_seconds : result.best_seconds;
  for (const size_t tied : result.tie_set) entry.ties.push_back(steps_of(space, tied));
  if (entry.ties.empty()) entry.ties = {entry.pick};
  constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();
  entry.search = {result.strategy, budget.evaluations == kUnlimited ? 0 : budget.evaluations,
                  std::isfinite(budget.seconds) ? budget.seconds : 0, result.evaluations,
                  result.seed};
  entry.code_hash =
      code_hash_of_steps({{best.variant, best.config}}, entry.shape, context.traits).value_or("");
  entry.provenance = entry_provenance(context.provenance, context.device);
  return entry;
}

}  // namespace alsbench
