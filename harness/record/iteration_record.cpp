#include "harness/record/iteration_record.h"

#include <cmath>
#include <limits>
#include <string_view>

namespace alsbench {
namespace {

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

double number_or_nan(const Json& json) {
  return json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

// The metric's name: what follows "train_" in a key.
std::string metric_of(const Json& json) {
  constexpr std::string_view kPrefix = "train_";
  for (const auto& [key, value] : json.items())
    if (key.starts_with(kPrefix)) return key.substr(kPrefix.size());
  return "";
}

}  // namespace

Json to_json(const IterationRecord& record, const std::string& metric) {
  Json seconds{{"total", record.seconds},
               {"wall", record.wall_seconds},
               {metric, record.metric_seconds},
               {"stages", record.stage_seconds}};
  return Json{{"iteration", record.iteration},
              {"train_" + metric, finite_or_null(record.train_metric)},
              {"test_" + metric, finite_or_null(record.test_metric)},
              {"seconds", std::move(seconds)},
              {"mean_cg_steps", record.mean_solver_steps},
              {"cold_test_ratings", record.cold_test_ratings}};
}

IterationRecord iteration_from_json(const Json& json) {
  const std::string metric = metric_of(json);
  IterationRecord record;
  record.iteration = json.at("iteration").get<int>();
  record.train_metric = number_or_nan(json.at("train_" + metric));
  record.test_metric = number_or_nan(json.at("test_" + metric));
  const Json& seconds = json.at("seconds");
  record.seconds = seconds.at("total").get<double>();
  record.wall_seconds = seconds.at("wall").get<double>();
  record.metric_seconds = seconds.at(metric).get<double>();
  record.stage_seconds = seconds.at("stages").get<std::map<std::string, double>>();
  record.mean_solver_steps = json.at("mean_cg_steps").get<double>();
  record.cold_test_ratings = json.at("cold_test_ratings").get<int64_t>();
  return record;
}

}  // namespace alsbench
