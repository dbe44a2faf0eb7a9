// SPDX-License-Identifier: Apache-2.0
// A training from request to record: its model, checkpoints and search.
#include "harness/train/run_training.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.h"
#include "harness/model/model.h"
#include "tests/unit/algorithms/small_training.h"
#include "tests/unit/scratch_folder.h"

namespace alsbench {
namespace {

// Sets a flag after an iteration, as Ctrl-C does.
class Interrupting : public TrainingObserver {
 public:
  Interrupting(std::atomic<bool>& flag, int after) : flag_(flag), after_(after) {}
  void iterated(const IterationRecord& iteration) override {
    if (iteration.iteration == after_) flag_ = true;
  }

 private:
  std::atomic<bool>& flag_;
  int after_;
};

class RunTraining : public testing::Test {
 protected:
  FinishedTraining run(const TrainingRequest& request) {
    TrainingObserver nobody;
    return run(request, nobody);
  }
  FinishedTraining run(const TrainingRequest& request, TrainingObserver& observer) {
    auto training = run_training({*team_, set_}, request, observer);
    if (!training) throw std::logic_error("the search was interrupted");
    return *training;
  }
  std::string folder(const std::string& name) const { return (folder_.path() / name).string(); }

  std::unique_ptr<Team> team_ = team_of_cpus(1);
  RatingSet set_ = planted_set(60, 40, 0.5);
  TrainingRequest request_{.options = options_of("exact")};
  ScratchFolder folder_;
};

TEST_F(RunTraining, ItsModelIsWrittenAndReadBack) {
  request_.out = folder("model");
  const FinishedTraining training = run(request_);
  const Model model = read_model(request_.out);
  EXPECT_EQ(model.rank, request_.options.rank);
  const std::vector<float> x(model.users.factors.values.begin(), model.users.factors.values.end());
  EXPECT_EQ(x, factors_of(training.result, "x"));
  EXPECT_EQ(x, factors_of(train(*team_, set_, request_.options), "x"));
}

TEST_F(RunTraining, ItGoesOnFromACheckpointToTheSameModel) {
  const FinishedTraining whole = run(request_);
  TrainingRequest ended = request_;
  std::atomic<bool> interrupted{false};
  Interrupting after_four(interrupted, 4);
  ended.options.interrupted = &interrupted;
  ended.checkpoints = {folder("way"), 3, ""};
  EXPECT_TRUE(run(ended, after_four).result.interrupted);
  request_.checkpoints.resume = folder("way");
  const FinishedTraining resumed = run(request_);
  EXPECT_EQ(factors_of(resumed.result, "theta"), factors_of(whole.result, "theta"));
  EXPECT_EQ(resumed.result.iterations.size(), 6u);
  request_.options.lambda = 0.5f;
  EXPECT_THROW(run(request_), UsageError);
}

TEST_F(RunTraining, ASearchTrainsItsBestValuesWhole) {
  for (const float lambda : {5.0f, 0.02f}) {
    Candidate candidate{{{"lambda", fmt::format("{}", lambda)}}, request_.options};
    candidate.options.lambda = lambda;
    request_.search.candidates.push_back(candidate);
  }
  const FinishedTraining training = run(request_);
  ASSERT_TRUE(training.search.has_value());
  EXPECT_EQ(training.search->halving.best, 1u);
  EXPECT_EQ(training.search->halving.trials.size(), 2u);
  EXPECT_EQ(training.options.lambda, 0.02f);
  EXPECT_EQ(factors_of(training.result, "x"),
            factors_of(train(*team_, set_, training.options), "x"));
}

TEST_F(RunTraining, PipelinesThatAreMissingAreChosenForEachCandidate) {
  const Recipe whole = request_.options.recipe;
  request_.options.recipe.of("theta") = {};
  for (const int rank : {4, 8}) {
    Candidate candidate{{{"rank", std::to_string(rank)}}, request_.options};
    candidate.options.rank = rank;
    request_.search.candidates.push_back(candidate);
  }
  int chosen = 0;
  request_.choose = [&](TrainOptions& options, const RatingSet&, const Team&) {
    ++chosen;
    options.recipe.of("theta") = whole.of("theta");
    return TunedOrigins{{"theta", "default", "told by a test", false}};
  };
  const FinishedTraining training = run(request_);
  EXPECT_EQ(chosen, 3);  // for two trials and the training
  EXPECT_EQ(training.tuned.at(0).reason, "told by a test");
  EXPECT_EQ(text_of(record_of(training).pipelines.at(1).steps), whole.of("theta").text());
}

TEST_F(RunTraining, TheRecordIsThatOfBeforeAndWhatTheTrainingCameTo) {
  request_.options.target = 100;  // after the first iteration
  const RecipeRecord blank = recipe_record(request_.options.recipe, request_.options.target);
  const TrainingRecord record = record_of(run(request_));
  EXPECT_EQ(record.algorithm, blank.algorithm);
  EXPECT_EQ(record.pipelines, blank.pipelines);
  EXPECT_EQ(record.target, blank.target);
  EXPECT_EQ(record.first().iterations.size(), 1u);
  ASSERT_TRUE(record.first().result.has_value());
  EXPECT_TRUE(record.first().result->reached_target);
}

}  // namespace
}  // namespace alsbench
