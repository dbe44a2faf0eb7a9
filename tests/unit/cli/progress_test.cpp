// SPDX-License-Identifier: Apache-2.0
// The time left, on generated and on recorded costs, and what is said of it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "harness/cli/progress/cost_estimate.h"
#include "harness/cli/progress/progress_report.h"
#include "harness/cli/progress/reading_line.h"
#include "harness/files/reading_progress.h"
#include "harness/files/strict_json.h"
#include "harness/record/json.h"
#include "harness/tune/search/tuning_journal.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

constexpr double kFifth = 0.2;

struct Done {
  std::string kind;
  double expected = 1, seconds = 0;
};

// How far the end that is predicted after a tenth of the time lies from the true one.
double error_after_a_tenth(const std::vector<Done>& work) {
  CostEstimate estimate;
  double total = 0;
  for (const Done& done : work) {
    estimate.add({"", done.kind, done.expected});
    total += done.seconds;
  }
  for (size_t i = 0; i < work.size() && estimate.spent_seconds() < total / 10; ++i) {
    estimate.spend(i, work[i].seconds);
    estimate.finish(i);
  }
  return std::abs(estimate.spent_seconds() + estimate.remaining_seconds().value() - total) / total;
}

TEST(CostEstimate, IsWeightedByWhatIsExpected) {
  CostEstimate estimate;
  for (const double expected : {1.0, 1.0, 8.0}) estimate.add({"", "work", expected});
  EXPECT_FALSE(estimate.remaining_seconds());
  estimate.spend(0, 2);
  estimate.finish(0);
  EXPECT_DOUBLE_EQ(*estimate.remaining_seconds(), 18);
  estimate.spend(2, 6);  // half of its cost so far
  EXPECT_DOUBLE_EQ(*estimate.remaining_seconds(), 12);
  estimate.drop(1);
  EXPECT_DOUBLE_EQ(*estimate.remaining_seconds(), 10);
}

TEST(CostEstimate, LearnsFromLikeCasesMoreThanFromOthers) {
  CostEstimate estimate;
  for (int i = 0; i < 9; ++i) {
    estimate.add({"", "measure/slow", 1});
    estimate.spend(estimate.size() - 1, 10);
    estimate.finish(estimate.size() - 1);
    estimate.add({"", "measure/fast", 1});
    estimate.spend(estimate.size() - 1, 1);
    estimate.finish(estimate.size() - 1);
  }
  const auto one_more = [&](const char* kind) {
    CostEstimate copy = estimate;
    copy.add({"", kind, 1});
    return copy.remaining_seconds().value();
  };
  EXPECT_NEAR(one_more("measure/slow"), 10, 0.5);
  EXPECT_NEAR(one_more("measure/fast"), 1, 0.5);
  EXPECT_NEAR(one_more("measure/new"), 5.5, 1e-9);
}

TEST(CostEstimate, CountsAPieceAsThreeMediansOfItsKindAtMost) {
  CostEstimate estimate;
  for (int i = 0; i < 10; ++i) estimate.add({"", "work/piece", 1});
  for (const double seconds : {100.0, 1.0, 1.0, 1.0, 1.0}) {
    estimate.spend(estimate.ended(), seconds);
    estimate.finish(estimate.ended());
  }
  EXPECT_NEAR(*estimate.remaining_seconds(), 5 * (3 + 4) / 5.0, 1e-9);
}

TEST(CostEstimate, TakesNoWeightForSeconds) {
  CostEstimate estimate;
  estimate.add({"", "measure/solve", 1});
  estimate.add({"", "train/exact", 5120, true});
  estimate.add({"", "train/cg", 5120, true});
  estimate.spend(0, 3);
  estimate.finish(0);
  EXPECT_DOUBLE_EQ(*estimate.remaining_seconds(), 6);  // as what has ended
  estimate.spend(1, 1, 0.1);
  EXPECT_DOUBLE_EQ(*estimate.remaining_seconds(), 9 + 3);
  estimate.spend(1, 9, 0.9);
  estimate.finish(1);
  EXPECT_DOUBLE_EQ(*estimate.remaining_seconds(), 10);
}

TEST(CostEstimate, SaysNothingOfWhatNobodyKnows) {
  CostEstimate estimate;
  for (int i = 0; i < 2; ++i) estimate.add({"", "train/exact", 100, true});
  estimate.spend(0, 1, 0.5);
  EXPECT_FALSE(estimate.remaining_seconds());
  estimate.finish(0);
  EXPECT_DOUBLE_EQ(*estimate.remaining_seconds(), 1);
}

// Costs that spread as those of a suite do, of kinds that begin one after another.
TEST(CostEstimate, IsWithinAFifthOnGeneratedCosts) {
  std::mt19937_64 random(7);
  int predicted = 0;
  for (int repeat = 0; repeat < 200; ++repeat) {
    std::vector<Done> work;
    for (int i = 0; i < 300; ++i) {
      const int kind = i % 6;
      const double expected = 1 + static_cast<double>(random() % 10);
      std::lognormal_distribution<double> noise(0, 0.3);
      work.push_back({"measure/" + std::to_string(kind), expected,
                      expected * (1 + 0.2 * kind) * noise(random)});
    }
    predicted += error_after_a_tenth(work) < kFifth ? 1 : 0;
  }
  EXPECT_GE(predicted, 195);
}

// The first launch of a build that compiles its kernels says little of the others: of those
// comparisons the end is predicted late.
TEST(CostEstimate, IsWithinAFifthOnMostRecordedLaunches) {
  int phases = 0, predicted = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(ALSBENCH_SOURCE_DIR) / "results" / "nvidia-h200" / "gate")) {
    const Json document = read_json(entry.path());
    for (const char* phase : {"screening", "confirmation"}) {
      std::vector<Done> work;
      for (const Json& launch : document.at("launches"))
        if (launch.at("phase") == phase) work.push_back({"launch", 1, launch.at("seconds")});
      if (work.size() < 8) continue;
      ++phases;
      predicted += error_after_a_tenth(work) < kFifth ? 1 : 0;
    }
  }
  EXPECT_GE(phases, 30);
  EXPECT_GE(predicted, phases * 9 / 10);
  RecordProperty("predicted", predicted);
  RecordProperty("phases", phases);
}

TEST(CostEstimate, IsWithinAFifthOnRecordedTrainings) {
  const Json document = read_json(fs::path(ALSBENCH_SOURCE_DIR) / "results" / "nvidia-h200" /
                                  "paper-convergence.json.gz");
  int trainings = 0;
  for (const Json& c : document.at("cases")) {
    if (!c.contains("training") || c.at("training").is_null()) continue;
    std::vector<Done> work;
    for (const Json& iteration : c.at("training").at("launches").at(0).at("iterations"))
      work.push_back({"iteration", 1, iteration.at("wall_seconds")});
    if (work.size() < 5) continue;
    ++trainings;
    EXPECT_LT(error_after_a_tenth(work), kFifth) << c.at("name");
  }
  EXPECT_GE(trainings, 3);
}

std::vector<Recording> recordings_in(const std::string& folder) {
  std::vector<Recording> recordings;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(ALSBENCH_SOURCE_DIR) / "results" / folder))
    if (entry.path().extension() == ".gz") recordings.push_back(read_recording(entry.path()));
  return recordings;
}

double own_seconds(const Evaluation& evaluation) {
  return evaluation.prepare_seconds + evaluation.measure_seconds;
}

// How far the end that is predicted after this share of the points lies from the true one.
double error_in_recorded_order(const Recording& recording, double share) {
  CostEstimate estimate;
  double total = 0, spent = 0;
  for (const Evaluation& evaluation : recording.evaluations) {
    estimate.add({"", "stage/point", 1});
    total += own_seconds(evaluation) + evaluation.wait_seconds;
  }
  const auto known =
      static_cast<size_t>(std::ceil(share * static_cast<double>(recording.evaluations.size())));
  for (size_t i = 0; i < known; ++i) {
    const Evaluation& evaluation = recording.evaluations[i];
    estimate.spend(i, own_seconds(evaluation));
    estimate.finish(i);
    spent += own_seconds(evaluation) + evaluation.wait_seconds;
  }
  return std::abs(spent + estimate.remaining_seconds().value() - total) / total;
}

// How many of them predict the end after this share of their points.
int64_t predicted_after(double share, const std::vector<Recording>& recordings) {
  return std::count_if(recordings.begin(), recordings.end(), [&](const Recording& recording) {
    return error_in_recorded_order(recording, share) < kFifth;
  });
}

// As tunings are now: compilers have what processors' time the verification of points leaves.
TEST(CostEstimate, IsWithinAFifthOnRecordedTuningsInTheirOrder) {
  const std::vector<Recording> recordings = recordings_in("progress");
  ASSERT_EQ(recordings.size(), 3U);
  for (const double share : {0.1, 0.25, 0.5}) EXPECT_EQ(predicted_after(share, recordings), 3);
}

// These were recorded when compilers took it. Where they did so for the whole first tenth, its
// points cost twice as much as those that follow.
TEST(CostEstimate, IsWithinAFifthOnMostTuningsBesideGreedyCompilers) {
  const std::vector<Recording> recordings = recordings_in("recorded");
  ASSERT_EQ(recordings.size(), 8U);
  EXPECT_GE(predicted_after(0.1, recordings), 6);
  EXPECT_EQ(predicted_after(0.25, recordings), 8);
  EXPECT_EQ(predicted_after(0.5, recordings), 8);
}

// Whole spaces that were measured, in an order at random, as a search may have. Where a few points
// cost as much as all others, a tenth of the time does not tell of them.
TEST(CostEstimate, IsWithinAFifthOnMostRecordedTunings) {
  int searches = 0, predicted = 0;
  for (const Recording& recording : recordings_in("recorded")) {
    std::vector<Done> work;
    for (const Evaluation& evaluation : recording.evaluations)
      work.push_back({"stage/point", 1, own_seconds(evaluation)});
    std::mt19937_64 random(1);
    for (int order = 0; order < 20; ++order) {
      std::shuffle(work.begin(), work.end(), random);
      ++searches;
      predicted += error_after_a_tenth(work) < kFifth ? 1 : 0;
    }
  }
  EXPECT_GE(searches, 60);
  EXPECT_GE(predicted, searches * 2 / 3);
  RecordProperty("predicted", predicted);
  RecordProperty("searches", searches);
}

// The report on two cases, the first of which takes two seconds.
std::string said(ProgressMode mode) {
  char* text = nullptr;
  size_t size = 0;
  std::FILE* stream = open_memstream(&text, &size);
  {
    double now = 0;
    ProgressReport report("run", mode, stream, [&] { return now; });
    for (const char* name : {"first", "second\x1b[31m"}) report.add({name, "case", 1});
    report.start(0);
    now = 2;
    report.finish_started();
    report.note("a note");
    report.start(1);
  }
  std::fclose(stream);
  std::string result(text, size);
  std::free(text);
  return result;
}

TEST(ProgressReport, TextHasALineBeforeEachCase) {
  EXPECT_EQ(said(ProgressMode::text), "[0/2] first\na note\n[1/2] 0:02 left second\\x1b[31m\n");
}

// Compilers that are waited for once say nothing of the points to come.
TEST(ProgressReport, WaitingTeachesNothing) {
  double now = 0;
  char* text = nullptr;
  size_t size = 0;
  std::FILE* stream = open_memstream(&text, &size);
  {
    ProgressReport report("tune", ProgressMode::text, stream, [&] { return now; });
    for (int i = 0; i < 2; ++i) report.add({"point", "point", 1});
    report.start(0);
    now = 10;
    report.finish_started(8);
    report.start(1);
  }
  std::fclose(stream);
  EXPECT_EQ(std::string(text, size), "[0/2] point\n[1/2] 0:02 left point\n");
  std::free(text);
}

TEST(ProgressReport, NoneSaysNothing) { EXPECT_EQ(said(ProgressMode::none), ""); }

TEST(ProgressReport, JsonIsAnObjectALine) {
  std::istringstream lines(said(ProgressMode::json));
  std::vector<Json> events;
  for (std::string line; std::getline(lines, line);) events.push_back(Json::parse(line));
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(events[0].at("event"), "start");
  EXPECT_EQ(events[0].at("item"), "first");
  EXPECT_TRUE(events[0].at("remaining_seconds").is_null());
  EXPECT_EQ(events[1].at("event"), "end");
  EXPECT_EQ(events[1].at("ended"), 1);
  EXPECT_EQ(events[1].at("planned"), 2);
  EXPECT_EQ(events[1].at("elapsed_seconds"), 2);
  EXPECT_EQ(events[1].at("remaining_seconds"), 2);
  EXPECT_EQ(events[2].at("text"), "a note");
}

TEST(ProgressReport, TheLiveLineFitsTheTerminalAndIsRemoved) {
  setenv("COLUMNS", "16", 1);
  const std::string text = said(ProgressMode::bar);
  unsetenv("COLUMNS");
  EXPECT_TRUE(contains(text, "[0/2] · first"));
  EXPECT_TRUE(contains(text, "[1/2] 0:02 lef…"));
  EXPECT_TRUE(text.ends_with("\r\033[K")) << text;
}

TEST(ProgressReport, CutsWholeCharactersOnly) {
  EXPECT_EQ(shortened("Θ · X", 5), "Θ · X");
  EXPECT_EQ(shortened("Θ · XYZ", 5), "Θ · …");
  EXPECT_EQ(shortened("abc", 1), "…");
}

TEST(ProgressReport, WritesClockTimes) {
  EXPECT_EQ(clock_text(41.2), "0:42");
  EXPECT_EQ(clock_text(725), "12:05");
  EXPECT_EQ(clock_text(10812), "3:00:12");
}

// The text of a reading line until it has said `last`, and when it ends.
std::string said_of_reading(ProgressMode mode, const std::string& last) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  std::FILE* stream = fdopen(ends[1], "w");
  std::string said;
  const auto hear = [&] {
    char byte = 0;
    const bool more = read(ends[0], &byte, 1) == 1;
    if (more) said += byte;
    return more;
  };
  {
    const ReadingLine line(mode, "a\033.csv", stream);
    reading_progress().begin(200'000'000);
    reading_progress().add(84'000'000);
    while (!said.ends_with(last)) hear();
  }
  std::fclose(stream);
  while (hear()) {
  }
  close(ends[0]);
  return said;
}

TEST(ReadingLine, SaysHowMuchIsReadAndIsRemoved) {
  const std::string said = said_of_reading(ProgressMode::bar, "reading a\\x1b.csv: 42 % of 200 MB");
  EXPECT_TRUE(said.ends_with("\r\033[K")) << said;
}

TEST(ReadingLine, IsOfATerminalAlone) {
  for (const ProgressMode mode : {ProgressMode::none, ProgressMode::text, ProgressMode::json})
    EXPECT_EQ(said_of_reading(mode, ""), "");
}

}  // namespace
}  // namespace alsbench
