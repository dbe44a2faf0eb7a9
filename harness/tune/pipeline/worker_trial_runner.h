// SPDX-License-Identifier: Apache-2.0
// WorkerTrialRunner: a TrialRunner that searches stages and trains in one worker process, so a
// faulty pipeline costs its run alone.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "harness/tune/pipeline/pipeline_tuner.h"
#include "harness/tune/stage/compile_ahead.h"
#include "harness/tune/stage/tuning_worker.h"

namespace alsbench {

// Who hears of the work; each may be empty.
struct TrialHooks {
  std::function<void(const std::string&)> on_line = {};  // for people
  // Before a search of a part, with the options that it may hear of the search by.
  std::function<void(const std::string& part, const SearchSpace&, TuneOptions&)> on_search = {};
  std::function<void(const std::string& recipe)> on_train = {};  // before a training
  std::function<void(double waited_seconds)> on_trained = {};    // waited for the compiler
};

class WorkerTrialRunner : public TrialRunner {
 public:
  // Stages are searched by `worker`; `trainings` trains, on a team that its device is a member of,
  // or is the same worker. Both must outlive it. `recipe`: as TrialRunner has it.
  WorkerTrialRunner(TuningWorker& worker, TuningWorker& trainings, Recipe recipe, TrialHooks hooks);

  const Recipe& recipe() const override { return recipe_; }
  const DeviceTraits& traits() const override { return traits_; }
  Shape shape(const std::string& part) const override { return shapes_.at(part); }
  TuningResult search(const std::string& part, const SearchSpace& space, const TuneOptions& options,
                      const std::vector<Evaluation>& known) override;
  TrialRun train(const Recipe& pipelines, const TrialLength& length) override;
  void expect(const std::string& part, const SearchSpace& space,
              const std::vector<size_t>& points) override;
  void expect(const Recipe& pipelines) override;
  double data_seconds() const override { return data_seconds_; }
  double elapsed_seconds() const override;
  void say(const std::string& line) override;

 private:
  std::vector<CompileRequest> kernels_of(const Recipe& pipelines) const;
  TrialRun compile_and_run(const Recipe& pipelines, const TrialLength& length);
  bool compile(const Recipe& pipelines, TrialRun& training);
  void run(const Case& c, bool energy, TrialRun& training);

  const Clock::time_point begin_ = Clock::now();
  TuningWorker& worker_;
  TuningWorker& trainings_;
  const Recipe recipe_;
  CompileAhead compiler_;
  TrialHooks hooks_;
  DeviceTraits traits_;
  std::map<std::string, Shape> shapes_;  // by part
  double data_seconds_ = 0;
  Clock::time_point start_;  // once the data are loaded
};

}  // namespace alsbench
