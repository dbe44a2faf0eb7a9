// SPDX-License-Identifier: Apache-2.0
#include "harness/model/prediction.h"

#include <algorithm>

namespace alsbench {

double cold_prediction(const RatingSet& set, const std::string& feedback) {
  return feedback == kExplicitFeedback ? set.mean : 0;
}

void describe(Fields<Prediction>& fields) {
  fields.record("prediction", "How a model predicts: x . theta, and cold cells by a constant.");
  fields("feedback", &Prediction::feedback, "explicit or implicit");
  fields("cold", &Prediction::cold,
         "the prediction where user or item has no training rating; null: NaN")
      .nullable();
  fields("rated_zero_users", &Prediction::rated_zero_users,
         "rows of zeros that have training ratings");
  fields("rated_zero_items", &Prediction::rated_zero_items, "likewise");
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
