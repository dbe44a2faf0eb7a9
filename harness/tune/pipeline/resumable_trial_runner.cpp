// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/resumable_trial_runner.h"

#include "harness/record/core_codecs.h"

namespace alsbench {
namespace {

// "x/solve"; of a refinement with the point that it goes around.
std::string name_of_search(const std::string& part, const SearchSpace& space,
                           const TuneOptions& options) {
  std::string name = part + "/" + std::string(name_of(space[0].variant->stage));
  if (options.strategy == kNeighbourhoodSearch)
    name += " around " + space[options.first.front()].text();
  return name;
}

Json asked(const Recipe& pipelines, const TrialLength& length) {
  Json json = Json::object();
  for (const std::string& part : pipelines.algorithm->parts) json[part] = pipelines.of(part).text();
  if (pipelines.hyper != pipelines.algorithm->hyper.default_config())
    json["hyper"] = to_json(pipelines.hyper);
  json["iterations"] = length.iterations;
  json["target_" + pipelines.algorithm->metric] = json_of(length.target);
  json["every_metric"] = length.every_metric;
  return json;
}

Json record_of(const Json& asked, const std::string& metric, const TrialRun& training) {
  Json iterations = Json::array();
  for (const IterationRecord& record : training.iterations)
    iterations.push_back(to_json(record, metric));
  return {{"kind", "training"},
          {"asked", asked},
          {"outcome", name_of(training.outcome)},
          {"detail", training.detail},
          {"reached_target", training.reached_target},
          {"measured_seconds", training.measured_seconds},
          {"setup_seconds", training.setup_seconds},
          {"wait_seconds", training.wait_seconds},
          {"iterations", iterations}};
}

TrialRun training_of(const Json& record) {
  TrialRun training;
  training.outcome = outcome_named(record.at("outcome").get<std::string>()).value();
  training.detail = record.at("detail");
  training.reached_target = record.at("reached_target");
  training.measured_seconds = record.at("measured_seconds");
  training.setup_seconds = record.at("setup_seconds");
  training.wait_seconds = record.at("wait_seconds");
  for (const Json& iteration : record.at("iterations"))
    training.iterations.push_back(iteration_from_json(JsonField(iteration)));
  return training;
}

double seconds_of(const Evaluation& evaluation) {
  return evaluation.wait_seconds + evaluation.prepare_seconds + evaluation.measure_seconds;
}

// The first record of that key, which is then gone.
std::optional<Json> take(std::multimap<std::string, Json>& records, const std::string& key) {
  const auto found = records.lower_bound(key);
  if (found == records.end() || found->first != key) return std::nullopt;
  Json record = std::move(found->second);
  records.erase(found);
  return record;
}

}  // namespace

ResumableTrialRunner::ResumableTrialRunner(TrialRunner& runner, ResumedJournal journal)
    : runner_(runner), journal_(std::move(journal.journal)) {
  for (const Json& record : journal.content.records) {
    const std::string kind = record.value("kind", "");
    if (kind == "evaluation")
      evaluations_[record.at("search").get<std::string>()].push_back(record);
    if (kind == "search") searches_.emplace(record.at("search").get<std::string>(), record);
    if (kind == "training") trainings_.emplace(record.at("asked").dump(), record);
  }
}

TuningResult ResumableTrialRunner::search(const std::string& part, const SearchSpace& space,
                                          const TuneOptions& options,
                                          const std::vector<Evaluation>& known) {
  const std::string name = name_of_search(part, space, options);
  const auto served = [&](const TuningResult& result) {
    served_seconds_ += result.wait_seconds + result.prepare_seconds + result.measure_seconds;
    for (const Evaluation& evaluation : known) served_seconds_ -= seconds_of(evaluation);
    return result;
  };
  if (const auto record = take(searches_, name))
    return served(tuning_result_from_json(record->at("result"), space));
  std::vector<Evaluation> all = known;  // the first of a point counts
  for (const Evaluation& evaluation : recorded(name, space)) all.push_back(evaluation);
  TuneOptions journaling = options;
  double measured_seconds = 0;
  // The playoff of a search is part of its result; one that was stopped is played again.
  journaling.on_evaluation = [&](const Evaluation& evaluation, bool playoff) {
    measured_seconds += seconds_of(evaluation);
    if (playoff) return;
    Json record{{"kind", "evaluation"}, {"search", name}};
    record.update(to_json(evaluation, space));
    journal_.append(record);
  };
  const TuningResult result = runner_.search(part, space, journaling, all);
  journal_.append({{"kind", "search"}, {"search", name}, {"result", to_json(result, space)}});
  served_seconds_ -= measured_seconds;
  return served(result);
}

std::vector<Evaluation> ResumableTrialRunner::recorded(const std::string& search,
                                                       const SearchSpace& space) const {
  std::vector<Evaluation> list;
  if (const auto found = evaluations_.find(search); found != evaluations_.end())
    for (const Json& record : found->second) list.push_back(evaluation_from_json(record, space));
  return joined(list);
}

TrialRun ResumableTrialRunner::train(const Recipe& pipelines, const TrialLength& length) {
  const Json wanted = asked(pipelines, length);
  if (const auto record = take(trainings_, wanted.dump())) {
    const TrialRun training = training_of(*record);
    served_seconds_ += training.wait_seconds + training.setup_seconds + training.measured_seconds;
    return training;
  }
  const TrialRun training = runner_.train(pipelines, length);
  journal_.append(record_of(wanted, pipelines.algorithm->metric, training));
  return training;
}

}  // namespace alsbench
