#include "harness/tune/stage_searches.h"

#include <fmt/format.h>

#include <algorithm>

#include "variants/catalog.h"
#include "variants/error.h"

namespace alsbench {
namespace {

// A first look at hermitian, the slowest stage. Where even the best of it takes this much longer
// than a whole pipeline without it, more looking will not make up for it.
constexpr int64_t kProbeEvaluations = 8;
constexpr double kHopeless = 1.5;

// Every variant of the stage that is not hidden. What decides how far CG gets (steps, tolerance, a
// warm start) stays at its default: steps cost time in proportion, and the accuracy gate chooses
// them.
SpaceRequest space_request(Stage stage, Backend backend) {
  SpaceRequest request;
  for (const Variant& variant : catalog())
    if (variant.stage == stage && variant.backend == backend && !variant.hidden)
      request.variants.push_back(&variant);
  for (const Variant* variant : request.variants)
    for (const Parameter& parameter : variant->space.parameters()) {
      const auto known = [&](const Axis& axis) { return axis.name == parameter.name; };
      const bool of_cg = parameter.open || parameter.name == "warm";
      if (of_cg && std::none_of(request.axes.begin(), request.axes.end(), known))
        request.axes.push_back({parameter.name, {parameter.values.front().text}});
    }
  return request;
}

// The space of a stage, or why there is none.
struct StageSpace {
  std::optional<SearchSpace> space;
  std::string reason;
};

StageSpace space_of(Stage stage, const Shape& shape, const DeviceTraits& traits) {
  const SpaceRequest request = space_request(stage, traits.backend);
  if (request.variants.empty()) return {std::nullopt, "this backend has no variant of it"};
  try {
    return {SearchSpace(request, shape, traits), ""};
  } catch (const UsageError& error) {  // every point objects
    return {std::nullopt, error.what()};
  }
}

class SideSearch {
 public:
  SideSearch(PipelineLab& lab, Side side, const PipelineTuneOptions& options, double seconds)
      : lab_(lab), side_(side), options_(options), deadline_(lab.elapsed_seconds() + seconds) {}

  SearchedSide run() {
    search(Stage::update, 5);
    search(Stage::normal_equations, 4);
    search(Stage::solve, 3);
    search_hermitian();
    return std::move(found_);
  }

 private:
  // Of what is left, an equal part for this and each of the stages after it.
  double share(int stages_left) const {
    return std::max(0.0, deadline_ - lab_.elapsed_seconds()) / stages_left;
  }

  void search(Stage stage, int stages_left) {
    if (const auto space = searchable(stage))
      add(stage, *space, run_search(*space, options_.stage_evaluations, share(stages_left), {}));
  }

  void search_hermitian() {
    const auto space = searchable(Stage::hermitian);
    if (!space) return skip(Stage::bias, "needs hermitian");
    const int64_t probes = std::min(kProbeEvaluations, options_.stage_evaluations);
    TuningResult result = run_search(*space, probes, share(2), {});
    const double whole = fastest_without_hermitian(found_.stages);
    if (result.found && result.best_seconds > kHopeless * whole) {
      skip(Stage::hermitian,
           fmt::format(
               "the best of {} points takes {:.3g} ms, a whole pipeline without it {:.3g} ms",
               result.evaluations, 1e3 * result.best_seconds, 1e3 * whole));
      found_.searches.back().result = std::move(result);
      return skip(Stage::bias, "needs hermitian");
    }
    if (options_.stage_evaluations > probes)
      result = run_search(*space, options_.stage_evaluations, share(2), result.points);
    add(Stage::hermitian, *space, std::move(result));
    search(Stage::bias, 1);
  }

  std::optional<SearchSpace> searchable(Stage stage) {
    StageSpace found = space_of(stage, lab_.shape(side_), lab_.traits());
    if (!found.space) skip(stage, found.reason);
    return std::move(found.space);
  }

  TuningResult run_search(const SearchSpace& space, int64_t evaluations, double seconds,
                          const std::vector<Evaluation>& known) {
    TuneOptions tune;
    tune.strategy = options_.strategy;
    tune.strategy_options.seed = options_.seed;
    tune.strategy_options.budget_evaluations = evaluations;
    tune.budget.evaluations = evaluations;
    tune.budget.seconds = seconds;
    // Estimates do: the playoff is between whole pipelines.
    tune.sampling.estimate_samples = 2;
    tune.sampling.contender_samples = 3;
    tune.sampling.bail_out = 1.5;
    tune.sampling.playoff_samples = 0;
    return lab_.search(side_, space, tune, known);
  }

  void add(Stage stage, const SearchSpace& space, TuningResult result) {
    StageSearch search;
    search.side = side_;
    search.stage = stage;
    std::vector<MeasuredStep>& steps = found_.stages[stage];
    for (const Evaluation& point : result.points)
      if (point.ok())
        steps.push_back({{space[point.point].variant, space[point.point].config}, point.median()});
    std::stable_sort(steps.begin(), steps.end(),
                     [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
    if (result.found) {
      for (const size_t tied : result.tie_set) search.best.push_back(space[tied].text());
      if (search.best.empty()) search.best = {space[result.best].text()};
      lab_.say(fmt::format("{} {}: {:.3f} ms, {} of {} points measured: {}", name_of(side_),
                           name_of(stage), 1e3 * result.best_seconds, result.evaluations,
                           space.size(), search.best.front()));
    }
    search.result = std::move(result);
    found_.searches.push_back(std::move(search));
  }

  void skip(Stage stage, const std::string& reason) {
    lab_.say(fmt::format("{} {}: skipped: {}", name_of(side_), name_of(stage), reason));
    StageSearch search;
    search.side = side_;
    search.stage = stage;
    search.skipped = reason;
    found_.searches.push_back(std::move(search));
  }

  PipelineLab& lab_;
  const Side side_;
  const PipelineTuneOptions& options_;
  const double deadline_;
  SearchedSide found_;
};

}  // namespace

std::vector<StagePlan> plan_stages(const Shape& shape, const DeviceTraits& traits,
                                   const PipelineTuneOptions& options) {
  std::vector<StagePlan> plans;
  for (const Stage stage :
       {Stage::update, Stage::normal_equations, Stage::solve, Stage::hermitian, Stage::bias}) {
    const StageSpace found = space_of(stage, shape, traits);
    StagePlan plan;
    plan.stage = stage;
    plan.reason = found.reason;
    if (found.space) {
      plan.points = found.space->total();
      plan.valid = static_cast<int64_t>(found.space->size());
      plan.evaluations = std::min(plan.valid, options.stage_evaluations);
    }
    plans.push_back(std::move(plan));
  }
  return plans;
}

SearchedSide search_stages(PipelineLab& lab, Side side, const PipelineTuneOptions& options,
                           double seconds) {
  return SideSearch(lab, side, options, seconds).run();
}

}  // namespace alsbench
