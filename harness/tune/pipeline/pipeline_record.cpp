// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/pipeline_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "harness/record/core_codecs.h"
#include "harness/record/escape.h"
#include "harness/sweep/suite/case.h"
#include "harness/tune/database/kernel_code_hash.h"
#include "harness/tune/database/ties_text.h"
#include "harness/tune/pipeline/stage_searches.h"
#include "harness/tune/search/tuning_journal.h"

namespace alsbench {
namespace {

Json texts_of(const Recipe& pipelines) {
  Json json = Json::object();
  for (const std::string& part : pipelines.algorithm->parts) json[part] = pipelines.of(part).text();
  return json;
}

Json to_json(const StageSearch& search) {
  const TuningResult& result = search.result;
  const bool found = result.found;
  return {{"part", search.part},
          {"stage", name_of(search.stage)},
          {"skipped", search.skipped.empty() ? Json(nullptr) : Json(search.skipped)},
          {"refines", search.refines.empty() ? Json(nullptr) : Json(search.refines)},
          {"evaluations", result.evaluations},
          {"stop_reason", result.stop_reason.empty() ? Json(nullptr) : Json(result.stop_reason)},
          {"best", search.best},
          {"best_seconds", found ? json_of(result.best_seconds) : Json(nullptr)},
          {"default_seconds", found ? json_of(result.default_seconds) : Json(nullptr)},
          {"elapsed_seconds", result.elapsed_seconds},
          {"measuring_seconds", result.measure_seconds},
          {"compiling_seconds", result.wait_seconds},
          {"preparing_seconds", result.prepare_seconds - result.verify_seconds},
          {"verifying_seconds", result.verify_seconds}};
}

Json to_json(const Trial& trial) {
  return {{"purpose", trial.purpose},
          {"pipelines", texts_of(trial.pipelines)},
          {"outcome", name_of(trial.outcome)},
          {"detail", trial.detail.empty() ? Json(nullptr) : Json(trial.detail)},
          {trial.pipelines.algorithm->metric, json_of(trial.metric)},
          {"worst_deviation", json_of(trial.worst_deviation)},
          {"seconds", json_of(trial.seconds)},
          {"passed", trial.passed}};
}

Json to_json(const Contender& contender) {
  Json json{{"pipelines", texts_of(contender.pipelines)},
            {"is_default", contender.is_default},
            {"eligible", contender.eligible}};
  for (const std::string& part : contender.pipelines.algorithm->parts) {
    const auto found = contender.seconds.find(part);
    json[part + "_seconds"] =
        found == contender.seconds.end() ? Json::array() : Json(found->second);
  }
  json["total_seconds"] = contender.totals;
  return json;
}

// A tuning trains at least the exact recipe.
const Algorithm& algorithm_of(const PipelineTuning& tuning) {
  return *tuning.trials.front().pipelines.algorithm;
}

double speedup(const PartChoice& choice) { return choice.default_seconds / choice.median_seconds; }

Json to_json(const PartChoice& choice) {
  return {{"part", choice.part},
          {"pick", choice.pick.text()},
          {"median_seconds", json_of(choice.median_seconds)},
          {"default_pick", choice.fallback.text()},
          {"default_seconds", json_of(choice.default_seconds)},
          {"speedup_over_default", json_of(speedup(choice))},
          {"ties", choice.ties}};
}

Json to_json(const TimeSpent& time) {
  return {{"total_seconds", time.total},
          {"measuring_seconds", time.measuring()},
          {"compiling_seconds", time.compiling},
          {"rest_seconds", time.total - time.measuring() - time.compiling},
          {"data_seconds", time.data},
          {"parts",
           {{"compiling_seconds", time.compiling},
            {"preparing_seconds", time.preparing},
            {"verifying_seconds", time.verifying},
            {"sampling_seconds", time.sampling},
            {"judging_seconds", time.judging},
            {"playing_seconds", time.playing},
            {"other_seconds", time.other()}}}};
}

Json to_json(const HyperTrial& trial) {
  return {{"hyper", alsbench::to_json(trial.hyper)},
          {"seconds", json_of(trial.seconds)},
          {"reached_target", trial.reached},
          {"best", json_of(trial.metric)},
          {"passed", trial.passed}};
}

template <class T>
Json list_of(const std::vector<T>& items) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(to_json(item));
  return list;
}

Json problem_json(const PipelineTuningContext& context) {
  Json json = describe(context.problem);
  for (const auto& [part, shape] : context.shapes) json["shape_" + part] = alsbench::to_json(shape);
  json["data"] = alsbench::to_json(context.data);
  return json;
}

Json near_json(const PipelineTuning& tuning, const PipelineTuneOptions& options) {
  if (!options.near) return nullptr;
  return {{"pipelines", texts_of(options.near->recipe)},
          {"reason", options.near->reason},
          {"taken", tuning.around_near}};
}

Json search_json(const PipelineTuning& tuning, const PipelineTuneOptions& options) {
  return {{"near", near_json(tuning, options)},
          {"strategy", options.strategy},
          {"seed", options.seed},
          {"stage_evaluations", options.stage_evaluations},
          {"budget_seconds", tuning.budget_seconds},
          {"evaluations", tuning.evaluations},
          {"playoff_rounds", options.playoff_rounds}};
}

Json hyper_json(const HyperSearch& search) {
  return {{"pick", alsbench::to_json(search.chosen().hyper)},
          {"seconds", json_of(search.chosen().seconds)},
          {"default_seconds", json_of(search.fallback().seconds)},
          {"trials", list_of(search.trials)}};
}

// The values that are not the defaults.
std::string changed_values(const HyperSearch& search) {
  std::vector<std::pair<std::string, std::string>> changed;
  for (const auto& [name, value] : search.chosen().hyper.entries())
    if (!search.fallback().hyper.is(name, value)) changed.emplace_back(name, value);
  return Config(std::move(changed)).text();
}

// What was let through, and how near the choice came to that.
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

Json training_json(const PipelineTuningContext& context) {
  Json json{{"algorithm", context.algorithm->name}};
  if (!context.minimised.empty()) json["minimised"] = context.minimised;
  return json;
}

// The first record of the journal: what a tuning that goes on from it must have in common.
Json head_of(const PipelineTuningContext& context, const PipelineTuneOptions& options) {
  Json spaces = Json::array();
  for (const auto& [part, shape] : context.shapes)
    for (const StageSpace& found :
         stage_spaces(context.algorithm->pipelines(part), shape, context.traits))
      spaces.push_back({{"part", part},
                        {"stage", name_of(found.stage)},
                        {"space", found.space ? to_json(found.space->summary()) : Json(nullptr)}});
  Json search{{"device", context.device.traits.name},
              {"training", training_json(context)},
              {"problem", to_json(context.problem)},
              {"data", to_json(context.data)},
              {"objective", name_of(options.goal)},
              {"iterations", options.iterations},
              {"tolerance", options.tolerance},
              {"strategy", options.strategy},
              {"seed", options.seed},
              {"stage_evaluations", options.stage_evaluations},
              {"spaces", spaces}};
  if (context.members > 1) search["members"] = context.members;
  if (options.near) search["near"] = texts_of(options.near->recipe);
  return {{"kind", "pipeline-tuning"},
          {"search", search},
          {"device", to_json(context.device)},
          {"provenance", to_json(context.provenance)}};
}

bool default_was_refused(const PipelineTuning& tuning) {
  return std::any_of(tuning.playoff.begin(), tuning.playoff.end(), [](const auto& contender) {
    return contender.is_default && !contender.eligible;
  });
}

}  // namespace

const Shape& PipelineTuningContext::shape(const std::string& part) const {
  for (const auto& [name, shape] : shapes)
    if (name == part) return shape;
  throw std::out_of_range("no shape of part " + part);
}

ResumedJournal create_pipeline_journal(const std::filesystem::path& path,
                                       const PipelineTuningContext& context,
                                       const PipelineTuneOptions& options) {
  return {Journal::create(path, head_of(context, options)), {}};
}

ResumedJournal resume_pipeline_journal(const std::filesystem::path& path,
                                       const PipelineTuningContext& context,
                                       const PipelineTuneOptions& options) {
  return resume_journal(path, head_of(context, options));
}

Json to_json(const PipelineTuning& tuning, const PipelineTuneOptions& options,
             const PipelineTuningContext& context) {
  const std::string& metric = algorithm_of(tuning).metric;
  Json json{{"$schema", "../schema/pipeline-tuning.schema.json"},
            {"schema_version", "1.9.0"},
            {"kind", "pipeline-tuning"},
            {"training", training_json(context)},
            {"provenance", alsbench::to_json(context.provenance)},
            {"device", alsbench::to_json(context.device)},
            {"problem", problem_json(context)},
            {"objective", name_of(options.goal)},
            {"search", search_json(tuning, options)},
            {"gate",
             {{"iterations", options.iterations},
              {"tolerance", options.tolerance},
              {"ratings", tuning.test_ratings ? "test" : "train"},
              {"exact_" + metric, json_of(tuning.exact_metric)},
              {"target_" + metric, json_of(tuning.target_metric)},
              {metric, json_of(tuning.metric)},
              {"worst_deviation", json_of(tuning.worst_deviation)}}},
            {"stages", list_of(tuning.stages)},
            {"trials", list_of(tuning.trials)},
            {"playoff", list_of(tuning.playoff)},
            {"sides", list_of(tuning.parts)},
            {"time", to_json(tuning.time)}};
  if (tuning.hyper) json["hyper"] = hyper_json(*tuning.hyper);
  if (context.members > 1) json["members"] = context.members;
  return json;
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
    text += ties_text(choice.pick.text(), choice.ties, "       ");
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
      time.sampling, time.judging, time.playing, time.compiling, time.preparing, time.verifying,
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
    entry.pick = choice.pick.text();
    entry.default_pick = choice.fallback.text();
    entry.median_seconds = choice.median_seconds;
    // A default that failed is no slower than the pick, for all that is known.
    entry.default_seconds =
        std::isfinite(choice.default_seconds) ? choice.default_seconds : choice.median_seconds;
    entry.ties = choice.ties;
    entry.search = {options.strategy, options.stage_evaluations, tuning.budget_seconds,
                    tuning.evaluations, options.seed};
    entry.code_hash =
        code_hash_of_steps(choice.pick.steps, entry.shape, context.traits).value_or("");
    entry.accuracy =
        TunedAccuracy{options.iterations, tuning.metric, tuning.exact_metric, options.tolerance};
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

}  // namespace alsbench
