// SPDX-License-Identifier: Apache-2.0
// A model held against test ratings: its accuracy, its ranking, and the document that `alsbench
// evaluate --json` writes. docs/reference/models.md has the definitions.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "harness/data/csr.h"
#include "harness/device/device.h"
#include "harness/model/model.h"
#include "harness/record/fields/fields.h"

namespace alsbench {

// How far a model's predictions are off test ratings.
struct Accuracy {
  int64_t ratings = 0;
  int64_t cold = 0;  // of them, predicted without factors
  double rmse = 0;
  double mae = 0;
};

// `test`: ratings in the rows of the model, at least one; rows past its last are cold. The result
// does not depend on the number of threads.
Accuracy accuracy_of(const Model& model, const Csr& test);

struct RankingRequest {
  int k = 10;
  // Test ratings from this on are of relevant items.
  double relevant = -std::numeric_limits<double>::infinity();
};
// From `relevant` on, or where nothing is said all; of implicit feedback those above 0.
RankingRequest ranking_request(const std::string& feedback, int k,
                               const std::optional<double>& relevant);

// How well the k items that a model recommends meet a user's test ratings.
struct Ranking {
  int64_t users = 0;       // that the means are over: with training ratings and relevant items
  int64_t cold_users = 0;  // with relevant items, but without training ratings: left out
  int64_t seen = 0;        // relevant test ratings of seen items: left out
  // Means over the users; NaN without any.
  double precision = 0, recall = 0, ndcg = 0, map = 0;
};

// `test` and `seen`: ratings in the rows of the model.
Ranking ranking_of(Device& device, const Model& model, const Csr& test, const Csr& seen,
                   const RankingRequest& request);

// The same of a model of the ratings `seen`, without its measures: they need no factors.
Ranking ranked_users(const Csr& test, const Csr& seen, const RankingRequest& request);
// Why there is no user to rank. `ranking`: of these test ratings, at least one.
std::string reason_of_no_ranking(const Ranking& ranking, const Csr& test,
                                 const RankingRequest& request);

// Output of `alsbench evaluate --json`.
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
