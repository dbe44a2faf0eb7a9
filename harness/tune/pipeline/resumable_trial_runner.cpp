// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/resumable_trial_runner.h"

#include "harness/record/core_codecs.h"
#include "harness/sweep/suite/case.h"

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
  json["judging"] = to_json(length.judging);
  return json;
}

Json record_of(const Json& asked, const TrialRun& training) {
  return {{"kind", "training"},
          {"asked", asked},
          {"outcome", name_of(training.outcome)},
          {"detail", training.detail},
          {"reached_target", training.reached_target},
          {"measured_seconds", training.measured_seconds},
          {"setup_seconds", training.setup_seconds},
          {"wait_seconds", training.wait_seconds},
          {"iterations", to_json(training.iterations)}};
}

TrialRun training_from_json(const JsonField& json) {
  TrialRun training;
  training.outcome = json.at("outcome").word(named<Outcome>);
  training.detail = json.at("detail").text();
  training.reached_target = json.at("reached_target").boolean();
  training.measured_seconds = json.at("measured_seconds").number();
  training.setup_seconds = json.at("setup_seconds").number();
  training.wait_seconds = json.at("wait_seconds").number();
  training.iterations = list_of(json.at("iterations"), read_as<IterationRecord>);
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
  const JournalContent& content = journal.content;
  for (size_t i = 1; i < content.records.size(); ++i) {
    const Json& record = content.records[i];
    const std::string kind = text_at(record, "kind");
    read_record(content, i, journal_.path(), [&](const JsonField& fields) {
      if (kind == "evaluation") evaluations_[fields.at("search").text()].push_back(record);
      if (kind == "search") searches_.emplace(fields.at("search").text(), record);
      if (kind == "training") trainings_.emplace(fields.at("asked").value().dump(), record);
      return true;
    });
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
    return served(read_written(*record, journal_.path().string(), [&](const JsonField& fields) {
      return tuning_result_from_json(fields.at("result"), space);
    }));
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
    for (const Json& record : found->second)
      list.push_back(read_written(record, journal_.path().string(), [&](const JsonField& fields) {
        return evaluation_from_json(fields, space);
      }));
  return joined(list);
}

TrialRun ResumableTrialRunner::train(const Recipe& pipelines, const TrialLength& length) {
  const Json wanted = asked(pipelines, length);
  if (const auto record = take(trainings_, wanted.dump())) {
    const TrialRun training = read_written(*record, journal_.path().string(), training_from_json);
    served_seconds_ += training.wait_seconds + training.setup_seconds + training.measured_seconds;
    return training;
  }
  const TrialRun training = runner_.train(pipelines, length);
  journal_.append(record_of(wanted, training));
  return training;
}

}  // namespace alsbench
