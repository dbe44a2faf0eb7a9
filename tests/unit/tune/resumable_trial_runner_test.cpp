// SPDX-License-Identifier: Apache-2.0
// A tuning of pipelines that is interrupted, and goes on from its journal.
#include "harness/tune/pipeline/resumable_trial_runner.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "tests/unit/scratch_folder.h"
#include "tests/unit/tune/formula_trial_runner.h"

namespace alsbench {
namespace {

std::vector<std::string> texts_of(const std::vector<Pipeline>& pipelines) {
  std::vector<std::string> texts;
  for (const Pipeline& pipeline : pipelines) texts.push_back(pipeline.text());
  return texts;
}

class JournaledLabTest : public testing::Test {
 protected:
  static Json head(int64_t stage_evaluations = 24) {
    return {{"kind", "pipeline-tuning"}, {"search", {{"stage_evaluations", stage_evaluations}}}};
  }

  World world_;
  const ScratchFolder folder_;
  const std::filesystem::path path_ = folder_.path() / "pipelines.journal";
};

// Interrupted again and again, it measures no point twice and ends as an undisturbed run does.
TEST_F(JournaledLabTest, AResumedTuningEndsAsAnUndisturbedOne) {
  PipelineTuneOptions options;
  options.playoff_rounds = 3;  // more depend on the time before, in which samples may be missing
  FormulaTrialRunner undisturbed(world_);
  const PipelineTuning expected = tune_pipelines(undisturbed, options);
  std::optional<PipelineTuning> tuning;
  std::vector<std::string> trained;
  std::multiset<std::string> measured;
  for (int attempt = 0; !tuning; ++attempt) {
    ASSERT_LT(attempt, 20);
    FormulaTrialRunner runner(world_);
    runner.left = 150;
    ResumableTrialRunner journaled(runner, attempt == 0
                                               ? ResumedJournal{Journal::create(path_, head()), {}}
                                               : resume_journal(path_, head()));
    try {
      tuning = tune_pipelines(journaled, options);
    } catch (const Interrupted&) {
    }
    trained.insert(trained.end(), runner.trained.begin(), runner.trained.end());
    measured.insert(runner.measured.begin(), runner.measured.end());
  }
  EXPECT_EQ(trained, undisturbed.trained);
  // A point that it was stopped at goes without the samples of a contender.
  EXPECT_LE(measured.size(), undisturbed.measured.size());
  EXPECT_EQ(std::set<std::string>(measured.begin(), measured.end()),
            std::set<std::string>(undisturbed.measured.begin(), undisturbed.measured.end()));
  for (size_t side = 0; side < 2; ++side) {
    EXPECT_EQ(tuning->parts[side].pick.text(), expected.parts[side].pick.text());
    EXPECT_EQ(texts_of(tuning->parts[side].ties), texts_of(expected.parts[side].ties));
  }
  EXPECT_EQ(tuning->metric, expected.metric);
  EXPECT_GE(tuning->time.other(), -1e-9) << "what the journal gave counts in the total too";
}

TEST_F(JournaledLabTest, TheJournalOfAnotherTuningIsRefused) {
  Journal::create(path_, head(24));
  EXPECT_THROW(resume_journal(path_, head(8)), UsageError);
  Journal::create(path_, {{"kind", "tuning"}, {"search", Json::object()}});
  EXPECT_THROW(resume_journal(path_, head(24)), UsageError);
}

}  // namespace
}  // namespace alsbench
