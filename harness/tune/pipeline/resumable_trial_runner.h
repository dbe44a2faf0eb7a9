// SPDX-License-Identifier: Apache-2.0
// ResumableTrialRunner: a TrialRunner that keeps the measurements of another one in a journal, as
// soon as they are taken. Measurements in a resumed journal are not taken again.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/journal.h"
#include "harness/tune/pipeline/pipeline_record.h"

namespace alsbench {

// Throw as Journal::create and resume_journal.
ResumedJournal create_pipeline_journal(const std::filesystem::path& path,
                                       const PipelineTuningContext& context,
                                       const PipelineTuneOptions& options);
ResumedJournal resume_pipeline_journal(const std::filesystem::path& path,
                                       const PipelineTuningContext& context,
                                       const PipelineTuneOptions& options);

void describe(Fields<TrialRun>& fields);

class ResumableTrialRunner : public TrialRunner {
 public:
  // `runner` measures and must outlive it. The journal is new and empty, or it is resumed.
  ResumableTrialRunner(TrialRunner& runner, ResumedJournal journal);

  const Recipe& recipe() const override { return runner_.recipe(); }
  const DeviceTraits& traits() const override { return runner_.traits(); }
  Shape shape(const std::string& part) const override { return runner_.shape(part); }
  TuningResult search(const std::string& part, const SearchSpace& space, const TuneOptions& options,
                      const std::vector<Evaluation>& known) override;
  TrialRun train(const Recipe& pipelines, const TrialLength& length) override;
  void expect(const std::string& part, const SearchSpace& space,
              const std::vector<size_t>& points) override {
    runner_.expect(part, space, points);
  }
  void expect(const Recipe& pipelines) override { runner_.expect(pipelines); }
  double data_seconds() const override { return runner_.data_seconds(); }
  // Includes the time of the measurements that the journal spared.
  double elapsed_seconds() const override { return runner_.elapsed_seconds() + served_seconds_; }
  void say(const std::string& line) override { runner_.say(line); }
  void finish() { journal_.finish(); }  // once the results are written

 private:
  std::vector<Evaluation> recorded(const std::string& search, const SearchSpace& space) const;

  TrialRunner& runner_;
  Journal journal_;
  // By part and stage; those that ended in order.
  std::map<std::string, std::vector<EvaluationRecord>> evaluations_;
  std::multimap<std::string, TuningResultRecord> searches_;
  std::multimap<std::string, TrialRun> trainings_;  // by what was asked, in order
  double served_seconds_ = 0;
};

}  // namespace alsbench
