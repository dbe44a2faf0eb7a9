// SPDX-License-Identifier: Apache-2.0
// Output of `alsbench train`: progress on stderr, the outcome on stdout.
#pragma once

#include <optional>
#include <string>

#include "harness/cli/progress/progress_report.h"
#include "harness/cli/train/train_command_options.h"
#include "harness/train/run_training.h"

namespace alsbench {

class TrainReport : public TrainingObserver {
 public:
  // All must outlive it.
  TrainReport(const TrainCommandOptions& options, const Team& team, const RatingSet& set)
      : options_(options), team_(team), set_(set) {}

  void search_begins(const SearchRequest& request, const std::vector<int>& iterations) override;
  void trial_begins(const SearchedValues& values, int iterations) override;
  void trial_trained(const TrainOptions& options, double value) override;
  void trial_ends() override;
  void search_ends(const FinishedSearch& search) override;

  void begins(const TrainOptions& options, const TunedOrigins& tuned) override;
  void iterated(const IterationRecord& iteration) override;
  void ends(const FinishedTraining& training) override;

 private:
  bool tells() const { return !options_.progress.quiet; }
  const std::string& metric() const { return algorithm_of(options_.algorithm).metric; }
  void tell_pipelines(const TrainOptions& options, const TunedOrigins& tuned) const;

  const TrainCommandOptions& options_;
  const Team& team_;
  const RatingSet& set_;
  std::optional<ProgressReport> progress_;
  size_t next_ = 0;  // of the items of progress
  std::string trial_, search_metric_;
};

}  // namespace alsbench
