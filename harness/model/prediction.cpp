// SPDX-License-Identifier: Apache-2.0
#include "harness/model/prediction.h"

#include <algorithm>

namespace alsbench {

double cold_prediction(const RatingSet& set, const std::string& feedback) {
  return feedback == kExplicitFeedback ? set.mean : 0;
}

Json to_json(const Prediction& prediction) {
  return Json{{"feedback", prediction.feedback},
              {"cold", prediction.cold},
              {"rated_zero_users", prediction.rated_zero_users},
              {"rated_zero_items", prediction.rated_zero_items}};
}

Prediction prediction_from(const JsonField& field) {
  const auto integer = [](const JsonField& row) { return row.integer(); };
  return {field.at("feedback").text(), field.at("cold").number(),
          list_of(field.at("rated_zero_users"), integer),
          list_of(field.at("rated_zero_items"), integer)};
}

bool is_zero_row(const float* row, int64_t rank) {
  return std::all_of(row, row + rank, [](float value) { return value == 0; });
}

std::vector<int64_t> rated_zero_rows(const Csr& ratings, const std::vector<float>& factors,
                                     int64_t rank) {
  std::vector<int64_t> rows;
  for (int64_t row = 0; row < ratings.rows; ++row)
    if (ratings.offsets[row + 1] > ratings.offsets[row] &&
        is_zero_row(factors.data() + row * rank, rank))
      rows.push_back(row);
  return rows;
}

}  // namespace alsbench
