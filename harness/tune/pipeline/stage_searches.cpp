// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/stage_searches.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "variants/als/stages.h"
#include "variants/catalog.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

// A first look at hermitian, the slowest stage, by the strategy alone. Where even the best of it
// takes this much longer than a whole pipeline without it, more looking will not make up for it.
constexpr int64_t kProbeEvaluations = 8;
constexpr double kHopeless = 1.5;

int64_t probe_evaluations(const PipelineTuneOptions& options) {
  return std::min(kProbeEvaluations, options.stage_evaluations);
}

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

StageSpace space_of(Stage stage, const Shape& shape, const DeviceTraits& traits) {
  const SpaceRequest request = space_request(stage, traits.backend);
  if (request.variants.empty()) return {stage, std::nullopt, "this backend has no variant of it"};
  try {
    return {stage, SearchSpace(request, shape, traits), ""};
  } catch (const UsageError& error) {  // every point objects
    return {stage, std::nullopt, error.what()};
  }
}

// Of each variant with each choice of storage types the point with the fewest settings that are not
// the default's: what decides accuracy is compared at like settings, whatever the strategy finds.
std::vector<size_t> plainest_of_each_precision(const SearchSpace& space) {
  std::map<std::tuple<std::string, Scalar, Scalar>, std::pair<int, size_t>> plainest;
  for (size_t point = 0; point < space.size(); ++point) {
    const auto& [variant, name, config, coordinates] = space[point];
    const std::pair candidate(settings_changed(*variant, config), point);
    const auto [entry, added] =
        plainest.try_emplace({name, factors_storage(config), matrices_storage(config)}, candidate);
    if (!added) entry->second = std::min(entry->second, candidate);
  }
  std::vector<size_t> points;
  for (const auto& [precision, found] : plainest) points.push_back(found.second);
  std::sort(points.begin(), points.end());
  return points;
}

TuneOptions tune_options(const PipelineTuneOptions& options, int64_t evaluations, double seconds) {
  TuneOptions tune;
  tune.strategy = options.strategy;
  tune.strategy_options.seed = options.seed;
  tune.strategy_options.budget_evaluations = evaluations;
  tune.budget.evaluations = evaluations;
  tune.budget.seconds = seconds;
  tune.sampling.bail_out = 1.5;
  tune.sampling.playoff_samples = 0;  // refinements and training runs decide
  return tune;
}

TuneOptions whole_search(const SearchSpace& space, const PipelineTuneOptions& options,
                         double seconds) {
  TuneOptions tune = tune_options(options, options.stage_evaluations, seconds);
  tune.first = plainest_of_each_precision(space);
  return tune;
}

class SideSearch {
 public:
  SideSearch(TrialRunner& lab, const std::string& part, const std::vector<StageSpace>& spaces,
             const PipelineTuneOptions& options, double seconds)
      : lab_(lab),
        part_(part),
        spaces_(spaces),
        options_(options),
        deadline_(lab.elapsed_seconds() + seconds) {}

  SearchedSide run() {
    search(&stages::update, 3);  // a pipeline by itself: more than its part
    search(&stages::normal_equations, 4);
    search(&stages::solve, 3);
    search_hermitian();
    return std::move(found_);
  }

 private:
  // Of what is left, an equal part for this and each of the stages after it.
  double share(int stages_left) const {
    return std::max(0.0, deadline_ - lab_.elapsed_seconds()) / stages_left;
  }

  void search(Stage stage, int stages_left) {
    if (const SearchSpace* space = searchable(stage))
      add(stage, *space, lab_.search(part_, *space, options_for(*space, stages_left), {}));
  }

  void search_hermitian() {
    const SearchSpace* space = searchable(&stages::hermitian);
    if (!space) return skip(&stages::bias, "needs hermitian");
    const int64_t probes = probe_evaluations(options_);
    TuneOptions probe = tune_options(options_, probes, share(2));
    TuningResult result = lab_.search(part_, *space, probe, {});
    const double whole = fastest_without_hermitian(found_.stages);
    if (result.found && result.best_seconds > kHopeless * whole) {
      skip(&stages::hermitian,
           fmt::format(
               "the best of {} points takes {:.3g} ms, a whole pipeline without it {:.3g} ms",
               result.evaluations, 1e3 * result.best_seconds, 1e3 * whole));
      found_.searches.back().result = std::move(result);
      return skip(&stages::bias, "needs hermitian");
    }
    if (options_.stage_evaluations > probes)
      result = lab_.search(part_, *space, options_for(*space, 2), result.points);
    add(&stages::hermitian, *space, std::move(result));
    search(&stages::bias, 1);
  }

  // Null, with the reason kept, where there is no space.
  const SearchSpace* searchable(Stage stage) {
    const auto found = std::find_if(spaces_.begin(), spaces_.end(),
                                    [&](const StageSpace& space) { return space.stage == stage; });
    if (found->space) return &*found->space;
    skip(stage, found->reason);
    return nullptr;
  }

  TuneOptions options_for(const SearchSpace& space, int stages_left) const {
    return whole_search(space, options_, share(stages_left));
  }

  void add(Stage stage, const SearchSpace& space, TuningResult result) {
    found_.stages[stage] = measured_steps(result, space);
    found_.searches.push_back(ended_search(lab_, part_, space, std::move(result)));
  }

  void skip(Stage stage, const std::string& reason) {
    lab_.say(fmt::format("{} {}: skipped: {}", part_, name_of(stage), reason));
    StageSearch search;
    search.part = part_;
    search.stage = stage;
    search.skipped = reason;
    found_.searches.push_back(std::move(search));
  }

  TrialRunner& lab_;
  const std::string part_;
  const std::vector<StageSpace>& spaces_;
  const PipelineTuneOptions& options_;
  const double deadline_;
  SearchedSide found_;
};

}  // namespace

std::vector<StageSpace> stage_spaces(const Shape& shape, const DeviceTraits& traits) {
  std::vector<StageSpace> spaces;
  for (const Stage stage : {&stages::update, &stages::normal_equations, &stages::solve,
                            &stages::hermitian, &stages::bias})
    spaces.push_back(space_of(stage, shape, traits));
  return spaces;
}

std::vector<MeasuredStep> measured_steps(const TuningResult& result, const SearchSpace& space) {
  std::vector<MeasuredStep> steps;
  for (const Evaluation& point : result.points)
    if (point.ok())
      steps.push_back({{space[point.point].variant, space[point.point].config}, point.median()});
  std::stable_sort(steps.begin(), steps.end(),
                   [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
  return steps;
}

StageSearch ended_search(TrialRunner& lab, const std::string& part, const SearchSpace& space,
                         TuningResult result) {
  StageSearch search;
  search.part = part;
  search.stage = space[0].variant->stage;
  if (result.found) {
    for (const size_t tied : result.tie_set) search.best.push_back(space[tied].text());
    if (search.best.empty()) search.best = {space[result.best].text()};
    lab.say(fmt::format("{} {}: {:.3f} ms, {} of {} points measured: {}", part,
                        name_of(search.stage), 1e3 * result.best_seconds, result.evaluations,
                        space.size(), search.best.front()));
  }
  for (const Evaluation& evaluation : result.points)
    if (!evaluation.ok()) {
      const SearchPoint& point = space[evaluation.point];
      search.faulty.push_back(text_of(PipelineStep{point.variant, point.config}));
    }
  search.result = std::move(result);
  return search;
}

void expect_searches(TrialRunner& lab, const std::string& part,
                     const std::vector<StageSpace>& spaces, const PipelineTuneOptions& options) {
  for (const StageSpace& space : spaces) {
    if (!space.space) continue;
    const TuneOptions first = space.stage == &stages::hermitian
                                  ? tune_options(options, probe_evaluations(options), 0)
                                  : whole_search(*space.space, options, 0);
    lab.expect(part, *space.space, first_points(*space.space, first));
  }
}

SearchedSide search_stages(TrialRunner& lab, const std::string& part,
                           const std::vector<StageSpace>& spaces,
                           const PipelineTuneOptions& options, double seconds) {
  return SideSearch(lab, part, spaces, options, seconds).run();
}

}  // namespace alsbench
