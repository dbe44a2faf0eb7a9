// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/algorithms/algorithms.h"
#include "harness/data/side.h"
#include "harness/data/split.h"
#include "harness/device/device_selection.h"
#include "harness/device/opening_team.h"
#include "harness/model/model.h"
#include "harness/model/ranking_metric.h"
#include "harness/train/memory_plan.h"
#include "harness/train/run_training.h"
#include "harness/train/trained_model.h"
#include "harness/tune/database/training_query.h"
#include "python/native/arrays.h"
#include "python/native/interrupts.h"
#include "python/native/module.h"
#include "python/native/working.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace alsbench::python {
namespace {

// Arguments of alsbench.ALS; texts as the command line takes them.
struct TrainRequest {
  std::string feedback, algorithm;               // `algorithm` is empty: that of the feedback
  std::string hyper;                             // "alpha=40"
  std::map<std::string, std::string> pipelines;  // by part; "" for all parts
  bool tuned = true;
  std::string device{kAutoDevice};
  TrainOptions options;
  std::shared_ptr<Checkpoint> start;     // factors to begin with; none: the algorithm's own
  std::shared_ptr<OpeningTeam> opening;  // where the device opens ahead of the training
};

using Factors = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

ModelMatrix matrix_of(Side side, const Factors& factors) {
  return {std::string(name_of(side)),
          {factors.data(), factors.data() + factors.size()},
          static_cast<int64_t>(factors.shape(0)),
          static_cast<int64_t>(factors.shape(1))};
}

struct Trained {
  Model model;
  TrainingRecord record;
  std::string device;
  int kept_iteration = 0;
  bool stopped_early = false;
  int64_t cells_in_both = 0;  // of test ratings, that are trained on as well
  std::string search;         // the search's JSON; empty without one
};

// Arguments of alsbench.search.
struct ValueSearch {
  // Each with its values and the training with these.
  std::vector<std::pair<SearchedValues, TrainRequest>> candidates;
  int seeds = 1;
  std::optional<std::string> by;   // of rankings; none: the test metric
  std::optional<double> relevant;  // of rankings
};

Trained trained(FinishedTraining training, const RatingSet& set, const DeviceTraits& traits) {
  Trained answer;
  answer.model = model_of(training.options, set, std::move(training.result.model));
  answer.model.source = "alsbench.ALS";
  answer.record = record_of(training);
  answer.device = traits.name;
  answer.kept_iteration = training.result.kept_iteration;
  answer.stopped_early = training.result.stopped_early;
  answer.cells_in_both = cells_in_both(set.test, set.by_user);
  if (training.search) answer.search = to_json(record_of(*training.search)).dump();
  return answer;
}

// Calls `progress`, where there is one, with each iteration's JSON. What it raises and Ctrl-C end
// the training.
class Listener : public TrainingObserver {
 public:
  explicit Listener(const nb::object& progress) : progress_(progress) {}
  void iterated(const IterationRecord& iteration) override {
    throw_interrupts();
    const nb::gil_scoped_acquire acquired;
    if (!progress_.is_none()) progress_(to_json(iteration).dump());
  }
  void trial_trained(const TrainOptions& /*options*/, double /*metric*/) override {
    throw_interrupts();
  }

 private:
  const nb::object& progress_;
};

TrainOptions options_of(const TrainRequest& request, Backend backend) {
  const Algorithm& algorithm = request.algorithm.empty() ? algorithm_of_feedback(request.feedback)
                                                         : algorithm_named(request.algorithm);
  TrainOptions options = request.options;
  const Recipe begun{&algorithm, parse_hyper(algorithm, request.hyper), {}};
  options.recipe = named_recipe(begun, request.pipelines, [backend] { return backend; });
  return options;
}

// The device opens from now on, while Python checks and converts ratings.
void open_ahead(TrainRequest& request) {
  if (request.opening || !OpeningTeam::is_ahead(request.device)) return;
  const Working working;
  auto counted = std::make_shared<BackgroundWork>();
  request.opening =
      std::make_shared<OpeningTeam>(request.device, [counted](const std::string& text) mutable {
        const auto until_open = std::move(counted);
        return open_chosen_team(text);
      });
}

std::shared_ptr<OpeningTeam> opening_of(const TrainRequest& request) {
  return request.opening ? request.opening
                         : std::make_shared<OpeningTeam>(request.device, open_chosen_team);
}

ChoosePipelines chooser(const TrainRequest& request) {
  return request.tuned ? choose_tuned() : choose_defaults();
}

// The ratings to train on, which may lack a test.
RatingSet set_of(const Csr& ratings, const Csr* test) {
  RatingSet set;
  set.by_user = ratings;
  set.test = test != nullptr ? *test : empty_csr(ratings.rows, ratings.cols);
  finish_set(set);
  return set;
}

// The ratings to train on and to judge by.
struct TrainedCells {
  const Csr* ratings = nullptr;
  const Csr* test = nullptr;  // or none
};

Trained train_on(const TrainRequest& request, OpeningTeam& opening, const TrainedCells& cells,
                 SearchRequest search, const nb::object& progress) {
  const RatingSet set = set_of(*cells.ratings, cells.test);
  Team& team = opening.get();
  const DeviceTraits& traits = team.device().traits();
  TrainingRequest training{.options = options_of(request, traits.backend),
                           .choose = chooser(request),
                           .search = std::move(search)};
  training.options.resume = request.start.get();
  Listener listener(progress);
  return trained(run_training({team, set}, training, listener).value(), set, traits);
}

Trained train_alone(const TrainRequest& request, const Csr& ratings, const Csr* test,
                    const nb::object& progress) {
  const Working working;
  return train_on(request, *opening_of(request), {&ratings, test}, {}, progress);
}

MemoryPlan planned(const TrainRequest& request, const Csr& ratings, const Csr* test) {
  const Working working;
  const auto opening = opening_of(request);
  const RatingSet set = set_of(ratings, test);
  Team& team = opening->get();
  return plan_memory({team, set}, options_of(request, team.device().traits().backend),
                     chooser(request));
}

// Candidates differ in their values alone, so one device opens for all.
Trained train_best(const ValueSearch& asked, const Csr& ratings, const Csr& test,
                   const nb::object& progress) {
  const Working working;
  SearchRequest search;
  search.seeds = asked.seeds;
  if (asked.by) search.ranking = SearchRanking{ranking_metric("by", *asked.by), asked.relevant};
  const TrainRequest& first = asked.candidates.at(0).second;
  const auto opening = opening_of(first);
  const Backend backend = opening->get().device().traits().backend;
  for (const auto& [values, request] : asked.candidates)
    search.candidates.push_back({values, options_of(request, backend)});
  return train_on(first, *opening, {&ratings, &test}, std::move(search), progress);
}

std::map<std::string, std::string> pipelines_of(const Trained& trained) {
  std::map<std::string, std::string> texts;
  for (const PipelineRecord& pipeline : trained.record.pipelines)
    texts[pipeline.part] = text_of(pipeline.steps);
  return texts;
}

std::vector<std::pair<std::string, int64_t>> parts_of(const std::vector<MemoryPart>& parts) {
  std::vector<std::pair<std::string, int64_t>> pairs;
  for (const MemoryPart& part : parts) pairs.emplace_back(part.name, part.bytes);
  return pairs;
}

std::vector<std::string> iterations_of(const Trained& trained) {
  std::vector<std::string> texts;
  for (const IterationRecord& iteration : trained.record.first().iterations)
    texts.push_back(to_json(iteration).dump());
  return texts;
}

void bind_request(nb::module_& module) {
  nb::class_<TrainRequest>(module, "TrainRequest")
      .def(nb::init<>())
      .def_rw("feedback", &TrainRequest::feedback)
      .def_rw("algorithm", &TrainRequest::algorithm)
      .def_rw("hyper", &TrainRequest::hyper)
      .def_rw("pipelines", &TrainRequest::pipelines)
      .def_rw("tuned", &TrainRequest::tuned)
      .def_prop_rw(
          "device", [](const TrainRequest& request) { return request.device; },
          [](TrainRequest& request, const std::string& device) {
            if (device != request.device) request.opening.reset();
            request.device = device;
          })
      .def("open_ahead", open_ahead)
      .def_prop_ro("opens_ahead",
                   [](const TrainRequest& request) { return request.opening != nullptr; })
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
      .def("start_from",
           [](TrainRequest& request, const Factors& users, const Factors& items) {
             request.start = std::make_shared<Checkpoint>();
             request.start->model.push_back(matrix_of(Side::x, users));
             request.start->model.push_back(matrix_of(Side::theta, items));
           })
      // Whether every iteration is judged, and not the last alone.
      .def_prop_rw(
          "judges_all",
          [](const TrainRequest& request) { return request.options.evaluation.each.has_value(); },
          [](TrainRequest& request, bool all) {
            request.options.evaluation.each =
                all ? std::optional(EvaluatedRatings::all) : std::nullopt;
          })
      .def_prop_rw(
          "early_stop", [](const TrainRequest& request) { return request.options.early_stop; },
          [](TrainRequest& request, int iterations) { request.options.early_stop = iterations; });
}

}  // namespace

void bind_training(nb::module_& module) {
  bind_request(module);
  nb::class_<Trained>(module, "Trained")
      .def_ro("model", &Trained::model)
      .def_prop_ro("algorithm", [](const Trained& trained) { return trained.record.algorithm; })
      .def_prop_ro("metric", [](const Trained& trained) { return trained.record.metric; })
      .def_ro("device", &Trained::device)
      .def_prop_ro("pipelines", pipelines_of)    // their text by part
      .def_prop_ro("iterations", iterations_of)  // their JSON
      .def_ro("kept_iteration", &Trained::kept_iteration)
      .def_ro("stopped_early", &Trained::stopped_early)
      .def_prop_ro(
          "failed_rows",
          [](const Trained& trained) { return trained.record.first().result->failed_rows; })
      .def_ro("cells_in_both", &Trained::cells_in_both)
      .def_ro("search", &Trained::search);
  module.def("train", train_alone, "request"_a, "ratings"_a, "test"_a.none(), "progress"_a.none());
  nb::class_<ValueSearch>(module, "ValueSearch")
      .def(nb::init<>())
      .def_rw("candidates", &ValueSearch::candidates)
      .def_rw("seeds", &ValueSearch::seeds)
      .def_rw("by", &ValueSearch::by)
      .def_rw("relevant", &ValueSearch::relevant);
  module.def("search", train_best, "asked"_a, "ratings"_a, "test"_a, "progress"_a.none());
  nb::class_<MemoryPlan>(module, "MemoryPlan")
      .def_ro("device", &MemoryPlan::device)
      .def_ro("on_host", &MemoryPlan::on_host)
      .def_ro("free_bytes", &MemoryPlan::free_bytes)
      .def_ro("device_bytes", &MemoryPlan::device_bytes)
      .def_prop_ro("on_device", [](const MemoryPlan& plan) { return parts_of(plan.on_device); })
      .def_prop_ro("host", [](const MemoryPlan& plan) { return parts_of(plan.host); })
      .def_ro("fits", &MemoryPlan::fits)
      .def_ro("streams", &MemoryPlan::streams)
      .def_ro("largest_rank", &MemoryPlan::largest_rank);
  module.def("plan", planned, "request"_a, "ratings"_a, "test"_a.none());
  module.def("feedback_of", [](const std::string& name) { return algorithm_named(name).feedback; });
}

}  // namespace alsbench::python
