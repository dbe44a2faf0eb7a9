// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/stage_searches.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/error.h"
#include "variants/catalog.h"
#include "variants/default_pipeline.h"

namespace alsbench {
namespace {

PipelineStep step_at(const SearchSpace& space, size_t point) {
  return {space[point].variant, space[point].config};
}

// The longest form keeps most in memory and is seldom the fastest. Its first stage gets a look at
// one point, then at more. If the best point found takes `hopeless` times as long as a whole
// pipeline of another form, the rest of the form is left out: few points must be far off.
struct Look {
  int64_t evaluations;
  double hopeless;
};
constexpr Look kLooks[]{{1, 8.0}, {2, 2.5}, {8, 1.5}};
constexpr size_t kAnnouncedLooks = 2;

int64_t evaluations_of(const Look& look, const PipelineTuneOptions& options) {
  return std::min(look.evaluations, options.stage_evaluations);
}

// Every variant of the stage that is not hidden. Accuracy stays at its default: it costs time in
// proportion, and the accuracy gate chooses it.
SpaceRequest space_request(Stage stage, Backend backend) {
  SpaceRequest request;
  for (const Variant& variant : catalog())
    if (variant.stage == stage && variant.backend == backend && !variant.hidden)
      request.variants.push_back(&variant);
  for (const Variant* variant : request.variants)
    for (const Parameter& parameter : variant->space.parameters()) {
      const auto known = [&](const Axis& axis) { return axis.name == parameter.name; };
      const bool held = parameter.effect == Effect::accuracy;
      if (held && std::ranges::none_of(request.axes, known))
        request.axes.push_back({parameter.name, {parameter.values.front().text}});
    }
  return request;
}

StageSpace space_of(Stage stage, const Shape& shape, const DeviceTraits& traits) {
  const SpaceRequest request = space_request(stage, traits.backend);
  if (request.variants.empty()) return {stage, std::nullopt, "this backend has no variant of it"};
  try {
    StageSpace found{stage, SearchSpace(request, shape, traits), ""};
    const PipelineStep step =
        as_searched(default_step(std::string(name_of(stage)), shape, traits).steps.front());
    for (size_t point = 0; point < found.space->size(); ++point)
      if ((*found.space)[point].variant == step.variant &&
          (*found.space)[point].config == step.config)
        found.default_point = point;
    return found;
  } catch (const UsageError& error) {  // every point objects
    return {stage, std::nullopt, error.what()};
  }
}

// Of each variant with each choice of storage types the point with the fewest settings that are not
// the default's: what decides accuracy is compared at like settings, whatever the strategy finds.
std::vector<size_t> simplest_of_each_precision(const SearchSpace& space) {
  std::map<std::pair<std::string, Storage>, std::pair<int, size_t>> simplest;
  for (size_t point = 0; point < space.size(); ++point) {
    const auto& [variant, name, config, coordinates] = space[point];
    const std::pair candidate(parameters_changed(*variant, config), point);
    const auto [entry, added] =
        simplest.try_emplace({name, storage_of(*variant, config)}, candidate);
    if (!added) entry->second = std::min(entry->second, candidate);
  }
  std::vector<size_t> points;
  for (const auto& [precision, found] : simplest) points.push_back(found.second);
  std::ranges::sort(points);
  return points;
}

TuneOptions tune_options(const PipelineTuneOptions& options, int64_t evaluations, double seconds) {
  TuneOptions tune;
  tune.strategy = options.strategy;
  tune.strategy_options.seed = options.seed;
  tune.budget.evaluations = evaluations;
  tune.budget.seconds = seconds;
  tune.sampling.bail_out = 1.5;
  tune.sampling.playoff_samples = 0;  // refinements and training runs decide
  return tune;
}

TuneOptions whole_search(const StageSpace& space, const PipelineTuneOptions& options,
                         double seconds) {
  TuneOptions tune = tune_options(options, options.stage_evaluations, seconds);
  tune.first = simplest_of_each_precision(*space.space);
  const auto known = std::ranges::find(tune.first, space.default_point);
  if (space.default_point && known == tune.first.end()) tune.first.push_back(*space.default_point);
  return tune;
}

// The stages of a grammar in the order of their searches: form by form.
std::vector<Stage> stages_of(const PipelineGrammar& grammar) {
  std::vector<Stage> stages;
  for (const std::vector<Stage>& form : grammar.forms)
    for (const Stage stage : form)
      if (std::ranges::find(stages, stage) == stages.end()) stages.push_back(stage);
  return stages;
}

// The stage that is looked at first, before more of its form is searched; null where a grammar has
// one form alone.
Stage probed_stage(const PipelineGrammar& grammar) {
  return grammar.forms.size() > 1 ? grammar.forms.back().front() : nullptr;
}

class PartSearch {
 public:
  PartSearch(TrialRunner& runner, const std::string& part, const std::vector<StageSpace>& spaces,
             const PipelineTuneOptions& options, double seconds)
      : runner_(runner),
        grammar_(runner.algorithm().pipelines(part)),
        part_(part),
        spaces_(spaces),
        options_(options),
        deadline_(runner.elapsed_seconds() + seconds) {}

  SearchedPart run() {
    const Stage probed = probed_stage(grammar_);
    std::string reason;  // why the rest of the probed stage's form is left out
    for (size_t i = 0; i < spaces_.size(); ++i) {
      const StageSpace& space = spaces_[i];
      if (!reason.empty())
        skip(space.stage, reason);
      else if (space.stage == probed)
        reason = probe(space, shares_left(i)) ? "" : fmt::format("needs {}", name_of(probed));
      else if (searchable(space))
        add(space, search(space, shares_left(i), {}));
    }
    return std::move(found_);
  }

 private:
  // Stages that share what is left of the time, this one among them. One that is a pipeline by
  // itself has more than its part.
  int shares_left(size_t place) const {
    const std::vector<Stage> alone{spaces_[place].stage};
    const int stages = static_cast<int>(spaces_.size());
    const bool whole = stages > 1 && std::ranges::count(grammar_.forms, alone);
    return whole ? (stages + 1) / 2 : stages - static_cast<int>(place);
  }

  double share(int shares) const {
    return std::max(0.0, deadline_ - runner_.elapsed_seconds()) / shares;
  }

  TuningResult search(const StageSpace& space, int shares, const std::vector<Evaluation>& known) {
    return runner_.search(part_, *space.space, whole_search(space, options_, share(shares)), known);
  }

  // Whether the stage is worth more than a look; then it is searched.
  bool probe(const StageSpace& space, int shares) {
    if (!searchable(space)) return false;
    const double whole = fastest_without(space.stage, grammar_, found_.stages);
    TuningResult result;
    for (const Look& look : kLooks) {
      result = runner_.search(part_, *space.space,
                              tune_options(options_, evaluations_of(look, options_), share(shares)),
                              result.points);
      if (!result.found || result.best_seconds <= look.hopeless * whole) continue;
      skip(space.stage,
           fmt::format(
               "the best of {} points takes {:.3g} ms, a whole pipeline without it {:.3g} ms",
               result.points.size(), 1e3 * result.best_seconds, 1e3 * whole));
      found_.searches.back().result = std::move(result);
      return false;
    }
    if (options_.stage_evaluations > std::end(kLooks)[-1].evaluations)
      result = search(space, shares, result.points);
    add(space, std::move(result));
    return true;
  }

  // False, with the reason kept, where there is no space.
  bool searchable(const StageSpace& space) {
    if (!space.space) skip(space.stage, space.reason);
    return space.space.has_value();
  }

  void add(const StageSpace& space, TuningResult result) {
    found_.stages[space.stage] = measured_steps(result, *space.space);
    found_.searches.push_back(ended_search(runner_, part_, *space.space, std::move(result)));
  }

  void skip(Stage stage, const std::string& reason) {
    runner_.say(fmt::format("{} {}: skipped: {}", part_, name_of(stage), reason));
    StageSearch search;
    search.part = part_;
    search.stage = stage;
    search.skipped = reason;
    found_.searches.push_back(std::move(search));
  }

  TrialRunner& runner_;
  const PipelineGrammar& grammar_;
  const std::string part_;
  const std::vector<StageSpace>& spaces_;
  const PipelineTuneOptions& options_;
  const double deadline_;
  SearchedPart found_;
};

}  // namespace

std::vector<StageSpace> stage_spaces(const PipelineGrammar& grammar, const Shape& shape,
                                     const DeviceTraits& traits) {
  std::vector<StageSpace> spaces;
  for (const Stage stage : stages_of(grammar)) spaces.push_back(space_of(stage, shape, traits));
  return spaces;
}

std::vector<MeasuredStep> measured_steps(const TuningResult& result, const SearchSpace& space) {
  std::vector<MeasuredStep> steps;
  for (const Evaluation& point : result.points)
    if (point.ok()) steps.push_back({step_at(space, point.point), point.median()});
  std::ranges::stable_sort(steps, {}, &MeasuredStep::seconds);
  return steps;
}

StageSearch ended_search(TrialRunner& runner, const std::string& part, const SearchSpace& space,
                         TuningResult result) {
  StageSearch search;
  search.part = part;
  search.stage = space[0].variant->stage;
  if (result.found) {
    for (const size_t tied : result.tie_set) search.best.push_back(step_at(space, tied));
    if (search.best.empty()) search.best = {step_at(space, result.best)};
    runner.say(fmt::format("{} {}: {:.3f} ms, {} of {} points measured: {}", part,
                           name_of(search.stage), 1e3 * result.best_seconds, result.evaluations,
                           space.size(), space[result.best].text()));
  }
  for (const Evaluation& evaluation : result.points)
    if (!evaluation.ok()) search.faulty.push_back(text_of(step_at(space, evaluation.point)));
  search.result = std::move(result);
  return search;
}

PipelineStep as_searched(PipelineStep step) {
  for (const Parameter& parameter : step.variant->space.parameters())
    if (parameter.effect == Effect::accuracy)
      step.config = step.config.with(parameter.name, parameter.values.front().text);
  return step;
}

void expect_searches(TrialRunner& runner, const std::string& part,
                     const std::vector<StageSpace>& spaces, const PipelineTuneOptions& options) {
  const Stage probed = probed_stage(runner.algorithm().pipelines(part));
  const int64_t announced = evaluations_of(kLooks[kAnnouncedLooks - 1], options);
  for (const StageSpace& space : spaces) {
    if (!space.space) continue;
    const TuneOptions first = space.stage == probed ? tune_options(options, announced, 0)
                                                    : whole_search(space, options, 0);
    runner.expect(part, *space.space, first_points(*space.space, first));
  }
}

SearchedPart search_stages(TrialRunner& runner, const std::string& part,
                           const std::vector<StageSpace>& spaces,
                           const PipelineTuneOptions& options, double seconds) {
  return PartSearch(runner, part, spaces, options, seconds).run();
}

}  // namespace alsbench
