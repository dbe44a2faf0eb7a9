// SPDX-License-Identifier: Apache-2.0
#include "harness/data/summary.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace alsbench {
namespace {

using Json = nlohmann::ordered_json;

std::vector<int64_t> user_degrees(const RatingSet& set) {
  std::vector<int64_t> degrees(static_cast<size_t>(set.by_user.rows));
  for (int64_t row = 0; row < set.by_user.rows; ++row) {
    for (const Csr* matrix : {&set.by_user, &set.test})
      degrees[static_cast<size_t>(row)] += matrix->offsets[row + 1] - matrix->offsets[row];
  }
  return degrees;
}

std::vector<int64_t> item_degrees(const RatingSet& set) {
  std::vector<int64_t> degrees(static_cast<size_t>(set.by_item.rows));
  for (int64_t row = 0; row < set.by_item.rows; ++row) {
    degrees[static_cast<size_t>(row)] = set.by_item.offsets[row + 1] - set.by_item.offsets[row];
  }
  for (const int32_t item : set.test.indices) ++degrees[static_cast<size_t>(item)];
  return degrees;
}

Json quantiles_of(std::vector<int64_t> degrees) {
  std::sort(degrees.begin(), degrees.end());
  Json json = Json::object();
  for (const auto& [name, share] : {std::pair{"0", 0.0},
                                    {"0.01", 0.01},
                                    {"0.1", 0.1},
                                    {"0.25", 0.25},
                                    {"0.5", 0.5},
                                    {"0.75", 0.75},
                                    {"0.9", 0.9},
                                    {"0.99", 0.99},
                                    {"1", 1.0}}) {
    const double place = share * static_cast<double>(degrees.size() - 1);
    json[name] = degrees[static_cast<size_t>(std::lround(place))];
  }
  return json;
}

}  // namespace

Json summary_of(const RatingSet& set) {
  const double cells =
      static_cast<double>(set.by_user.rows) * static_cast<double>(set.by_user.cols);
  float minimum = std::numeric_limits<float>::infinity();
  float maximum = -minimum;
  for (const Csr* matrix : {&set.by_user, &set.test}) {
    for (const float value : matrix->values) {
      minimum = std::min(minimum, value);
      maximum = std::max(maximum, value);
    }
  }
  Json json;
  json["id"] = set.id;
  json["users"] = set.by_user.rows;
  json["items"] = set.by_user.cols;
  json["train_ratings"] = set.by_user.nnz();
  json["test_ratings"] = set.test.nnz();
  json["density"] = static_cast<double>(set.by_user.nnz() + set.test.nnz()) / cells;
  json["mean"] = set.mean;
  json["minimum"] = minimum;
  json["maximum"] = maximum;
  json["rmse_floor"] = std::isfinite(set.rmse_floor) ? Json(set.rmse_floor) : Json();
  json["empty_users"] = empty_rows(set.by_user);
  json["empty_items"] = empty_rows(set.by_item);
  json["user_degrees"] = quantiles_of(user_degrees(set));
  json["item_degrees"] = quantiles_of(item_degrees(set));
  json["content_hash"] = set.content_hash;
  return json;
}

}  // namespace alsbench
