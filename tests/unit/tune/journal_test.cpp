// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "harness/files/atomic_file.h"
#include "harness/tune/search/replay.h"
#include "harness/tune/search/tuner.h"
#include "harness/tune/search/tuning_journal.h"
#include "synthetic_space.h"
#include "tests/unit/scratch_folder.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

class TuningJournalTest : public testing::Test {
 protected:
  TuningHead head() const {
    TuningHead head;
    head.search.stage = "hermitian";
    head.search.part = "x";
    head.search.space = space_.summary();
    head.device.emplace().traits.name = "test";
    return head;
  }

  // Records all points, `samples` each; point 3 crashes.
  std::filesystem::path record(int64_t samples) {
    const std::filesystem::path path = folder_ / "space.journal";
    TuningJournal journal = TuningJournal::create(path, head());
    FakeObjective objective([this](size_t point) { return cost_of(space_[point]); });
    objective.faults[3] = Outcome::crashed;
    double factor = 0.99;
    objective.noise = [&factor] { return factor += 0.001; };
    TuneOptions options;
    options.strategy = "exhaustive";
    options.sampling.estimate_samples = options.sampling.contender_samples = samples;
    options.sampling.bail_out = 0;
    options.sampling.playoff_samples = 0;
    options.on_evaluation = [&](const Evaluation& evaluation, bool playoff) {
      journal.add(evaluation, space_, playoff);
    };
    tune(space_, objective, options);
    return path;
  }

  SearchSpace space_ = grid_space({{"tile", {"1", "2", "4", "8"}}, {"bin", {"16", "32", "64"}}});
  const ScratchFolder scratch_;
  const std::filesystem::path folder_ = scratch_.path();
};

TEST_F(TuningJournalTest, ARecordingHasEveryPointSampleAndOutcome) {
  const Recording recording = read_recording(record(4));
  EXPECT_EQ(recording.space.size(), space_.size());
  EXPECT_EQ(recording.space[recording.space.default_point()].text(),
            space_[space_.default_point()].text());
  for (const Evaluation& evaluation : recording.evaluations) {
    const std::string text = recording.space[evaluation.point].text();
    const bool crashed = space_.find(text) == 3;
    EXPECT_EQ(evaluation.outcome, crashed ? Outcome::crashed : Outcome::ok);
    EXPECT_EQ(evaluation.seconds.size(), crashed ? 0u : 4u);
  }
}

// The checksums are right: a build with other variants, or anyone, may have written it.
TEST_F(TuningJournalTest, ARecordingMayHavePointsThatThisBuildHasNot) {
  const std::filesystem::path path = folder_ / "foreign.journal";
  TuningHead solve = head();
  solve.search.stage = "solve";
  TuningJournal journal = TuningJournal::create(path, solve);
  std::vector<SearchPoint> list;
  for (const char* steps : {"many", "1e-320", "nan"})
    list.push_back({nullptr, "cg", Config().with("steps", steps), {}});
  const SearchSpace points(list, list.front().text());
  for (size_t point = 0; point < points.size(); ++point) {
    Evaluation evaluation;
    evaluation.point = point;
    evaluation.seconds = {1e-3};
    journal.add(evaluation, points, false);
  }
  EXPECT_EQ(read_recording(path).evaluations.size(), points.size());
}

TEST_F(TuningJournalTest, AReplayServesEachSampleOnceAtItsRecordedCost) {
  const Recording recording = read_recording(record(4));
  ReplayObjective objective(recording);
  const size_t point = recording.space.default_point();
  const Evaluation& recorded = recording.evaluations[point];
  Evaluation first = objective.measure(point, 3, 0);
  EXPECT_EQ(first.seconds.size(), 3u);
  EXPECT_GT(objective.elapsed_seconds(), 0);
  first.join(objective.measure(point, 3, 0));
  EXPECT_EQ(first.seconds, recorded.seconds);
  EXPECT_NEAR(first.measure_seconds, recorded.measure_seconds, 1e-12);
  EXPECT_TRUE(objective.measure(point, 3, 0).seconds.empty());
}

TEST_F(TuningJournalTest, ASearchOfAReplayFindsTheRecordedBest) {
  const Recording recording = read_recording(record(4));
  for (const std::string& name : strategy_names()) {
    ReplayObjective objective(recording);
    TuneOptions options;
    options.strategy = name;
    const TuningResult result = tune(recording.space, objective, options);
    ASSERT_TRUE(result.found) << name;
    EXPECT_EQ(recording.space[result.best].text(), "v:tile=8,bin=64") << name;
  }
}

TEST_F(TuningJournalTest, ACompressedRecordingReadsTheSameAndADamagedOneIsRefused) {
  const std::filesystem::path plain = record(2), packed = folder_ / "space.journal.gz";
  const std::string text = read_whole_file(plain);
  gzFile file = gzopen(packed.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  EXPECT_EQ(read_recording(packed).evaluations.size(), read_recording(plain).evaluations.size());
  std::filesystem::resize_file(packed, std::filesystem::file_size(packed) / 2);
  EXPECT_THROW(read_recording(packed), UsageError);
  EXPECT_THROW(read_recording(folder_ / "absent"), UsageError);
  write_file_atomically(folder_ / "other", "hello\n");
  EXPECT_THROW(read_recording(folder_ / "other"), UsageError);
}

TEST_F(TuningJournalTest, ResumingKnowsWhatWasMeasuredAndRefusesAnotherSearch) {
  const std::filesystem::path path = record(2);
  {
    std::ofstream torn(path, std::ios::app);
    torn << "512 00000000 {\"kind\"";
  }
  EXPECT_EQ(TuningJournal::resume(path, head(), space_).known().size(), space_.size());
  TuningHead other = head();
  other.search.stage = "solve";
  EXPECT_TRUE(contains(thrown_by([&] { TuningJournal::resume(path, other, space_); }),
                       "/stage: \"hermitian\" there, \"solve\" here"));
}

}  // namespace
}  // namespace alsbench
