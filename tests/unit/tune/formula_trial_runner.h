// SPDX-License-Identifier: Apache-2.0
// A device that is made of formulas, for tests of the tuner of pipelines: seconds from a stage's
// configuration, an RMSE from storage types and CG steps.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <random>
#include <set>

#include "harness/algorithms/algorithms.h"
#include "harness/sweep/worker/worker_client.h"
#include "harness/tune/pipeline/pipeline_tuner.h"
#include "tests/unit/tune/tuned_entries.h"
#include "variants/als/parameters.h"
#include "variants/als/stages.h"

namespace alsbench {

// The CG steps of a pipeline; 0 where its solver is direct.
inline int cg_steps_of(const Pipeline& pipeline) {
  const auto cg = parameters::cg_options(pipeline.steps.back().config);
  return cg ? cg->steps : 0;
}

// The same from the fourth iteration on.
inline int late_steps_of(const Pipeline& pipeline) {
  const Config& config = pipeline.steps.back().config;
  return parameters::cg_options(parameters::late_config(config).value_or(config))->steps;
}

// The simulated device of a test; each test changes what it is about.
struct World {
  DeviceTraits traits = gpu();
  std::map<Stage, double> stage_seconds{{&stages::hermitian, 0.050},
                                        {&stages::bias, 0.004},
                                        {&stages::normal_equations, 0.008},
                                        {&stages::solve, 0.006},
                                        {&stages::update, 0.050}};
  double exact_rmse = 0.8;
  double fp16_penalty = 0;               // of A in fp16, relative
  int enough_steps = 4;                  // of CG; fewer are 1 % off
  double too_few = 1.01;                 // what fewer make of the RMSE
  int early_steps = 0;                   // of CG; fewer are 1 % worse before the fifth iteration
  int late_steps = 100;                  // of CG; fewer, where there were more before, are 1 %
                                         // worse from the fourth iteration on
  bool ill_conditioned = false;          // whatever is not exact is 1 % off
  double noise = 0;                      // relative, of every time
  double setting = 0.04;                 // of a word that is not the fastest: relative
  double luck = 0;                       // relative: samples of a point are too slow by up to this
                                         // much, all those of a tuning alike; training never is
  std::string stumbles = "no pipeline";  // the first training of each pair whose text holds this
                                         // takes a twentieth longer
  double partner = 0;  // relative: X takes as much longer with half of all pipelines of Theta
  // Of a step's seconds.
  std::function<double(const PipelineStep&)> factor = [](const PipelineStep&) { return 1.0; };
  double preparing = 0;                 // seconds of a point before it is measured
  std::string crashes = "no pipeline";  // training a pipeline whose text holds this crashes
  std::string wrong = "no point";       // and so are points whose text holds this, wrong

  // The fastest configuration is known: every word besides the last value of a parameter costs
  // `setting`, fp16 and bf16 halve, CG costs by its steps, direct solvers ten times as much.
  double seconds(const PipelineStep& step) const {
    double seconds = factor(step) * stage_seconds.at(step.variant->stage);
    for (const Parameter& parameter : step.variant->space.parameters()) {
      const std::string& value = step.config.get(parameter.name);
      if (value == "fp16" || value == "bf16")
        seconds *= 0.5;
      else if (parameter.name == parameters::kLateSteps.name)
        continue;
      else if (parameter.name == "steps")
        seconds *= (2 + step.config.number("steps")) / 8;
      else if (value != parameter.values.back().text)
        seconds *= 1 + setting;
    }
    const bool direct = step.variant->stage == &stages::solve && !step.config.has("steps");
    return direct ? 10 * seconds : seconds;
  }
  double rmse(const Pipeline& x, const Pipeline& theta, int iteration) const {
    double rmse = exact_rmse;
    for (const Pipeline* pipeline : {&x, &theta}) {
      const Precision precision = precision_of(*pipeline);
      if (precision.storage.matrices == Scalar::fp16) rmse *= 1 + fp16_penalty;
      if (precision.iterative && cg_steps_of(*pipeline) < enough_steps) rmse *= too_few;
      if (precision.iterative && cg_steps_of(*pipeline) < early_steps && iteration < 5)
        rmse *= 1.01;
      if (precision.iterative && iteration >= 4 &&
          late_steps_of(*pipeline) < std::min(late_steps, cg_steps_of(*pipeline)))
        rmse *= 1.01;
    }
    const Recipe exact = exact_recipe(default_algorithm(), traits.backend);
    if (ill_conditioned &&
        (x.text() != exact.of("x").text() || theta.text() != exact.of("theta").text()))
      rmse *= 1.01;
    return rmse;
  }
};

class FormulaObjective : public Objective {
 public:
  FormulaObjective(const World& world, const SearchSpace& space, std::mt19937_64& random,
                   uint64_t seed)
      : world_(world), space_(space), random_(random), seed_(seed) {}
  void announce(const std::vector<size_t>&, const std::vector<size_t>&) override {}
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
  std::optional<double> share_of_ceiling(size_t, double) const override { return std::nullopt; }

 private:
  const World& world_;
  const SearchSpace& space_;
  std::mt19937_64& random_;
  uint64_t seed_;
  double elapsed_ = 0;
};

class FormulaTrialRunner : public TrialRunner {
 public:
  explicit FormulaTrialRunner(const World& world, uint64_t seed = 1)
      : world_(world), random_(seed), seed_(seed) {}
  const Recipe& recipe() const override { return recipe_; }
  const DeviceTraits& traits() const override { return world_.traits; }
  Shape shape(const std::string& part) const override {
    return part == "x" ? netflix() : shape_of_size(17770, 480189, 99072112, 100);
  }
  TuningResult search(const std::string& part, const SearchSpace& space, const TuneOptions& options,
                      const std::vector<Evaluation>& known) override {
    FormulaObjective objective(world_, space, random_, seed_);
    TuneOptions counting = options;
    counting.on_evaluation = [&](const Evaluation& evaluation, bool playoff) {
      count();
      if (options.on_evaluation) options.on_evaluation(evaluation, playoff);
      const std::string text = space[evaluation.point].text();
      if (!playoff) measured.push_back(part + " " + text);
    };
    // A refinement begins with what was trained.
    if (known.empty() && options.strategy != kNeighbourhoodSearch)
      begun.push_back(space[space.default_point()].text());
    TuningResult result = tune(space, objective, counting, known);
    elapsed_ += objective.elapsed_seconds();
    return result;
  }
  TrialRun train(const Recipe& pipelines, const TrialLength& length) override {
    TrialRun training;
    count();
    const std::string text = pipelines.text();
    const bool first = std::find(trained.begin(), trained.end(), text) == trained.end();
    const double stumble = first && text.find(world_.stumbles) != std::string::npos ? 1.05 : 1.0;
    trained.push_back(text);
    if (text.find(world_.crashes) != std::string::npos) {
      training.outcome = Outcome::crashed;
      return training;
    }
    std::normal_distribution<double> noise(1, world_.noise);
    const bool slows = std::hash<std::string>{}(pipelines.of("theta").text()) % 2 == 0;
    const double x_factor = slows ? 1 + world_.partner : 1;
    for (int i = 1; i <= length.iterations && !training.reached_target; ++i) {
      IterationRecord record;
      record.iteration = i;
      for (const std::string& part : algorithm().parts)
        for (const PipelineStep& step : pipelines.of(part).steps) {
          const auto late = parameters::late_config(step.config);
          const PipelineStep now = {step.variant, late && i > 3 ? *late : step.config};
          const double seconds = (part == "x" ? x_factor : 1) * stumble * world_.seconds(now) *
                                 (world_.noise > 0 ? noise(random_) : 1);
          record.stage_seconds[part + "/" + std::string(name_of(step.variant->stage))] = seconds;
          record.seconds += seconds;
        }
      const bool told = length.evaluation.each || i == length.iterations;
      record.train_metric = record.test_metric =
          told ? world_.rmse(pipelines.of("x"), pipelines.of("theta"), i) * (1 + 1.0 / (i * i * i))
               : std::numeric_limits<double>::quiet_NaN();
      training.iterations.push_back(record);
      training.measured_seconds += record.seconds;
      training.reached_target = length.target && record.test_metric <= *length.target;
    }
    elapsed_ += training.measured_seconds;
    return training;
  }
  void expect(const std::string&, const SearchSpace& space,
              const std::vector<size_t>& points) override {
    for (const size_t point : points) expected.insert(space[point].text());
  }
  void expect(const Recipe& pipelines) override { expected.insert(pipelines.text()); }
  double data_seconds() const override { return 0; }
  double elapsed_seconds() const override { return elapsed_; }
  void say(const std::string&) override {}

  std::vector<std::string> trained;
  std::set<std::string> expected;
  std::vector<std::string> measured;  // "side point", each measurement but the playoffs'
  std::vector<std::string> begun;     // the first point of each search
  int64_t left = std::numeric_limits<int64_t>::max();  // measurements before it is interrupted

 private:
  Recipe recipe_ = begin_recipe(default_algorithm());
  void count() {
    if (left-- <= 0) throw Interrupted();
  }

  const World& world_;
  std::mt19937_64 random_;
  uint64_t seed_;
  double elapsed_ = 0;
};

}  // namespace alsbench
