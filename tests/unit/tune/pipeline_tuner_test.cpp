// The tuner of pipelines on a device that is made of formulas: seconds from a
// stage's configuration, an RMSE from storage types and CG steps.
#include "harness/tune/pipeline_tuner.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <random>
#include <set>

#include "harness/sweep/worker_client.h"
#include "harness/tune/journaled_lab.h"
#include "harness/tune/refinement.h"
#include "tests/unit/tune/tuned_entries.h"
#include "variants/error.h"

namespace alsbench {
namespace {

// What the device of a test does; each test changes what it is about.
struct World {
  DeviceTraits traits = gpu();
  std::map<Stage, double> stage_seconds{{Stage::hermitian, 0.050},
                                        {Stage::bias, 0.004},
                                        {Stage::normal_equations, 0.008},
                                        {Stage::solve, 0.006},
                                        {Stage::update, 0.050}};
  double exact_rmse = 0.8;
  double fp16_penalty = 0;              // of A in fp16, relative
  int enough_steps = 4;                 // of CG; fewer are 1 % worse
  double noise = 0;                     // relative, of every time
  double setting = 0.04;                // of a word that is not the fastest: relative
  double luck = 0;                      // relative: samples of a point are too slow by up to this
                                        // much, all those of a tuning alike; training never is
  double preparing = 0;                 // seconds of a point before it is measured
  std::string crashes = "no pipeline";  // training a pipeline whose text holds this crashes
  std::string wrong = "no point";       // and so are points whose text holds this, wrong

  // The fastest configuration is known: every word beside the last value of a
  // parameter costs `setting`, fp16 halves, CG costs by its steps, direct solvers ten
  // times as much.
  double seconds(const PipelineStep& step) const {
    double seconds = stage_seconds.at(step.variant->stage);
    for (const Parameter& parameter : step.variant->space.parameters()) {
      const std::string& value = step.config.get(parameter.name);
      if (value == "fp16")
        seconds *= 0.5;
      else if (parameter.name == "steps")
        seconds *= (2 + step.config.number("steps")) / 8;
      else if (value != parameter.values.back().text)
        seconds *= 1 + setting;
    }
    const bool direct = step.variant->stage == Stage::solve && !step.config.has("steps");
    return direct ? 10 * seconds : seconds;
  }
  double rmse(const Pipeline& x, const Pipeline& theta) const {
    double rmse = exact_rmse;
    for (const Pipeline* pipeline : {&x, &theta}) {
      const Precision precision = precision_of(*pipeline);
      if (precision.matrices == Scalar::fp16) rmse *= 1 + fp16_penalty;
      if (precision.iterative && steps_of(*pipeline) < enough_steps) rmse *= 1.01;
    }
    return rmse;
  }
};

class FormulaObjective : public Objective {
 public:
  FormulaObjective(const World& world, const SearchSpace& space, std::mt19937_64& random,
                   uint64_t seed)
      : world_(world), space_(space), random_(random), seed_(seed) {}
  void announce(const std::vector<size_t>&) override {}
  Evaluation measure(size_t point, int64_t samples, double) override {
    Evaluation evaluation;
    evaluation.point = point;
    if (space_[point].text().find(world_.wrong) != std::string::npos) {
      evaluation.outcome = Outcome::wrong;
      return evaluation;
    }
    std::normal_distribution<double> noise(1, world_.noise);
    const size_t drawn = std::hash<std::string>{}(space_[point].text() + std::to_string(seed_));
    const double luck = 1 + world_.luck * static_cast<double>(drawn % 1000) / 1000;
    const double seconds = luck * world_.seconds({space_[point].variant, space_[point].config});
    for (int64_t i = 0; i < samples; ++i)
      evaluation.seconds.push_back(seconds * (world_.noise > 0 ? noise(random_) : 1));
    evaluation.measure_seconds = seconds * static_cast<double>(samples);
    evaluation.prepare_seconds = world_.preparing;
    elapsed_ += evaluation.prepare_seconds + evaluation.measure_seconds;
    return evaluation;
  }
  double elapsed_seconds() const override { return elapsed_; }
  std::optional<double> share_of_roof(size_t, double) const override { return std::nullopt; }

 private:
  const World& world_;
  const SearchSpace& space_;
  std::mt19937_64& random_;
  uint64_t seed_;
  double elapsed_ = 0;
};

class FormulaLab : public PipelineLab {
 public:
  explicit FormulaLab(const World& world, uint64_t seed = 1)
      : world_(world), random_(seed), seed_(seed) {}
  const DeviceTraits& traits() const override { return world_.traits; }
  Shape shape(Side side) const override {
    return side == Side::x ? netflix() : shape_of_size(17770, 480189, 99072112, 100);
  }
  TuningResult search(Side side, const SearchSpace& space, const TuneOptions& options,
                      const std::vector<Evaluation>& known) override {
    FormulaObjective objective(world_, space, random_, seed_);
    TuneOptions counting = options;
    counting.on_evaluation = [&](const Evaluation& evaluation, bool playoff) {
      count();
      if (options.on_evaluation) options.on_evaluation(evaluation, playoff);
      const std::string text = space[evaluation.point].text();
      if (!playoff) measured.push_back(std::string(name_of(side)) + " " + text);
    };
    // A refinement begins with what was trained.
    if (known.empty() && options.strategy != kPlateau)
      begun.push_back(space[space.default_point()].text());
    TuningResult result = tune(space, objective, counting, known);
    elapsed_ += objective.elapsed_seconds();
    return result;
  }
  Training train(const PipelineSides& pipelines, int iterations,
                 std::optional<double> target) override {
    Training training;
    count();
    trained.push_back(pipelines.text());
    if (pipelines.text().find(world_.crashes) != std::string::npos) {
      training.outcome = Outcome::crashed;
      return training;
    }
    std::normal_distribution<double> noise(1, world_.noise);
    for (int i = 1; i <= iterations && !training.reached_target; ++i) {
      IterationRecord record;
      record.iteration = i;
      for (const Side side : {Side::x, Side::theta})
        for (const PipelineStep& step : pipelines.of(side).steps) {
          const double seconds = world_.seconds(step) * (world_.noise > 0 ? noise(random_) : 1);
          record.stage_seconds[std::string(name_of(side)) + "/" +
                               std::string(name_of(step.variant->stage))] = seconds;
          record.seconds += seconds;
        }
      record.train_rmse = record.test_rmse =
          world_.rmse(pipelines.x, pipelines.theta) * (1 + 1.0 / (i * i * i));
      training.iterations.push_back(record);
      training.measured_seconds += record.seconds;
      training.reached_target = target && record.test_rmse <= *target;
    }
    elapsed_ += training.measured_seconds;
    return training;
  }
  void expect(Side, const SearchSpace& space, const std::vector<size_t>& points) override {
    for (const size_t point : points) expected.insert(space[point].text());
  }
  void expect(const PipelineSides& pipelines) override { expected.insert(pipelines.text()); }
  double data_seconds() const override { return 0; }
  double elapsed_seconds() const override { return elapsed_; }
  void say(const std::string&) override {}

  std::vector<std::string> trained;
  std::set<std::string> expected;
  std::vector<std::string> measured;  // "side point", each measurement but the playoffs'
  std::vector<std::string> begun;     // the first point of each search
  int64_t left = std::numeric_limits<int64_t>::max();  // measurements before it is interrupted

 private:
  void count() {
    if (left-- <= 0) throw Interrupted();
  }

  const World& world_;
  std::mt19937_64 random_;
  uint64_t seed_;
  double elapsed_ = 0;
};

PipelineTuning tuned(const World& world, PipelineTuneOptions options = {}, uint64_t seed = 1) {
  FormulaLab lab(world, seed);
  return tune_pipelines(lab, options);
}

const StageSearch& search_of(const PipelineTuning& tuning, Side side, Stage stage) {
  for (const StageSearch& search : tuning.stages)
    if (search.side == side && search.stage == stage) return search;
  throw std::logic_error("no such search");
}

TEST(PipelineTuner, ChoosesTheFastestThatIsAccurateWithTheFewestSteps) {
  const PipelineTuning tuning = tuned({});
  for (const SideChoice& side : tuning.sides) {
    EXPECT_EQ(precision_of(side.pick).matrices, Scalar::fp16) << side.pick.text();
    EXPECT_EQ(steps_of(side.pick), 4) << side.pick.text();
    EXPECT_LT(side.median_seconds, side.default_seconds);
    EXPECT_EQ(side.ties.front(), side.pick.text());
  }
  EXPECT_LE(tuning.rmse, tuning.target_rmse);
  EXPECT_NEAR(tuning.time.total, tuning.time.measuring(), 1e-6);
}

TEST(PipelineTuner, StorageThatHurtsIsRefused) {
  World world;
  world.fp16_penalty = 0.05;
  const PipelineTuning tuning = tuned(world);
  for (const SideChoice& side : tuning.sides)
    EXPECT_EQ(precision_of(side.pick).matrices, Scalar::fp32) << side.pick.text();
  PipelineTuneOptions loose;
  loose.tolerance = 0.2;
  for (const SideChoice& side : tuned(world, loose).sides)
    EXPECT_EQ(precision_of(side.pick).matrices, Scalar::fp16) << side.pick.text();
}

TEST(PipelineTuner, TakesMoreStepsWhereFewDoNotDo) {
  World world;
  world.enough_steps = 7;
  for (const SideChoice& side : tuned(world).sides)
    if (precision_of(side.pick).iterative) {
      EXPECT_EQ(steps_of(side.pick), 8) << side.pick.text();
    }
}

TEST(PipelineTuner, FallsBackToDirectSolversWhereNoNumberOfStepsDoes) {
  World world;
  world.enough_steps = 1000;
  const PipelineTuning tuning = tuned(world);
  for (const SideChoice& side : tuning.sides) EXPECT_EQ(steps_of(side.pick), 0) << side.pick.text();
  EXPECT_FALSE(tuning.playoff.back().eligible) << "the default is CG with 6 steps";
  EXPECT_FALSE(tuning.playoff.back().totals.empty()) << "it is compared with all the same";
}

TEST(PipelineTuner, IsNeverSlowerThanTheDefault) {
  World world;
  for (const Stage stage : {Stage::normal_equations, Stage::update}) world.stage_seconds[stage] = 5;
  const PipelineTuning tuning = tuned(world);
  for (const SideChoice& side : tuning.sides) {
    EXPECT_LE(side.median_seconds, side.default_seconds);
    EXPECT_EQ(side.fallback.text(), default_pipeline(Backend::cuda).text());
  }
  EXPECT_TRUE(search_of(tuning, Side::x, Stage::hermitian).skipped.empty());
  EXPECT_EQ(tuning.sides[0].pick.steps.size(), 3u) << tuning.sides[0].pick.text();
}

TEST(PipelineTuner, LeavesOutHermitianWhereAPipelineWithoutItIsFaster) {
  const PipelineTuning tuning = tuned({});
  for (const Side side : {Side::x, Side::theta}) {
    const StageSearch& hermitian = search_of(tuning, side, Stage::hermitian);
    EXPECT_NE(hermitian.skipped.find("without it"), std::string::npos) << hermitian.skipped;
    EXPECT_LE(hermitian.result.evaluations, 8);
    EXPECT_FALSE(search_of(tuning, side, Stage::bias).skipped.empty());
  }
}

TEST(PipelineTuner, AFaultyPipelineCostsItsRunAlone) {
  World world;
  world.crashes = tuned({}).sides[0].pick.text();
  const PipelineTuning tuning = tuned(world);
  EXPECT_NE(tuning.sides[0].pick.text(), world.crashes);
  EXPECT_LE(tuning.rmse, tuning.target_rmse);
  int crashed = 0;
  for (const Contender& contender : tuning.playoff)
    if (contender.pipelines.x.text() == world.crashes) crashed += contender.eligible ? 0 : 1;
  EXPECT_GT(crashed, 0);
}

TEST(PipelineTuner, WrongPointsAreNeverPartOfAPipeline) {
  World world;
  world.wrong = "output=fp16";
  for (const SideChoice& side : tuned(world).sides)
    EXPECT_EQ(side.pick.text().find(world.wrong), std::string::npos) << side.pick.text();
}

TEST(PipelineTuner, AnExactPipelineThatCannotBeTrainedIsAnErrorWithAReason) {
  World world;
  world.crashes = "solve:cholesky";
  EXPECT_THROW(tuned(world), EnvironmentError);
}

TEST(PipelineTuner, TimeToRmseCountsTheSecondsToTheTarget) {
  PipelineTuneOptions options;
  options.goal = Goal::time_to_rmse;
  const PipelineTuning tuning = tuned({}, options);
  ASSERT_EQ(tuning.sides.size(), 2u);
  EXPECT_EQ(tuning.sides[0].median_seconds, tuning.sides[1].median_seconds);
  EXPECT_LE(tuning.rmse, tuning.target_rmse);
  EXPECT_LT(tuning.sides[0].median_seconds, tuning.sides[0].default_seconds);
}

TEST(PipelineTuner, ChoosesOneOfItsTiesTenTimesOfTen) {
  // Where a setting costs more than ties are wide, and where none matters; whatever luck the
  // samples have.
  for (const double setting : {0.04, 0.001}) {
    SCOPED_TRACE(setting);
    World world;
    world.noise = 0.002;
    world.luck = 0.04;
    world.setting = setting;
    const PipelineTuning first = tuned(world);
    for (uint64_t seed = 2; seed < 11; ++seed) {
      PipelineTuneOptions options;
      options.seed = seed;
      const PipelineTuning again = tuned(world, options, seed);
      for (size_t side = 0; side < 2; ++side) {
        const auto& ties = first.sides[side].ties;
        const bool same =
            std::find(ties.begin(), ties.end(), again.sides[side].pick.text()) != ties.end();
        EXPECT_TRUE(same) << seed << ": " << again.sides[side].pick.text() << " is not "
                          << first.sides[side].pick.text();
      }
    }
  }
}

TEST(PipelineTuner, RefinesWhatPassedWithItsPrecisionAndSteps) {
  const PipelineTuning tuning = tuned({});
  int refinements = 0;
  for (const StageSearch& search : tuning.stages) {
    if (search.refines.empty()) continue;
    ++refinements;
    EXPECT_NE(search.refines.find("4 steps"), std::string::npos) << search.refines;
    EXPECT_LE(search.result.evaluations, PipelineTuneOptions{}.refine_evaluations);
  }
  EXPECT_GE(refinements, 2);
  // Whatever the searches found, each setting of the pick is then the fastest of its values.
  for (const SideChoice& side : tuning.sides)
    for (const PipelineStep& step : side.pick.steps)
      for (const Parameter& parameter : step.variant->space.parameters()) {
        if (parameter.open || parameter.diagnostic) continue;
        if (step.config.get(parameter.name) == "fp16") continue;
        if (parameter.name == "warm" || parameter.name == "factors" || parameter.name == "sums")
          continue;
        EXPECT_EQ(step.config.get(parameter.name), parameter.values.back().text)
            << step.variant->id() << " " << parameter.name;
      }
}

TEST(PipelineTuner, AnInterruptedBudgetStillEndsWithAChoice) {
  PipelineTuneOptions options;
  options.budget_seconds = 0.1;
  const PipelineTuning tuning = tuned({}, options);
  for (const SideChoice& side : tuning.sides) EXPECT_LE(side.median_seconds, side.default_seconds);
}

TEST(PipelineTuner, ForeseesWhatCompilersCanHaveReady) {
  const World world;
  FormulaLab lab(world);
  const PipelineTuning tuning = tune_pipelines(lab, {});
  EXPECT_FALSE(lab.begun.empty());
  for (const std::string& point : lab.begun) EXPECT_TRUE(lab.expected.contains(point)) << point;
  for (const Trial& trial : tuning.trials) {
    const int steps = steps_of(trial.pipelines.x);
    if (trial.purpose == "gate" && steps > 0 && steps < 6) {
      EXPECT_TRUE(lab.expected.contains(trial.pipelines.text())) << trial.pipelines.text();
    }
  }
}

TEST(PipelineTuner, TheTimeOfThePlayoffGoesToThoseThatCanWin) {
  World world;
  world.noise = 0.001;
  world.preparing = 0.03;
  const PipelineTuning tuning = tuned(world);
  const Contender& fallback = tuning.playoff.back();
  EXPECT_EQ(fallback.totals.size(), 1u) << "several times slower";
  const auto most = std::max_element(
      tuning.playoff.begin(), tuning.playoff.end(),
      [](const Contender& a, const Contender& b) { return a.totals.size() < b.totals.size(); });
  EXPECT_GT(most->totals.size(), 3u);
  EXPECT_LE(most->totals.size(), 20u);
}

class JournaledLabTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::temp_directory_path() /
            ("alsbench-pipelines-" + std::to_string(getpid()) + ".journal");
  }
  void TearDown() override { std::filesystem::remove(path_); }

  static Json head(int64_t stage_evaluations = 24) {
    return {{"kind", "pipeline-tuning"}, {"search", {{"stage_evaluations", stage_evaluations}}}};
  }

  World world_;
  std::filesystem::path path_;
};

// Interrupted again and again, it measures no point twice and ends as an undisturbed run does.
TEST_F(JournaledLabTest, AResumedTuningEndsAsAnUndisturbedOne) {
  PipelineTuneOptions options;
  options.playoff_rounds = 3;  // more depend on the time before, in which samples may be missing
  FormulaLab undisturbed(world_);
  const PipelineTuning expected = tune_pipelines(undisturbed, options);
  std::optional<PipelineTuning> tuning;
  std::vector<std::string> trained;
  std::multiset<std::string> measured;
  for (int attempt = 0; !tuning; ++attempt) {
    ASSERT_LT(attempt, 20);
    FormulaLab lab(world_);
    lab.left = 150;
    JournaledLab journaled(lab, attempt == 0 ? ResumedJournal{create_journal(path_, head()), {}}
                                             : resume_journal(path_, head()));
    try {
      tuning = tune_pipelines(journaled, options);
    } catch (const Interrupted&) {
    }
    trained.insert(trained.end(), lab.trained.begin(), lab.trained.end());
    measured.insert(lab.measured.begin(), lab.measured.end());
  }
  EXPECT_EQ(trained, undisturbed.trained);
  // A point that it was stopped at goes without the samples of a contender.
  EXPECT_LE(measured.size(), undisturbed.measured.size());
  EXPECT_EQ(std::set<std::string>(measured.begin(), measured.end()),
            std::set<std::string>(undisturbed.measured.begin(), undisturbed.measured.end()));
  for (size_t side = 0; side < 2; ++side) {
    EXPECT_EQ(tuning->sides[side].pick.text(), expected.sides[side].pick.text());
    EXPECT_EQ(tuning->sides[side].ties, expected.sides[side].ties);
  }
  EXPECT_EQ(tuning->rmse, expected.rmse);
  EXPECT_GE(tuning->time.other(), -1e-9) << "what the journal gave counts in the total too";
}

TEST_F(JournaledLabTest, TheJournalOfAnotherTuningIsRefused) {
  create_journal(path_, head(24));
  EXPECT_THROW(resume_journal(path_, head(8)), UsageError);
  create_journal(path_, {{"kind", "tuning"}, {"search", Json::object()}});
  EXPECT_THROW(resume_journal(path_, head(24)), UsageError);
}

TEST(SideSeconds, ConversionsCountForTheSideThatReads) {
  IterationRecord record;
  record.stage_seconds = {
      {"x/solve", 1}, {"x/convert", 2}, {"theta/solve", 4}, {"theta/convert", 8}};
  EXPECT_EQ(side_seconds(record, Side::x), 9);
  EXPECT_EQ(side_seconds(record, Side::theta), 6);
}

TEST(Candidates, MatchStorageTypes) {
  MeasuredStages stages;
  const auto add = [&](const std::string& text, double seconds) {
    const PipelineStep step = parse_step(text, Backend::cuda);
    stages[step.variant->stage].push_back({step, seconds});
  };
  add("normal_equations:mma:output=fp16", 1);
  add("normal_equations:mma:output=fp32", 2);
  add("solve:cg:matrix=fp32", 1);
  add("solve:cholesky", 10);
  add("hermitian:tiled:factors=fp16,buffers=1,output=fp32", 5);
  add("bias:rows:factors=fp32", 1);
  add("bias:rows:factors=fp16", 2);
  const auto found = candidates(stages, 5);
  EXPECT_EQ(found.size(), 2u);  // nothing reads the matrices in fp16
  const auto& iterative = found.at({Scalar::fp16, Scalar::fp32, true});
  ASSERT_EQ(iterative.size(), 2u);
  EXPECT_EQ(iterative[0].seconds, 3);
  EXPECT_EQ(iterative[1].pipeline.text().find("bias:rows:threads=128,l1=on,factors=fp32"),
            std::string::npos);
  for (const auto& [precision, list] : found)
    for (const PipelineCandidate& candidate : list)
      EXPECT_NO_THROW(parse_pipeline(candidate.pipeline.text(), Backend::cuda));
}

// Candidates of these pipelines and milliseconds, the fastest first.
std::vector<PipelineCandidate> candidates_of(
    const std::vector<std::pair<std::string, double>>& list) {
  std::vector<PipelineCandidate> found;
  for (const auto& [text, seconds] : list)
    found.push_back({parse_pipeline(text, Backend::cuda), seconds});
  return found;
}

TEST(Candidates, ThePlainestIsOfAMakeUpThatMayWin) {
  const auto list = candidates_of({{"update:fused:matrix=fp16,l1=off,chunk=1024", 1.0},
                                   {"update:fused:matrix=fp16,warps=1", 1.05},
                                   {"update:fused:matrix=fp16", 1.5},
                                   {"update:matrix_free", 3.0}});
  EXPECT_EQ(&plainest(list, 1.1), &list[2]) << "slower than the limit, but its make-up is not";
  EXPECT_EQ(&plainest(list, 4), &list[3]);
}

TEST(Candidates, ThePlainestAndTheFastestPlayInTurn) {
  const auto list = candidates_of({{"update:fused:l1=off,chunk=1024,warps=1", 1.0},
                                   {"update:fused:l1=off,chunk=1024", 1.01},
                                   {"update:fused:chunk=1024", 1.02},
                                   {"update:fused", 1.03},
                                   {"update:matrix_free", 1.05},
                                   {"update:fused:chunk=8192", 1.5}});
  const auto texts = [](const std::vector<PipelineCandidate>& candidates) {
    std::vector<std::string> list_of;
    for (const PipelineCandidate& candidate : candidates)
      list_of.push_back(candidate.pipeline.text());
    return list_of;
  };
  const std::vector<PipelineCandidate> expected{list[0], list[4], list[3], list[1]};
  EXPECT_EQ(texts(worth_playing(list, 4)), texts(expected));
  EXPECT_EQ(worth_playing(list, 10).size(), 5u) << "the last one is too slow";
}

}  // namespace
}  // namespace alsbench
