// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/pipeline_tuner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "harness/record/escape.h"
#include "harness/tune/pipeline/accuracy_gate.h"
#include "harness/tune/pipeline/late_steps.h"
#include "harness/tune/pipeline/pipeline_choice.h"
#include "harness/tune/pipeline/pipeline_playoff.h"
#include "harness/tune/pipeline/refinement.h"
#include "harness/tune/pipeline/stage_searches.h"
#include "harness/tune/pipeline/trials.h"
#include "variants/als/parameters.h"
#include "variants/default_pipeline.h"

namespace alsbench {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kMinBudgetSeconds = 100,
                 kBudgetFactor = 4;      // see PipelineTuneOptions::budget_seconds
constexpr double kSearchShare = 0.65;    // of the time budget; the rest is for training runs
constexpr size_t kKept = 64;             // candidates of a precision for a part
constexpr double kRematchMargin = 1.08;  // of the seconds of a finalist, over the fastest
constexpr int kRematches = 4;
constexpr int kMinComparedRuns = 3;     // of each recipe, before one is called slower than another
constexpr double kEstimateTie = 0.015;  // estimates of candidates that differ by less are tied
constexpr double kPlayoffShare = 0.5;   // of the time before it: what the playoff takes at most
class PipelineTuner {
 public:
  PipelineTuner(TrialRunner& runner, const PipelineTuneOptions& options)
      : runner_(runner), options_(options), trials_(runner_, options_, result_) {}

  PipelineTuning run() {
    announce_trainings();  // their kernels compile while the spaces are built
    const std::map<std::string, std::vector<StageSpace>> spaces = all_spaces();
    if (!options_.warm_start) announce_searches(spaces);
    trials_.measure_exact();
    attempt(default_pipelines(), "default");
    start_budget();
    if (!begin_at_warm_start(spaces)) search(spaces);
    refuse_faulty_default();
    AccuracyGate gate(
        runner_, options_.goal, [this](const Recipe& recipe) { return attempt(recipe, "gate"); },
        [this] { return out_of_time(); });
    for (const Representative& one : representatives(runner_.recipe(), found_)) gate.admit(one);
    rematch();
    refine();
    play();
    choose();
    check_choice();
    lower_late_steps();
    choose_hyper();
    result_.time.data = runner_.data_seconds();
    result_.time.total = runner_.elapsed_seconds();
    return std::move(result_);
  }

 private:
  const Algorithm& algorithm() const { return runner_.algorithm(); }
  const std::vector<std::string>& parts() const { return algorithm().parts; }
  // How many parts are left from this one on.
  double parts_from(const std::string& part) const {
    return static_cast<double>(parts().end() - std::ranges::find(parts(), part));
  }

  std::map<std::string, std::vector<StageSpace>> all_spaces() const {
    std::map<std::string, std::vector<StageSpace>> spaces;
    for (const std::string& part : parts())
      spaces[part] =
          stage_spaces(algorithm().pipelines(part), runner_.shape(part), runner_.traits());
    return spaces;
  }

  // Trainings that are measured whatever is found, in order.
  void announce_trainings() {
    runner_.expect(exact_recipe(runner_.recipe(), runner_.traits().backend));
    runner_.expect(default_pipelines());
    if (options_.warm_start) runner_.expect(options_.warm_start->recipe);
  }
  void announce_searches(const std::map<std::string, std::vector<StageSpace>>& spaces) {
    for (const std::string& part : parts())
      expect_searches(runner_, part, spaces.at(part), options_);
  }

  // The gate chooses a precision later, most likely the fastest.
  void announce_refinements(const std::string& part,
                            const std::map<Precision, std::vector<PipelineCandidate>>& found) {
    std::vector<const std::vector<PipelineCandidate>*> lists;
    for (const auto& [precision, list] : found) lists.push_back(&list);
    const auto seconds = [](const auto* list) { return list->front().seconds; };
    std::ranges::sort(lists, {}, seconds);
    for (const auto* list : lists)
      if (seconds(list) <= kMaxSlowdownToTry * seconds(lists.front()))
        expect_refinement(runner_, part, *list, options_);
  }

  void start_budget() {
    begun_ = runner_.elapsed_seconds();
    result_.budget_seconds =
        options_.budget_seconds.value_or(std::max(kMinBudgetSeconds, kBudgetFactor * begun_));
  }
  double remaining_budget(double share = 1) const {
    return begun_ + share * result_.budget_seconds - runner_.elapsed_seconds();
  }

  // Makes what was tuned at near shapes the candidates, along with the default. False where there
  // is nothing, or where it is refused or slow here.
  bool begin_at_warm_start(const std::map<std::string, std::vector<StageSpace>>& spaces) {
    if (!options_.warm_start) return false;
    const Trial fallback = result_.trials.back();
    const Trial near = attempt(options_.warm_start->recipe, "warm_start");
    if (!near.passed || (fallback.passed && is_slower(near, fallback))) {
      runner_.say("what near shapes were tuned to is refused or slow here: all is searched");
      announce_searches(spaces);
      return false;
    }
    const bool faster = near.seconds <= fallback.seconds || !fallback.passed;
    for (const Trial* trial : {faster ? &near : &fallback, faster ? &fallback : &near})
      for (const std::string& part : parts())
        found_[precision_of(trial->pipelines.first())][part].push_back(
            {trial->pipelines.of(part), trial->seconds / static_cast<double>(parts().size())});
    options_.refine_evaluations /= 2;
    options_.max_contenders /= 2;
    return result_.around_warm_start = true;
  }

  // Whether a recipe is not worth a try against another. A single training run may be off by more,
  // so both train again, in turn, before one is called slower.
  bool is_slower(const Trial& trial, const Trial& other) {
    std::vector<double> own{trial.seconds}, others{other.seconds};
    const auto slower = [&] { return median_of(own) > kMaxSlowdownToTry * median_of(others); };
    for (int round = 1; round < kMinComparedRuns && slower() && !out_of_time(); ++round) {
      own.push_back(attempt(trial.pipelines, "rematch").seconds);
      others.push_back(attempt(other.pipelines, "rematch").seconds);
    }
    return slower();
  }

  void search(const std::map<std::string, std::vector<StageSpace>>& spaces) {
    std::map<std::string, std::map<Precision, std::vector<PipelineCandidate>>> found;
    for (const std::string& part : parts()) {
      const double left = remaining_budget(kSearchShare);
      SearchedPart searched =
          search_stages(runner_, part, spaces.at(part), options_, left / parts_from(part));
      for (StageSearch& stage : searched.searches) add(std::move(stage));
      found[part] = candidates(algorithm().pipelines(part), searched.stages, kKept);
      announce_refinements(part, found.at(part));
    }
    for (auto& [precision, list] : found.at(parts().front())) {
      Candidates candidates;
      for (const std::string& part : parts())
        if (found.at(part).contains(precision)) candidates[part] = found.at(part).at(precision);
      if (candidates.size() == parts().size()) found_[precision] = std::move(candidates);
    }
  }

  void add(StageSearch stage) {
    const TuningResult& result = stage.result;
    result_.evaluations += result.evaluations;
    result_.time.sampling += result.measure_seconds;
    result_.time.verifying += result.verify_seconds;
    result_.time.preparing += result.prepare_seconds - result.verify_seconds;
    result_.time.compiling += result.wait_seconds;
    result_.stages.push_back(std::move(stage));
  }

  // The default was trained before the searches checked its steps.
  void refuse_faulty_default() {
    for (Trial& trial : result_.trials)
      if (trial.purpose == "default" && found_faulty(trial.pipelines)) {
        trial.passed = false;
        runner_.say("refused: the searches found a step of the default faulty");
      }
  }

  bool found_faulty(const Recipe& recipe) const {
    for (const StageSearch& search : result_.stages)
      for (const PipelineStep& step : recipe.of(search.part).steps)
        if (std::ranges::find(search.faulty, text_of(as_searched(step))) != search.faulty.end())
          return true;
    return false;
  }

  const Trial& attempt(const Recipe& pipelines, const std::string& purpose) {
    return trials_.attempt(pipelines, purpose);
  }

  bool out_of_time() const { return remaining_budget() <= 0; }

  // A training run may be off by some percent, and so may consecutive runs of one precision. Where
  // that could decide, the finalists train again, in turn.
  void rematch() {
    const std::vector<Finalist> list = finalists(result_.trials, kRematchMargin);
    if (list.size() < 2) return;
    for (int round = 0; round < kRematches; ++round)
      for (const Finalist& finalist : list)
        if (!out_of_time()) attempt(finalist.pipelines, "rematch");
  }

  // Searches on around the fastest pipeline of every sequence of variants that may still win. The
  // choice then does not depend on where the first searches stopped.
  void refine() {
    const auto recipe = recipe_to_refine(result_.trials);
    if (!recipe) return;
    const auto found = found_.find(precision_of(recipe->first()));
    if (found == found_.end()) return;
    for (const std::string& part : parts())
      refine(found->second.at(part), part, rung_of(recipe->first()),
             remaining_budget() / parts_from(part));
  }

  void refine(std::vector<PipelineCandidate>& candidates, const std::string& part, size_t rung,
              double seconds) {
    const double gain = max_gain(candidates.front().pipeline, rung);
    const auto starts = fastest_of_each_sequence(candidates, kMaxSlowdownToTry * gain);
    std::vector<PipelineCandidate> refined;
    double fastest = kInfinite;
    for (const PipelineCandidate& start : starts) {
      if (out_of_time()) break;
      Refinement found = alsbench::refine(
          runner_, part, on_rung(start.pipeline, rung), options_,
          {seconds / static_cast<double>(starts.size()), kMaxSlowdownToTry * fastest});
      for (StageSearch& search : found.searches) add(std::move(search));
      for (const PipelineCandidate& candidate : found.candidates)
        fastest = std::min(fastest, candidate.seconds);
      refined.insert(refined.end(), found.candidates.begin(), found.candidates.end());
    }
    std::ranges::stable_sort(refined, {}, &PipelineCandidate::seconds);
    if (!refined.empty()) candidates = std::move(refined);
  }

  Recipe default_pipelines() const {
    Recipe recipe = runner_.recipe();
    for (const std::string& part : parts())
      recipe.pipelines[part] = Pipeline{
          default_pipeline(algorithm().pipelines(part), runner_.shape(part), runner_.traits())
              .steps};
    return recipe;
  }

  void play() {
    result_.playoff =
        contenders_of(result_.trials, found_, default_pipelines(), options_.max_contenders);
    for (const Contender& contender : result_.playoff) runner_.expect(contender.pipelines);
    runner_.say(fmt::format("playoff of {} pairs of pipelines", result_.playoff.size()));
    const double deadline = runner_.elapsed_seconds() * (1 + kPlayoffShare);
    const auto out_of_time = [&] { return runner_.elapsed_seconds() >= deadline; };
    alsbench::play(result_.playoff, options_, out_of_time,
                   [this](const Recipe& pipelines) { return trials_.play(pipelines); });
  }

  void choose() {
    const Contender& fallback = result_.playoff.back();
    for (const std::string& part : parts()) {
      PartChoice choice = choose_part(result_.playoff, part, options_.goal);
      choice.fallback = fallback.pipelines.of(part);
      choice.default_seconds = median_seconds(fallback, part, options_.goal);
      add_estimated_ties(choice);
      result_.parts.push_back(std::move(choice));
    }
  }

  // Candidates that did not play, but that the searches could not tell from the pick.
  void add_estimated_ties(PartChoice& choice) const {
    const auto found = found_.find(precision_of(choice.pick));
    if (found == found_.end()) return;
    const auto& list = found->second.at(choice.part);
    const size_t rung = rung_of(choice.pick);
    const auto text = [&](const PipelineCandidate& candidate) {
      return on_rung(candidate.pipeline, rung).text();
    };
    const auto own = std::ranges::find_if(list, [&](const PipelineCandidate& candidate) {
      return text(candidate) == choice.pick.text();
    });
    if (own == list.end()) return;
    for (const PipelineCandidate& candidate : list)
      if (std::abs(candidate.seconds - own->seconds) <= kEstimateTie * own->seconds &&
          !played(choice.part, text(candidate)))
        choice.ties.push_back(on_rung(candidate.pipeline, rung));
  }

  bool played(const std::string& part, const std::string& pipeline) const {
    return std::ranges::any_of(result_.playoff, [&](const Contender& one) {
      return one.eligible && one.pipelines.of(part).text() == pipeline;
    });
  }

  Recipe chosen() const {
    Recipe recipe = runner_.recipe();
    for (const PartChoice& choice : result_.parts) recipe.pipelines[choice.part] = choice.pick;
    return recipe;
  }

  // The parts were chosen apart. Together they must pass as well, or the fastest recipe that passed
  // is taken.
  void check_choice() {
    const Recipe chosen = this->chosen();
    for (const Trial& trial : result_.trials)
      if (trial.passed && trial.pipelines.text() == chosen.text()) return keep_metric(trial);
    if (const Trial& trial = attempt(chosen, "check"); trial.passed) return keep_metric(trial);
    const Trial* best = nullptr;
    for (const Trial& trial : result_.trials)
      if (trial.passed && played(trial.pipelines) != nullptr &&
          (best == nullptr || trial.seconds < best->seconds))
        best = &trial;
    if (best == nullptr) throw EnvironmentError("no recipe passed; allow more with --tolerance");
    keep_metric(*best);
    for (PartChoice& choice : result_.parts) {
      choice.pick = best->pipelines.of(choice.part);
      choice.median_seconds = median_seconds(*played(best->pipelines), choice.part, options_.goal);
      choice.ties = {choice.pick};
    }
  }

  // Iterations then differ, so their mean is their time: the default's, too.
  void lower_late_steps() {
    if (options_.goal != Goal::time || options_.iterations <= parameters::kEarlyIterations) return;
    const auto late = alsbench::lower_late_steps(
        chosen(), result_.playoff.back().pipelines,
        [this](const Recipe& recipe) { return attempt(recipe, "late"); },
        [this](const Recipe& recipe) { return trials_.part_means(recipe); });
    if (!late) return;
    keep_metric(late->trial);
    for (PartChoice& choice : result_.parts) {
      choice.pick = late->recipe.of(choice.part);
      choice.median_seconds = late->seconds.at(choice.part);
      if (const auto one = late->default_seconds.find(choice.part);
          one != late->default_seconds.end())
        choice.default_seconds = one->second;
      for (Pipeline& tie : choice.ties) tie = with_late_steps_of(tie, choice.pick);
    }
  }

  // Those that do not say what is minimised.
  std::vector<Parameter> searched_hyper() const {
    std::vector<Parameter> searched;
    const std::vector<std::string>& minimised = algorithm().minimised;
    for (const Parameter& parameter : algorithm().hyper.parameters())
      if (std::ranges::find(minimised, parameter.name) == minimised.end())
        searched.push_back(parameter);
    return searched;
  }

  void choose_hyper() {
    if (options_.goal != Goal::time_to_target) return;
    const std::vector<Parameter> parameters = searched_hyper();
    if (parameters.empty()) return;
    Recipe recipe = chosen();
    const Config begin = recipe.hyper;
    const auto train_with = [&](const Config& hyper) {
      recipe.hyper = hyper;
      return trials_.whole_run(recipe);
    };
    result_.hyper = search_hyper(
        parameters, begin, result_.target_metric, train_with,
        [&](const HyperTrial& trial) { runner_.say(text_of(trial, algorithm().metric)); });
  }

  const Contender* played(const Recipe& pipelines) const {
    for (const Contender& contender : result_.playoff)
      if (contender.eligible && contender.pipelines.text() == pipelines.text()) return &contender;
    return nullptr;
  }

  void keep_metric(const Trial& trial) {
    result_.metric = trial.metric;
    result_.worst_deviation = trial.worst_deviation;
  }

  TrialRunner& runner_;
  PipelineTuneOptions options_;
  PipelineTuning result_;
  Trials trials_;
  double begun_ = 0;                       // when the budget began
  std::map<Precision, Candidates> found_;  // of precisions that all parts have
};

}  // namespace

PipelineTuning tune_pipelines(TrialRunner& runner, const PipelineTuneOptions& options) {
  return PipelineTuner(runner, options).run();
}

}  // namespace alsbench
