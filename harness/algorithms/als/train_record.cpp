#include "harness/algorithms/als/train_record.h"

#include <cmath>
#include <limits>

namespace alsbench {
namespace {

using Json = nlohmann::ordered_json;

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

double number_or_nan(const Json& json) {
  return json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Json to_json(const IterationRecord& record) {
  Json seconds{{"total", record.seconds},
               {"wall", record.wall_seconds},
               {"rmse", record.rmse_seconds},
               {"stages", record.stage_seconds}};
  return Json{{"iteration", record.iteration},
              {"train_rmse", finite_or_null(record.train_rmse)},
              {"test_rmse", finite_or_null(record.test_rmse)},
              {"seconds", std::move(seconds)},
              {"mean_cg_steps", record.mean_cg_steps},
              {"cold_test_ratings", record.cold_test_ratings}};
}

IterationRecord iteration_from_json(const Json& json) {
  IterationRecord record;
  record.iteration = json.at("iteration").get<int>();
  record.train_rmse = number_or_nan(json.at("train_rmse"));
  record.test_rmse = number_or_nan(json.at("test_rmse"));
  const Json& seconds = json.at("seconds");
  record.seconds = seconds.at("total").get<double>();
  record.wall_seconds = seconds.at("wall").get<double>();
  record.rmse_seconds = seconds.at("rmse").get<double>();
  record.stage_seconds = seconds.at("stages").get<std::map<std::string, double>>();
  record.mean_cg_steps = json.at("mean_cg_steps").get<double>();
  record.cold_test_ratings = json.at("cold_test_ratings").get<int64_t>();
  return record;
}

Json describe(const RatingSet& set) {
  return Json{{"id", set.id},
              {"content_hash", set.content_hash},
              {"users", set.by_user.rows},
              {"items", set.by_user.cols},
              {"train_ratings", set.by_user.nnz()},
              {"test_ratings", set.test.nnz()},
              {"empty_users", empty_rows(set.by_user)},
              {"empty_items", empty_rows(set.by_item)},
              {"mean", set.mean}};
}

}  // namespace alsbench
