// SPDX-License-Identifier: Apache-2.0
// EvaluationDocument: a model held against test ratings, as `alsbench evaluate --json` writes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/record/fields/fields.h"

namespace alsbench {

struct EvaluationDocument {
  struct Trained {
    std::string data;  // as the record of the training calls it
    std::string feedback;
    int64_t rank = 0;
  };
  struct Test {
    int64_t ratings = 0;
    int64_t cold = 0;
    int64_t unknown_users = 0, unknown_items = 0;
  };
  // Means over the users are NaN without any.
  struct Ranked {
    int64_t k = 0;
    std::optional<double> relevant_from;
    int64_t users = 0, cold_users = 0, seen_relevant = 0;
    double precision = 0, recall = 0, ndcg = 0, map = 0;
  };
  Trained model;
  Test test;
  double rmse = 0, mae = 0;  // NaN of implicit feedback
  std::optional<Ranked> ranking;
};

void describe(Fields<EvaluationDocument::Trained>& fields);
void describe(Fields<EvaluationDocument::Test>& fields);
void describe(Fields<EvaluationDocument::Ranked>& fields);
void describe(Fields<EvaluationDocument>& fields);

}  // namespace alsbench
