// SPDX-License-Identifier: Apache-2.0
// Ranking: how well the k items that a model recommends meet a user's test ratings.
// docs/reference/models.md has the definitions.
#pragma once

#include <cstdint>
#include <limits>

#include "harness/data/csr.h"
#include "harness/device/device.h"
#include "harness/model/model.h"

namespace alsbench {

struct RankingRequest {
  int k = 10;
  // Test ratings from this on are of relevant items.
  double relevant = -std::numeric_limits<double>::infinity();
};

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

}  // namespace alsbench
