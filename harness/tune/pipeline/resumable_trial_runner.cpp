// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/resumable_trial_runner.h"

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

AskedTraining asked(const Recipe& pipelines, const TrialLength& length) {
  return {records_of(pipelines), pipelines.hyper, length.iterations, length.target,
          length.evaluation};
}

// Equal for equal trainings.
std::string key_of(const AskedTraining& asked) { return to_json(asked).dump(); }

double seconds_of(const Evaluation& evaluation) {
  return evaluation.wait_seconds + evaluation.prepare_seconds + evaluation.measure_seconds;
}

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
    for (const Evaluation& evaluation : known) served_seconds_ -= seconds_of(evaluation);
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
    measured_seconds += seconds_of(evaluation);
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
