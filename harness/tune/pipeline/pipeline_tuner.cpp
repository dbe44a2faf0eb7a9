// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/pipeline_tuner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/record/escape.h"
#include "harness/tune/pipeline/accuracy_gate.h"
#include "harness/tune/pipeline/late_steps.h"
#include "harness/tune/pipeline/pipeline_choice.h"
#include "harness/tune/pipeline/pipeline_playoff.h"
#include "harness/tune/pipeline/refinement.h"
#include "harness/tune/pipeline/stage_searches.h"
#include "variants/als/knobs.h"
#include "variants/core/error.h"
#include "variants/default_pipeline.h"

namespace alsbench {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kLeastBudget = 100, kBudgetOfBegun = 4;  // see PipelineTuneOptions::budget_seconds
constexpr double kSearchShare = 0.65;  // of the time budget; the rest is for training runs
constexpr size_t kKept = 64;           // candidates of a precision for a part
constexpr double kRematch = 1.08;      // of the seconds of a finalist, over the fastest
constexpr int kRematches = 4;
constexpr int kSureRuns = 3;            // of each recipe, before one is called slower than another
constexpr double kEstimateTie = 0.015;  // estimates of candidates that differ by less are tied
constexpr double kPlayoffShare = 0.5;   // of the time before it: what the playoff takes at most
// Test ratings say how accurate each iteration is, and all ratings in the end whether the factors
// are sound. Any iteration may be the end of a training to a target.
constexpr Judging kToBeJudged{Judged::test, Judged::all};
constexpr Judging kToTarget{Judged::all, Judged::all};
constexpr int kLongestRun = 2;  // times `iterations`: the most to reach the target in

double total_seconds(const std::vector<IterationRecord>& iterations) {
  double sum = 0;
  for (const IterationRecord& record : iterations) sum += record.seconds;
  return sum;
}

class PipelineTuner {
 public:
  PipelineTuner(TrialRunner& runner, const PipelineTuneOptions& options)
      : runner_(runner), options_(options) {}

  PipelineTuning run() {
    foresee_trainings();  // their kernels compile while the spaces are built
    const std::map<std::string, std::vector<StageSpace>> spaces = all_spaces();
    if (!options_.near) foresee_searches(spaces);
    measure_exact();
    attempt(default_pipelines(), "default");
    start_budget();
    if (!begin_near(spaces)) search(spaces);
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
    return static_cast<double>(parts().end() - std::find(parts().begin(), parts().end(), part));
  }

  std::map<std::string, std::vector<StageSpace>> all_spaces() const {
    std::map<std::string, std::vector<StageSpace>> spaces;
    for (const std::string& part : parts())
      spaces[part] =
          stage_spaces(algorithm().pipelines(part), runner_.shape(part), runner_.traits());
    return spaces;
  }

  // What is measured whatever is found, in its order.
  void foresee_trainings() {
    runner_.expect(exact_pipelines());
    runner_.expect(default_pipelines());
    if (options_.near) runner_.expect(options_.near->recipe);
  }
  void foresee_searches(const std::map<std::string, std::vector<StageSpace>>& spaces) {
    for (const std::string& part : parts())
      expect_searches(runner_, part, spaces.at(part), options_);
  }

  // The gate chooses a precision later, most likely the fastest.
  void foresee_refinements(const std::string& part,
                           const std::map<Precision, std::vector<PipelineCandidate>>& found) {
    std::vector<const std::vector<PipelineCandidate>*> lists;
    for (const auto& [precision, list] : found) lists.push_back(&list);
    const auto seconds = [](const auto* list) { return list->front().seconds; };
    std::ranges::sort(lists, {}, seconds);
    for (const auto* list : lists)
      if (seconds(list) <= kWorthATry * seconds(lists.front()))
        expect_refinement(runner_, part, *list, options_);
  }

  void start_budget() {
    begun_ = runner_.elapsed_seconds();
    result_.budget_seconds =
        options_.budget_seconds.value_or(std::max(kLeastBudget, kBudgetOfBegun * begun_));
  }
  double left_of_budget(double share = 1) const {
    return begun_ + share * result_.budget_seconds - runner_.elapsed_seconds();
  }

  // Makes what was tuned at near shapes the candidates, beside the default. False where there is
  // nothing, or where it is refused or slow here.
  bool begin_near(const std::map<std::string, std::vector<StageSpace>>& spaces) {
    if (!options_.near) return false;
    const Trial fallback = result_.trials.back();
    const Trial near = attempt(options_.near->recipe, "near");
    if (!near.passed || (fallback.passed && is_slower(near, fallback))) {
      runner_.say("what near shapes were tuned to is refused or slow here: all is searched");
      foresee_searches(spaces);
      return false;
    }
    const bool faster = near.seconds <= fallback.seconds || !fallback.passed;
    for (const Trial* trial : {faster ? &near : &fallback, faster ? &fallback : &near})
      for (const std::string& part : parts())
        found_[precision_of(trial->pipelines.first())][part].push_back(
            {trial->pipelines.of(part), trial->seconds / static_cast<double>(parts().size())});
    options_.refine_evaluations /= 2;
    options_.most_contenders /= 2;
    return result_.around_near = true;
  }

  // Whether a recipe is not worth a try beside another. A single training run may be off by more,
  // so that both train again, in turn, before one is called slower.
  bool is_slower(const Trial& trial, const Trial& other) {
    std::vector<double> own{trial.seconds}, others{other.seconds};
    const auto slower = [&] { return median_of(own) > kWorthATry * median_of(others); };
    for (int round = 1; round < kSureRuns && slower() && !out_of_time(); ++round) {
      own.push_back(attempt(trial.pipelines, "rematch").seconds);
      others.push_back(attempt(other.pipelines, "rematch").seconds);
    }
    return slower();
  }

  void search(const std::map<std::string, std::vector<StageSpace>>& spaces) {
    std::map<std::string, std::map<Precision, std::vector<PipelineCandidate>>> found;
    for (const std::string& part : parts()) {
      const double left = left_of_budget(kSearchShare);
      SearchedPart searched =
          search_stages(runner_, part, spaces.at(part), options_, left / parts_from(part));
      for (StageSearch& stage : searched.searches) add(std::move(stage));
      found[part] = candidates(algorithm().pipelines(part), searched.stages, kKept);
      foresee_refinements(part, found.at(part));
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
        if (std::find(search.faulty.begin(), search.faulty.end(), text_of(as_searched(step))) !=
            search.faulty.end())
          return true;
    return false;
  }

  // `kind`: what its iterations are counted as.
  TrialRun train(const Recipe& pipelines, const TrialLength& length, double TimeSpent::*kind) {
    TrialRun training = runner_.train(pipelines, length);
    ++result_.evaluations;
    result_.time.*kind += training.measured_seconds;
    result_.time.preparing += training.setup_seconds;
    result_.time.compiling += training.wait_seconds;
    return training;
  }

  // The metric that is judged: of the test ratings, where there are any.
  double metric_of(const TrialRun& training) const {
    return training.iterations.empty() ? kInfinite : metric_of(training.iterations.back());
  }

  double metric_of(const IterationRecord& record) const {
    return result_.test_ratings ? record.test_metric : record.train_metric;
  }

  // The largest share by which the metric is off the exact one, of an iteration from the second on:
  // below it, too, where solutions are not those of ALS. The first iteration says little of the
  // rest: the metric still falls by much.
  double worst_deviation(const TrialRun& training) const {
    const size_t count = std::min(training.iterations.size(), exact_metrics_.size());
    double worst = -1;
    for (size_t i = std::min<size_t>(1, exact_metrics_.size() - 1); i < count; ++i) {
      const double off = std::abs(metric_of(training.iterations[i]) / exact_metrics_[i] - 1);
      if (!(off <= worst)) worst = off;  // NaN is worst
      if (std::isnan(worst)) break;
    }
    return worst >= 0 && std::isfinite(worst) ? worst : kInfinite;
  }

  void measure_exact() {
    const TrialRun training =
        train(exact_pipelines(), {.iterations = options_.iterations, .judging = kToBeJudged},
              &TimeSpent::judging);
    if (training.outcome != Outcome::ok || training.iterations.empty())
      throw EnvironmentError(fmt::format(
          "the exact pipeline, which accuracy is judged by, could not be trained: {}: {}; "
          "choose a smaller problem",
          name_of(training.outcome), training.detail));
    result_.test_ratings = std::isfinite(training.iterations.back().test_metric);
    if (options_.goal == Goal::time_to_target && !result_.test_ratings)
      throw UsageError("--objective time-to-rmse needs test ratings; give --test-fraction");
    result_.exact_metric = metric_of(training);
    for (const IterationRecord& record : training.iterations)
      exact_metrics_.push_back(metric_of(record));
    result_.target_metric = result_.exact_metric * (1 + options_.tolerance);
    Trial trial;
    trial.pipelines = exact_pipelines();
    trial.purpose = "exact";
    trial.metric = result_.exact_metric;
    trial.seconds = per_iteration(training);
    trial.passed = true;
    runner_.say(fmt::format(
        "exact FP32: {} {:.5f} after {} iterations; let through up to {:.3g} % {} it",
        upper_case(algorithm().metric), result_.exact_metric, options_.iterations,
        100 * options_.tolerance, options_.goal == Goal::time_to_target ? "above" : "off"));
    result_.trials.push_back(std::move(trial));
  }

  static double per_iteration(const TrialRun& training) {
    std::vector<double> seconds;
    for (const IterationRecord& record : training.iterations) seconds.push_back(record.seconds);
    return median_of(seconds);
  }

  TrialLength until_target() const {
    return {.iterations = options_.iterations * kLongestRun,
            .target = result_.target_metric,
            .judging = kToTarget};
  }

  // Trains a recipe to see whether it is accurate enough, and how fast it is.
  const Trial& attempt(const Recipe& pipelines, const std::string& purpose) {
    const bool to_target = options_.goal == Goal::time_to_target;
    const TrialLength length =
        to_target ? until_target()
                  : TrialLength{.iterations = options_.iterations, .judging = kToBeJudged};
    const TrialRun training = train(pipelines, length, &TimeSpent::judging);
    Trial trial;
    trial.pipelines = pipelines;
    trial.purpose = purpose;
    trial.outcome = training.outcome;
    trial.detail = training.detail;
    trial.metric = metric_of(training);
    trial.worst_deviation = worst_deviation(training);
    trial.passed = training.outcome == Outcome::ok &&
                   (to_target ? trial.metric <= result_.target_metric
                              : trial.worst_deviation <= options_.tolerance);
    trial.seconds = to_target ? total_seconds(training.iterations) : per_iteration(training);
    runner_.say(fmt::format("{}: {} {:.5f}, {:.3f} ms{}: {}",
                            trial.passed ? "let through" : "refused",
                            upper_case(algorithm().metric), trial.metric, 1e3 * trial.seconds,
                            to_target ? " to the target" : " an iteration", pipelines.text()));
    result_.trials.push_back(std::move(trial));
    return result_.trials.back();
  }

  bool out_of_time() const { return left_of_budget() <= 0; }

  // A training run may be off by some percent, and so may consecutive runs of one precision. Where
  // that could decide, the finalists train again, in turn.
  void rematch() {
    const std::vector<Finalist> list = finalists(result_.trials, kRematch);
    if (list.size() < 2) return;
    for (int round = 0; round < kRematches; ++round)
      for (const Finalist& finalist : list)
        if (!out_of_time()) attempt(finalist.pipelines, "rematch");
  }

  // Searches on around the fastest pipeline of every sequence of variants that may still win. The
  // choice then does not depend on where the first searches stopped.
  void refine() {
    const auto recipe = worth_refining(result_.trials);
    if (!recipe) return;
    const auto found = found_.find(precision_of(recipe->first()));
    if (found == found_.end()) return;
    for (const std::string& part : parts())
      refine(found->second.at(part), part, rung_of(recipe->first()),
             left_of_budget() / parts_from(part));
  }

  void refine(std::vector<PipelineCandidate>& candidates, const std::string& part, size_t rung,
              double seconds) {
    const double gain = most_gained(candidates.front().pipeline, rung);
    const auto starts = fastest_of_each_sequence(candidates, kWorthATry * gain);
    std::vector<PipelineCandidate> refined;
    double fastest = kInfinite;
    for (const PipelineCandidate& start : starts) {
      if (out_of_time()) break;
      Refinement found =
          alsbench::refine(runner_, part, on_rung(start.pipeline, rung), options_,
                           seconds / static_cast<double>(starts.size()), kWorthATry * fastest);
      for (StageSearch& search : found.searches) add(std::move(search));
      for (const PipelineCandidate& candidate : found.candidates)
        fastest = std::min(fastest, candidate.seconds);
      refined.insert(refined.end(), found.candidates.begin(), found.candidates.end());
    }
    std::stable_sort(refined.begin(), refined.end(),
                     [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
    if (!refined.empty()) candidates = std::move(refined);
  }

  Recipe exact_pipelines() const {
    return exact_recipe(runner_.recipe(), runner_.traits().backend);
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
        contenders_of(result_.trials, found_, default_pipelines(), options_.most_contenders);
    for (const Contender& contender : result_.playoff) runner_.expect(contender.pipelines);
    runner_.say(fmt::format("playoff of {} pairs of pipelines", result_.playoff.size()));
    const double deadline = runner_.elapsed_seconds() * (1 + kPlayoffShare);
    const auto out_of_time = [&] { return runner_.elapsed_seconds() >= deadline; };
    alsbench::play(result_.playoff, options_, out_of_time,
                   [this](const Recipe& pipelines) { return play_once(pipelines); });
  }

  std::optional<Played> play_once(const Recipe& pipelines) {
    const bool to_target = options_.goal == Goal::time_to_target;
    const TrialLength length =
        to_target ? until_target() : TrialLength{.iterations = options_.playoff_iterations};
    const TrialRun training = train(pipelines, length, &TimeSpent::playing);
    if (training.outcome != Outcome::ok || (to_target && !training.reached_target))
      return std::nullopt;
    Played played;
    for (const std::string& part : parts()) {
      std::vector<double> seconds;
      for (const IterationRecord& record : training.iterations)
        seconds.push_back(algorithm().part_seconds(record, part));
      played.seconds[part] = median_of(seconds);
    }
    played.total = to_target ? total_seconds(training.iterations) : per_iteration(training);
    return played;
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
    const auto own = std::find_if(
        list.begin(), list.end(),
        [&](const PipelineCandidate& candidate) { return text(candidate) == choice.pick.text(); });
    if (own == list.end()) return;
    for (const PipelineCandidate& candidate : list)
      if (std::abs(candidate.seconds - own->seconds) <= kEstimateTie * own->seconds &&
          !played(choice.part, text(candidate)))
        choice.ties.push_back(text(candidate));
  }

  bool played(const std::string& part, const std::string& pipeline) const {
    return std::any_of(result_.playoff.begin(), result_.playoff.end(), [&](const Contender& one) {
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
      choice.ties = {choice.pick.text()};
    }
  }

  // Iterations then differ, so that their mean is their time: the default's, too.
  void lower_late_steps() {
    if (options_.goal != Goal::time || options_.iterations <= knobs::kEarlyIterations) return;
    const auto late = alsbench::lower_late_steps(
        chosen(), result_.playoff.back().pipelines,
        [this](const Recipe& recipe) { return attempt(recipe, "late"); },
        [this](const Recipe& recipe) { return part_means(recipe); });
    if (!late) return;
    keep_metric(late->trial);
    for (PartChoice& choice : result_.parts) {
      choice.pick = late->recipe.of(choice.part);
      choice.median_seconds = late->seconds.at(choice.part);
      if (const auto one = late->default_seconds.find(choice.part);
          one != late->default_seconds.end())
        choice.default_seconds = one->second;
      for (std::string& tie : choice.ties)
        tie = with_late_steps_of(parsed(choice.part, tie), choice.pick).text();
    }
  }

  Pipeline parsed(const std::string& part, const std::string& text) const {
    return algorithm().parse(part, text, runner_.traits().backend);
  }

  std::optional<std::map<std::string, double>> part_means(const Recipe& recipe) {
    const TrialRun training =
        train(recipe, {.iterations = options_.iterations}, &TimeSpent::playing);
    if (training.outcome != Outcome::ok || training.iterations.empty()) return std::nullopt;
    std::map<std::string, double> means;
    for (const std::string& part : parts()) {
      for (const IterationRecord& record : training.iterations)
        means[part] += algorithm().part_seconds(record, part);
      means[part] /= static_cast<double>(training.iterations.size());
    }
    return means;
  }

  // Those that do not say what is minimised.
  std::vector<Parameter> searched_hyper() const {
    std::vector<Parameter> searched;
    const std::vector<std::string>& minimised = algorithm().minimised;
    for (const Parameter& parameter : algorithm().hyper.parameters())
      if (std::find(minimised.begin(), minimised.end(), parameter.name) == minimised.end())
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
      recipe.hyper = hyper;  // the target of 0 is never reached: how it ends is judged, too
      TrialRun one =
          train(recipe, {.iterations = options_.iterations, .target = 0.0, .judging = kToBeJudged},
                &TimeSpent::playing);
      return one.outcome == Outcome::ok ? std::optional(std::move(one.iterations)) : std::nullopt;
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
  std::vector<double> exact_metrics_;      // of the exact recipe, after each iteration
  double begun_ = 0;                       // when the budget began
  std::map<Precision, Candidates> found_;  // of precisions that all parts have
};

}  // namespace

PipelineTuning tune_pipelines(TrialRunner& runner, const PipelineTuneOptions& options) {
  return PipelineTuner(runner, options).run();
}

}  // namespace alsbench
