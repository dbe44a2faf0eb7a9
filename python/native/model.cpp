// SPDX-License-Identifier: Apache-2.0
#include "harness/model/model.h"

#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "harness/algorithms/algorithms.h"
#include "harness/algorithms/fold_in.h"
#include "harness/data/array_builder.h"
#include "harness/device/device.h"
#include "harness/device/device_selection.h"
#include "harness/model/evaluation.h"
#include "harness/model/recommender.h"
#include "harness/model/save_model.h"
#include "python/native/arrays.h"
#include "python/native/interrupts.h"
#include "python/native/module.h"
#include "python/native/working.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace alsbench::python {
namespace {

// A device that several threads may ask, one at a time: the first that `text` names. `threads`:
// those of a CPU; 0: all.
class AskedDevice {
 public:
  AskedDevice(const std::string& text, int threads) {
    const std::string name = team_members(one_team(text)).front();
    device_ = name == "cpu" && threads > 0 ? open_cpu_device(threads) : open_device(name);
  }

  // Calls ask(Device&), while no other thread has the device.
  template <typename Ask>
  auto with(const Ask& ask) {
    const std::lock_guard lock(mutex_);
    device_->use();
    return ask(*device_);
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<Device> device_;
};

using Factors = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// numpy's elements, which live as long as the matrix.
NpyMatrix matrix_of(const Factors& factors) {
  auto owner = std::make_shared<const Factors>(factors);
  const std::span<const float> values(owner->data(), owner->size());
  return {Array<float>(values, owner), static_cast<int64_t>(factors.shape(0)),
          static_cast<int64_t>(factors.shape(1))};
}

ModelSide side_of(const Factors& factors, const Vector<uint8_t>& cold) {
  ModelSide side;
  side.factors = matrix_of(factors);
  side.cold.assign(cold.data(), cold.data() + cold.size());
  return side;
}

// NOLINTNEXTLINE(readability-function-size): Python's keyword arguments
void init_model(Model* place, const ModelSide& users, const ModelSide& items,
                const std::string& feedback, double cold, bool has_biases) {
  for (const ModelSide* side : {&users, &items})
    if (side->factors.cols != users.factors.cols ||
        static_cast<int64_t>(side->cold.size()) != side->rows())
      throw UsageError(fmt::format(
          "factors of {} x {} with {} marks of cold rows are no side of a model of rank {}",
          side->rows(), side->factors.cols, side->cold.size(), users.factors.cols));
  auto* const model = new (place) Model();
  model->rank = users.factors.cols;
  model->has_biases = has_biases;
  model->prediction.feedback = feedback;
  model->prediction.cold = cold;
  model->users = users;
  model->items = items;
}

nb::object factors_of(const ModelSide& side) {
  return numpy_of(side.factors.values,
                  {static_cast<size_t>(side.rows()), static_cast<size_t>(side.factors.cols)});
}

// A recommender of a device that several threads may ask.
class AskedRecommender {
 public:
  AskedRecommender(AskedDevice& asked, const ModelSide& items) : asked_(&asked) {
    asked.with([&](Device& device) { recommender_.emplace(device, items); });
  }

  void recommend(const Askers& askers, const Seen& seen, int k, const Recommender::Visit& visit) {
    asked_->with([&](Device&) { recommender_->recommend(askers, seen, k, visit); });
  }

 private:
  AskedDevice* asked_;
  std::optional<Recommender> recommender_;
};

nb::object folded_in(const FoldIn& fold_in, AskedDevice& asked, const Csr& ratings) {
  std::vector<float> rows;
  {
    const Working working;
    rows = asked.with([&](Device& device) { return fold_in.rows(device, ratings); });
  }
  const auto count = static_cast<size_t>(ratings.rows), rank = rows.size() / count;
  return numpy_of(Array<float>(std::move(rows)), {count, rank});
}

// Of what a user rated: the score, what no rating adds to, and the part of each rating.
nb::tuple explained(const FoldIn& fold_in, const Csr& ratings, int64_t item) {
  Explanation found;
  {
    const Working working;
    found = fold_in.equations().explain({ratings.indices.span(), ratings.values.span()}, item);
  }
  return nb::make_tuple(found.score, found.base, numpy_of(std::move(found.parts)));
}

// The best items of each of `rows` of the askers and their scores, rows x k; -1 and minus infinity
// where fewer than k are left, and for cold rows. `seen`: ratings of rows[i] in row i.
// NOLINTNEXTLINE(readability-function-size): Python's keyword arguments
nb::tuple best_of(AskedRecommender& recommender, const ModelSide& askers,
                  const Vector<int32_t>& rows, const Csr* seen, const Vector<int32_t>& without,
                  int k) {
  const size_t count = rows.size(), width = static_cast<size_t>(k);
  ArrayBuilder<int32_t> items(static_cast<int64_t>(count * width));
  ArrayBuilder<float> scores(items.size());
  {
    const Working working;
    std::fill_n(items.data(), items.size(), -1);
    std::fill_n(scores.data(), scores.size(), -std::numeric_limits<float>::infinity());
    std::vector<int32_t> warm, places;
    for (size_t i = 0; i < count; ++i) {
      if (askers.is_cold(rows.data()[i])) continue;
      warm.push_back(rows.data()[i]);
      places.push_back(static_cast<int32_t>(i));
    }
    const auto copy = [&](const Recommender::Found& found) {
      for (size_t i = 0; i < found.users; ++i) {
        const int64_t at = places[found.begin + i] * static_cast<int64_t>(width);
        std::ranges::copy(found.items(i), items.data() + at);
        std::ranges::copy(found.scores(i), scores.data() + at);
      }
      throw_interrupts();
    };
    recommender.recommend({&askers, warm}, {seen, places, {without.data(), without.size()}}, k,
                          copy);
  }
  return nb::make_tuple(numpy_of(items.freeze(), {count, width}),
                        numpy_of(scores.freeze(), {count, width}));
}

nb::object predictions_of(const Model& model, const Vector<int32_t>& users,
                          const Vector<int32_t>& items) {
  std::vector<float> values(users.size());
  {
    const Working working;
    const auto count = static_cast<int64_t>(values.size());
#pragma omp parallel for schedule(static)  // cannot throw
    for (int64_t i = 0; i < count; ++i)
      values[static_cast<size_t>(i)] =
          static_cast<float>(model.predict(users.data()[i], items.data()[i]));
  }
  return numpy_of(std::move(values));
}

// A ranking, and why nobody is ranked; empty where somebody is.
struct ReasonedRanking {
  Ranking ranking;
  std::string reason;
};

// NOLINTNEXTLINE(readability-function-size): Python's keyword arguments
ReasonedRanking ranking(const Model& model, AskedDevice& asked, const Csr& test, const Csr& seen,
                        int k, std::optional<double> relevant) {
  const RankingRequest request = ranking_request(model.prediction.feedback, k, relevant);
  const Ranking found =
      asked.with([&](Device& device) { return ranking_of(device, model, test, seen, request); });
  return {found, found.users == 0 ? reason_of_no_ranking(found, test, request) : ""};
}

using Ids = std::vector<std::string>;

// `ids`: of the users, and of the items.
// NOLINTNEXTLINE(readability-function-size): Python's keyword arguments
void save(const Model& model, const std::filesystem::path& folder, const std::string& source,
          const ModelObjective* objective, const std::pair<Ids, Ids>& ids) {
  Model saved = model;
  saved.source = source;
  if (objective != nullptr) saved.objective = *objective;
  saved.users.ids = ids.first;
  saved.items.ids = ids.second;
  save_model(saved, folder);
}

void bind_evaluation(nb::module_& module) {
  nb::class_<Accuracy>(module, "Accuracy")
      .def_ro("ratings", &Accuracy::ratings)
      .def_ro("cold", &Accuracy::cold)
      .def_ro("rmse", &Accuracy::rmse)
      .def_ro("mae", &Accuracy::mae);
  nb::class_<Ranking>(module, "Ranking")
      .def_ro("users", &Ranking::users)
      .def_ro("cold_users", &Ranking::cold_users)
      .def_ro("seen", &Ranking::seen)
      .def_ro("precision", &Ranking::precision)
      .def_ro("recall", &Ranking::recall)
      .def_ro("ndcg", &Ranking::ndcg)
      .def_ro("map", &Ranking::map);
  nb::class_<ReasonedRanking>(module, "ReasonedRanking")
      .def_ro("ranking", &ReasonedRanking::ranking)
      .def_ro("reason", &ReasonedRanking::reason);
}

void bind_parts(nb::module_& module) {
  nb::class_<ModelObjective>(module, "Objective")
      .def(
          "__init__",
          [](ModelObjective* place, const std::string& algorithm, const std::string& hyper,
             double regularization, double mean) {
            new (place) ModelObjective{algorithm, parse_hyper(algorithm_named(algorithm), hyper),
                                       regularization, mean};
          },
          "algorithm"_a, "hyper"_a, "regularization"_a, "mean"_a)
      .def_ro("algorithm", &ModelObjective::algorithm)
      .def_prop_ro("hyper", [](const ModelObjective& objective) { return objective.hyper.text(); })
      .def_ro("regularization", &ModelObjective::lambda)
      .def_ro("mean", &ModelObjective::mean);
  nb::class_<ModelSide>(module, "ModelSide")
      .def(
          "__init__",
          [](ModelSide* place, const Factors& factors, const Vector<uint8_t>& cold) {
            new (place) ModelSide(side_of(factors, cold));
          },
          "factors"_a, "cold"_a)
      .def_prop_ro("factors", factors_of)
      .def_prop_ro("cold", [](const ModelSide& side) { return numpy_of(std::vector(side.cold)); })
      .def_ro("ids", &ModelSide::ids);
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<AskedDevice>(module, "AskedDevice")
      .def(nb::init<const std::string&, int>(), "name"_a, "threads"_a = 0,
           nb::call_guard<Working>());
  bind_evaluation(module);
  bind_parts(module);
  nb::class_<Model>(module, "Model")
      .def("__init__", init_model, "users"_a, "items"_a, "feedback"_a, "cold"_a, "has_biases"_a)
      .def_static("read", read_model, "folder"_a, nb::call_guard<Working>())
      .def_ro("users", &Model::users)
      .def_ro("items", &Model::items)
      .def_ro("has_biases", &Model::has_biases)
      .def_ro("objective", &Model::objective)
      .def_ro("source", &Model::source)
      .def_prop_ro("feedback", [](const Model& model) { return model.prediction.feedback; })
      .def_prop_ro("cold", [](const Model& model) { return model.prediction.cold; })
      .def("predict", predictions_of, "users"_a, "items"_a)
      .def("save", save, "folder"_a, "source"_a, "objective"_a.none(), "ids"_a,
           nb::call_guard<Working>())
      .def("accuracy", accuracy_of, "test"_a, nb::call_guard<Working>())
      .def("ranking", ranking, "device"_a, "test"_a, "seen"_a, "k"_a, "relevant"_a.none(),
           nb::call_guard<Working>());
  // Of the rows of users, or of items; `fixed`: the factors of the others.
  nb::class_<FoldIn>(module, "FoldIn")
      .def(
          "__init__",
          [](FoldIn* place, const ModelObjective& objective, bool users, const Factors& fixed) {
            new (place) FoldIn(objective, users ? Side::x : Side::theta, matrix_of(fixed));
          },
          "objective"_a, "users"_a, "fixed"_a)
      .def("rows", folded_in, "device"_a, "ratings"_a)
      .def("explain", explained, "ratings"_a, "item"_a);
  module.attr("FOLDED_IN") = kFoldedIn;
  module.def("unit_side", unit_side, "side"_a, "features"_a, nb::call_guard<Working>());
  // The device and the items live as long as it.
  nb::class_<AskedRecommender>(module, "Recommender")
      .def(nb::init<AskedDevice&, const ModelSide&>(), "device"_a, "items"_a,
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::call_guard<Working>())
      .def("recommend", best_of, "askers"_a, "rows"_a, "seen"_a.none(), "without"_a, "k"_a);
}

}  // namespace alsbench::python
