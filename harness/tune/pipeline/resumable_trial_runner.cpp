// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/resumable_trial_runner.h"

#include "harness/record/core_codecs.h"
#include "harness/sweep/suite/case.h"
#include "harness/tune/pipeline/stage_searches.h"

namespace alsbench {
namespace {

// The journal: its head, then each training, each ended search, and the evaluations of searches
// that have not ended.

// The search and its options.
struct PipelineSearch {
  struct Space {
    std::string part, stage;
    std::optional<SpaceSummary> space;  // nothing where there is none
  };
  std::string device;  // its name
  int members = 1;
  TunedTraining training;
  ProblemSpec problem;
  DataRecord data;
  Goal goal = Goal::time;
  int iterations = 0;
  double tolerance = 0;
  std::string strategy;
  uint64_t seed = 0;
  int64_t stage_evaluations = 0;
  std::optional<std::vector<PipelineRecord>> warm_start;
  std::vector<Space> spaces;
};

// The first record. A tuning of another search cannot go on from it.
struct PipelineHead {
  PipelineSearch search;
  DeviceRecord device;
  Provenance provenance;
};

struct AskedTraining {
  std::vector<PipelineRecord> pipelines;
  Config hyper;
  int iterations = 0;
  std::optional<double> target;
  EvaluationSchedule evaluation;
};

struct JournaledTraining {
  AskedTraining asked;
  TrialRun run;
};

struct JournaledSearch {
  std::string search;  // its name
  TuningResultRecord result;
};

struct JournaledPoint {
  std::string search;  // its name
  EvaluationRecord evaluation;
};

template <class T>
void kind(Fields<T>& fields, const char* name) {
  fields.derived("kind", [name](const T&) { return Json(name); }, {{"const", name}});
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

// "x/solve"; of a refinement with the point that it goes around.
std::string name_of_search(const std::string& part, const SearchSpace& space,
                           const TuneOptions& options) {
  std::string name = part + "/" + std::string(name_of(space[0].variant->stage));
  if (options.strategy == kNeighbourhoodSearch)
    name += " around " + space[options.first.front()].text();
  return name;
}

AskedTraining asked(const Recipe& pipelines, const TrialLength& length) {
  return {records_of(pipelines), pipelines.hyper, length.iterations, length.target,
          length.evaluation};
}

// Equal for equal trainings.
std::string key_of(const AskedTraining& asked) { return to_json(asked).dump(); }

// The first record of that key, which is then gone.
template <class T>
std::optional<T> take(std::multimap<std::string, T>& records, const std::string& key) {
  const auto found = records.lower_bound(key);
  if (found == records.end() || found->first != key) return std::nullopt;
  T record = std::move(found->second);
  records.erase(found);
  return record;
}

}  // namespace

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

ResumableTrialRunner::ResumableTrialRunner(TrialRunner& runner, ResumedJournal journal)
    : runner_(runner), journal_(std::move(journal.journal)) {
  const JournalContent& content = journal.content;
  for (size_t i = 1; i < content.records.size(); ++i) {
    const std::string kind = text_at(content.records[i], "kind");
    if (kind == "evaluation") {
      auto record = read_record(content, i, journal_.path(), read_as<JournaledPoint>);
      evaluations_[record.search].push_back(std::move(record.evaluation));
    } else if (kind == "search") {
      auto record = read_record(content, i, journal_.path(), read_as<JournaledSearch>);
      searches_.emplace(record.search, std::move(record.result));
    } else if (kind == "training") {
      auto record = read_record(content, i, journal_.path(), read_as<JournaledTraining>);
      trainings_.emplace(key_of(record.asked), std::move(record.run));
    }
  }
}

TuningResult ResumableTrialRunner::search(const std::string& part, const SearchSpace& space,
                                          const TuneOptions& options,
                                          const std::vector<Evaluation>& known) {
  const std::string name = name_of_search(part, space, options);
  const auto served = [&](const TuningResult& result) {
    served_seconds_ += result.wait_seconds + result.prepare_seconds + result.measure_seconds;
    for (const Evaluation& evaluation : known) served_seconds_ -= evaluation.spent_seconds();
    return result;
  };
  if (const auto record = take(searches_, name))
    return served(of_journal(journal_.path(), [&] { return result_of(*record, space); }));
  std::vector<Evaluation> all = known;  // the first of a point counts
  for (const Evaluation& evaluation : recorded(name, space)) all.push_back(evaluation);
  TuneOptions journaling = options;
  double measured_seconds = 0;
  // The playoff of a search is part of its result; one that was stopped is played again.
  journaling.on_evaluation = [&](const Evaluation& evaluation, bool playoff) {
    measured_seconds += evaluation.spent_seconds();
    if (playoff) return;
    journal_.append(to_json(JournaledPoint{name, record_of(evaluation, space)}));
  };
  const TuningResult result = runner_.search(part, space, journaling, all);
  journal_.append(to_json(JournaledSearch{name, record_of(result, space)}));
  served_seconds_ -= measured_seconds;
  return served(result);
}

std::vector<Evaluation> ResumableTrialRunner::recorded(const std::string& search,
                                                       const SearchSpace& space) const {
  std::vector<Evaluation> list;
  if (const auto found = evaluations_.find(search); found != evaluations_.end())
    for (const EvaluationRecord& record : found->second)
      list.push_back(of_journal(journal_.path(), [&] { return evaluation_of(record, space); }));
  return joined(list);
}

TrialRun ResumableTrialRunner::train(const Recipe& pipelines, const TrialLength& length) {
  const AskedTraining wanted = asked(pipelines, length);
  if (const auto training = take(trainings_, key_of(wanted))) {
    served_seconds_ +=
        training->wait_seconds + training->setup_seconds + training->measured_seconds;
    return *training;
  }
  TrialRun training = runner_.train(pipelines, length);
  journal_.append(to_json(JournaledTraining{wanted, training}));
  return training;
}

}  // namespace alsbench
