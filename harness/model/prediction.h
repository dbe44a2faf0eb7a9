// SPDX-License-Identifier: Apache-2.0
// Prediction: what a model's record says of how the model predicts (docs/reference/models.md). A
// cell is predicted by x . theta, and by `cold` where its user or item has no training rating.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/data/csr.h"
#include "harness/record/fields/fields.h"

namespace alsbench {

inline constexpr const char* kExplicitFeedback = "explicit";

struct Prediction {
  std::string feedback = kExplicitFeedback;  // or "implicit"
  double cold = 0;                           // the training mean; 0 of implicit feedback; NaN: none
  // A row of zeros has no training rating, but for these, whose ratings make it so; ascending.
  std::vector<int64_t> rated_zero_users;
  std::vector<int64_t> rated_zero_items;

  friend bool operator==(const Prediction&, const Prediction&) = default;
};

// The prediction of cold cells by a model of these ratings.
double cold_prediction(const RatingSet& set, const std::string& feedback);

void describe(Fields<Prediction>& fields);

// Whether all `rank` factors of a row are zero.
bool is_zero_row(const float* row, int64_t rank);
// Rows of `ratings` that have some, and only zeros as factors.
std::vector<int64_t> rated_zero_rows(const Csr& ratings, const std::vector<float>& factors,
                                     int64_t rank);

}  // namespace alsbench
