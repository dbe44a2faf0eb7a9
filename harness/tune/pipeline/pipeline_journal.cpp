// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/pipeline_journal.h"

#include "harness/record/core_codecs.h"
#include "harness/sweep/suite/case.h"
#include "harness/tune/pipeline/stage_searches.h"

namespace alsbench {
namespace {

template <class T>
void kind(Fields<T>& fields, const char* name) {
  fields.derived("kind", [name](const T&) { return Json(name); }, {{"const", name}});
}

PipelineHead head_of(const PipelineTuningContext& context, const PipelineTuneOptions& options) {
  PipelineHead head;
  PipelineSearch& search = head.search;
  search.device = context.device.traits.name;
  search.members = context.members;
  search.training = {context.algorithm->name, context.minimised};
  search.problem = context.problem;
  search.data = context.data;
  search.goal = options.goal;
  search.iterations = options.iterations;
  search.tolerance = options.tolerance;
  search.strategy = options.strategy;
  search.seed = options.seed;
  search.stage_evaluations = options.stage_evaluations;
  if (options.warm_start) search.warm_start = records_of(options.warm_start->recipe);
  for (const auto& [part, shape] : context.shapes)
    for (const StageSpace& found :
         stage_spaces(context.algorithm->pipelines(part), shape, context.traits))
      search.spaces.push_back({part, std::string(name_of(found.stage)),
                               found.space ? std::optional(found.space->summary()) : std::nullopt});
  head.device = context.device;
  head.provenance = context.provenance;
  return head;
}

}  // namespace

ResumedJournal create_pipeline_journal(const std::filesystem::path& path,
                                       const PipelineTuningContext& context,
                                       const PipelineTuneOptions& options) {
  return {Journal::create(path, to_json(head_of(context, options))), {}};
}

ResumedJournal resume_pipeline_journal(const std::filesystem::path& path,
                                       const PipelineTuningContext& context,
                                       const PipelineTuneOptions& options) {
  return resume_journal(path, to_json(head_of(context, options)));
}

void describe(Fields<PipelineSearch::Space>& fields) {
  using S = PipelineSearch::Space;
  fields("part", &S::part);
  fields("stage", &S::stage);
  fields("space", &S::space);
}

void describe(Fields<PipelineSearch>& fields) {
  using S = PipelineSearch;
  fields("device", &S::device);
  fields("members", &S::members);
  fields("training", &S::training);
  fields("problem", &S::problem);
  fields("data", &S::data);
  fields("objective", &S::goal);
  fields("iterations", &S::iterations);
  fields("tolerance", &S::tolerance);
  fields("strategy", &S::strategy);
  fields("seed", &S::seed);
  fields("stage_evaluations", &S::stage_evaluations);
  fields("warm_start", &S::warm_start);
  fields("spaces", &S::spaces);
}

void describe(Fields<PipelineHead>& fields) {
  kind(fields, "pipeline-tuning");
  fields("search", &PipelineHead::search);
  fields("device", &PipelineHead::device);
  fields("provenance", &PipelineHead::provenance);
}

void describe(Fields<AskedTraining>& fields) {
  using A = AskedTraining;
  fields("pipelines", &A::pipelines);
  fields("hyper", &A::hyper);
  fields("iterations", &A::iterations);
  fields("target_metric", &A::target);
  fields("evaluation", &A::evaluation);
}

void describe(Fields<TrialRun>& fields) {
  using R = TrialRun;
  fields("outcome", &R::outcome);
  fields("detail", &R::detail);
  fields("reached_target", &R::reached_target);
  fields("measured_seconds", &R::measured_seconds);
  fields("setup_seconds", &R::setup_seconds);
  fields("wait_seconds", &R::wait_seconds);
  fields("iterations", &R::iterations);
}

void describe(Fields<JournaledTraining>& fields) {
  kind(fields, "training");
  fields("asked", &JournaledTraining::asked);
  fields.inlined(&JournaledTraining::run);
}

void describe(Fields<JournaledSearch>& fields) {
  kind(fields, "search");
  fields("search", &JournaledSearch::search);
  fields("result", &JournaledSearch::result);
}

void describe(Fields<JournaledPoint>& fields) {
  kind(fields, "evaluation");
  fields("search", &JournaledPoint::search);
  fields.inlined(&JournaledPoint::evaluation);
}

}  // namespace alsbench
