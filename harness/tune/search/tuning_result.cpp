// SPDX-License-Identifier: Apache-2.0
// The result of a search as documents and journals have it.
#include <cmath>
#include <limits>

#include "harness/tune/search/tuner.h"

namespace alsbench {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kFailed = std::numeric_limits<double>::infinity();

std::vector<PointRecord> point_records_of(const std::vector<size_t>& points,
                                          const SearchSpace& space) {
  std::vector<PointRecord> records;
  for (const size_t point : points) records.push_back(space[point].record());
  return records;
}

std::vector<size_t> indices_of(const std::vector<PointRecord>& records, const SearchSpace& space) {
  std::vector<size_t> points;
  for (const PointRecord& record : records) points.push_back(space.index_of(record));
  return points;
}

}  // namespace

TuningResultRecord record_of(const TuningResult& result, const SearchSpace& space) {
  TuningResultRecord record;
  record.effort = result;
  if (result.found) record.best = space[result.best].record();
  record.best_seconds = result.found ? result.best_seconds : kUnknown;
  record.fallback = space[space.default_point()].record();
  record.default_seconds = result.default_seconds;
  record.tie_set = point_records_of(result.tie_set, space);
  record.finalists = point_records_of(result.finalists, space);
  for (const Evaluation& evaluation : result.points)
    record.points.push_back(record_of(evaluation, space));
  return record;
}

TuningResult result_of(const TuningResultRecord& record, const SearchSpace& space) {
  TuningResult result = record.effort;
  result.found = record.best.has_value();
  result.best = space.index_of(record.best.value_or(record.fallback));
  result.best_seconds = result.found ? record.best_seconds : 0;
  result.default_seconds = std::isnan(record.default_seconds) ? kFailed : record.default_seconds;
  result.tie_set = indices_of(record.tie_set, space);
  result.finalists = indices_of(record.finalists, space);
  for (const EvaluationRecord& point : record.points)
    result.points.push_back(evaluation_of(point, space));
  return result;
}

void describe(Fields<TuningResult>& fields) {
  using R = TuningResult;
  using Kind = Range::Kind;
  fields("strategy", &R::strategy);
  fields("seed", &R::seed);
  fields("stop_reason", &R::stop_reason, "finished, evaluations or seconds");
  fields("evaluations", &R::evaluations, "distinct points measured").range(Kind::from_0);
  fields("elapsed_seconds", &R::elapsed_seconds).range(Kind::from_0);
  fields("measure_seconds", &R::measure_seconds).range(Kind::from_0);
  fields("prepare_seconds", &R::prepare_seconds, "loading and verification").range(Kind::from_0);
  fields("verify_seconds", &R::verify_seconds, "of prepare_seconds, verification")
      .range(Kind::from_0);
  fields("wait_seconds", &R::wait_seconds, "for the compiler").range(Kind::from_0);
}

void describe(Fields<TuningResultRecord>& fields) {
  using R = TuningResultRecord;
  fields.inlined(&R::effort);
  fields("best", &R::best, "null: no point could be measured");
  fields("best_seconds", &R::best_seconds).nullable();
  fields("default", &R::fallback);
  fields("default_seconds", &R::default_seconds, "null: the default failed").nullable();
  fields.derived(
      "margin",
      [](const R& record) {
        return record.best_seconds > 0 ? json_of(record.default_seconds / record.best_seconds)
                                       : Json(nullptr);
      },
      {{"type", {"number", "null"}}}, "default_seconds / best_seconds");
  fields("tie_set", &R::tie_set, "in order of choice, the best first");
  fields("finalists", &R::finalists, "of the playoff");
  fields("points", &R::points, "in order of first measurement");
}

}  // namespace alsbench
