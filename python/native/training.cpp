// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/algorithms/algorithms.h"
#include "harness/data/side.h"
#include "harness/data/split.h"
#include "harness/device/device_selection.h"
#include "harness/model/model.h"
#include "harness/train/train.h"
#include "harness/tune/database/training_query.h"
#include "python/native/arrays.h"
#include "python/native/interrupts.h"
#include "python/native/module.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace alsbench::python {
namespace {

// What alsbench.ALS is made with; texts as the command line takes them.
struct TrainRequest {
  std::string feedback, algorithm;               // `algorithm` is empty: that of the feedback
  std::string hyper;                             // "alpha=40"
  std::map<std::string, std::string> pipelines;  // by part; "" for all parts
  bool tuned = true;
  std::string device{kAutoDevice};
  TrainOptions options;
};

struct Trained {
  Model model;
  std::string algorithm, metric, device;
  std::vector<std::pair<std::string, std::string>> pipelines;  // by part
  std::vector<std::string> iterations;                         // their JSON
  int kept_iteration = 0;
  bool stopped_early = false;
  int64_t failed_rows = 0;
  int64_t cells_in_both = 0;  // of test ratings, that are trained on as well
};

std::optional<std::string> named_pipeline(const TrainRequest& request, const std::string& part) {
  for (const std::string& name : {part, std::string()})
    if (const auto found = request.pipelines.find(name); found != request.pipelines.end())
      return found->second;
  return std::nullopt;
}

// The pipelines that the request names, and those of the tuning database.
void choose_pipelines(const TrainRequest& request, const RatingSet& set, const Team& team,
                      TrainOptions& options) {
  std::optional<TuningDatabase> database;
  const Algorithm& algorithm = *options.recipe.algorithm;
  for (const std::string& part : algorithm.parts) {
    if (const auto text = named_pipeline(request, part)) {
      options.recipe.pipelines[part] = algorithm.parse(part, *text, team.device().traits().backend);
      continue;
    }
    if (request.tuned && !database) database = TuningDatabase::load();
    const TunedQuery query = training_query(options, set, team, part);
    options.recipe.pipelines[part].steps =
        (request.tuned ? database->look_up(query) : default_of(query)).steps;
  }
}

ModelSide side_of(const TrainResult& result, const RatingSet& set, Side side) {
  const bool users = side == Side::x;
  const Csr& ratings = set.side(users);
  ModelSide model;
  for (const ModelMatrix& matrix : result.model)
    if (matrix.name == name_of(side))
      model.factors = {Array<float>(matrix.values), matrix.rows, matrix.rank};
  for (int64_t row = 0; row < ratings.rows; ++row)
    model.cold.push_back(ratings.offsets[row] == ratings.offsets[row + 1] ? 1 : 0);
  model.ids = users ? set.users : set.items;
  return model;
}

Trained trained(const TrainOptions& options, const RatingSet& set, const DeviceTraits& traits,
                const TrainResult& result) {
  const Algorithm& algorithm = *options.recipe.algorithm;
  Trained answer;
  answer.model.rank = options.rank;
  answer.model.prediction = {algorithm.feedback, cold_prediction(set, algorithm.feedback), {}, {}};
  answer.model.users = side_of(result, set, Side::x);
  answer.model.items = side_of(result, set, Side::theta);
  answer.algorithm = algorithm.name;
  answer.metric = algorithm.metric;
  answer.device = traits.name;
  for (const std::string& part : algorithm.parts)
    answer.pipelines.emplace_back(part, options.recipe.of(part).text());
  for (const IterationRecord& record : result.iterations)
    answer.iterations.push_back(to_json(record).dump());
  answer.kept_iteration = result.kept_iteration;
  answer.stopped_early = result.stopped_early;
  answer.failed_rows = result.failed_rows;
  answer.cells_in_both = cells_in_both(set.test, set.by_user);
  return answer;
}

// `progress` gets each iteration's JSON; what it raises ends the training.
Trained train_on(const TrainRequest& request, const Csr& ratings, const Csr* test,
                 const nb::object& progress) {
  const nb::gil_scoped_release released;
  const Algorithm& algorithm = request.algorithm.empty() ? algorithm_of_feedback(request.feedback)
                                                         : algorithm_named(request.algorithm);
  TrainOptions options = request.options;
  options.recipe = {&algorithm, parse_hyper(algorithm, request.hyper), {}};
  RatingSet set;
  set.by_user = ratings;
  set.test = test != nullptr ? *test : empty_csr(ratings.rows, ratings.cols);
  finish_set(set);
  const auto team = open_team(one_team(request.device));
  const DeviceTraits& traits = team->device().traits();
  choose_pipelines(request, set, *team, options);
  const auto tell = [&](const IterationRecord& record) {
    throw_interrupts();
    const nb::gil_scoped_acquire acquired;
    if (!progress.is_none()) progress(to_json(record).dump());
  };
  return trained(options, set, traits, train(*team, set, options, tell));
}

}  // namespace

void bind_training(nb::module_& module) {
  nb::class_<TrainRequest>(module, "TrainRequest")
      .def(nb::init<>())
      .def_rw("feedback", &TrainRequest::feedback)
      .def_rw("algorithm", &TrainRequest::algorithm)
      .def_rw("hyper", &TrainRequest::hyper)
      .def_rw("pipelines", &TrainRequest::pipelines)
      .def_rw("tuned", &TrainRequest::tuned)
      .def_rw("device", &TrainRequest::device)
      .def_prop_rw(
          "rank", [](const TrainRequest& request) { return request.options.rank; },
          [](TrainRequest& request, int32_t rank) { request.options.rank = rank; })
      .def_prop_rw(
          "regularization", [](const TrainRequest& request) { return request.options.lambda; },
          [](TrainRequest& request, float lambda) { request.options.lambda = lambda; })
      .def_prop_rw(
          "iterations", [](const TrainRequest& request) { return request.options.iterations; },
          [](TrainRequest& request, int iterations) { request.options.iterations = iterations; })
      .def_prop_rw(
          "seed", [](const TrainRequest& request) { return request.options.seed; },
          [](TrainRequest& request, uint64_t seed) { request.options.seed = seed; })
      .def_prop_rw(
          "keep_best",
          [](const TrainRequest& request) { return request.options.keep == Keep::best; },
          [](TrainRequest& request, bool best) {
            request.options.keep = best ? Keep::best : Keep::last;
          })
      .def_prop_rw(
          "early_stop", [](const TrainRequest& request) { return request.options.early_stop; },
          [](TrainRequest& request, int iterations) { request.options.early_stop = iterations; });
  nb::class_<Trained>(module, "Trained")
      .def_ro("model", &Trained::model)
      .def_ro("algorithm", &Trained::algorithm)
      .def_ro("metric", &Trained::metric)
      .def_ro("device", &Trained::device)
      .def_ro("pipelines", &Trained::pipelines)
      .def_ro("iterations", &Trained::iterations)
      .def_ro("kept_iteration", &Trained::kept_iteration)
      .def_ro("stopped_early", &Trained::stopped_early)
      .def_ro("failed_rows", &Trained::failed_rows)
      .def_ro("cells_in_both", &Trained::cells_in_both);
  module.def("train", train_on, "request"_a, "ratings"_a, "test"_a.none(), "progress"_a.none());
  module.def("feedback_of", [](const std::string& name) { return algorithm_named(name).feedback; });
}

}  // namespace alsbench::python
