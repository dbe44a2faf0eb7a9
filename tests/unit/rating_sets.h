// SPDX-License-Identifier: Apache-2.0
// Small rating sets for tests of training: planted low-rank ratings, so a good model has a known
// low RMSE.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "harness/data/csr.h"

namespace alsbench {

// users x items of which `density` are rated; every tenth rating goes to the test set. Users in
// [users - empty_users, users) have no training rating but keep their test ratings.
inline RatingSet planted_set(int64_t users, int64_t items, double density,
                             int64_t empty_users = 0) {
  constexpr int planted_rank = 3;
  std::mt19937_64 generator(7);
  std::normal_distribution<float> normal(0, 0.6f);
  std::uniform_real_distribution<double> uniform;
  std::vector<float> x(static_cast<size_t>(users * planted_rank)),
      theta(static_cast<size_t>(items * planted_rank));
  for (float& value : x) value = normal(generator);
  for (float& value : theta) value = normal(generator);
  std::vector<Rating> train, test;
  for (int64_t u = 0; u < users; ++u)
    for (int64_t v = 0; v < items; ++v) {
      if (uniform(generator) >= density) continue;
      float value = 3;
      for (int k = 0; k < planted_rank; ++k)
        value += x[static_cast<size_t>(u * planted_rank + k)] *
                 theta[static_cast<size_t>(v * planted_rank + k)];
      const bool held_out = uniform(generator) < 0.1;
      if (held_out)
        test.push_back({static_cast<int32_t>(u), static_cast<int32_t>(v), value});
      else if (u < users - empty_users)
        train.push_back({static_cast<int32_t>(u), static_cast<int32_t>(v), value});
    }
  RatingSet set;
  set.id = "planted";
  set.by_user = build_csr(train, users, items);
  set.by_item = transpose(set.by_user);
  set.test = build_csr(test, users, items);
  double sum = 0;
  for (const Rating& rating : train) sum += rating.value;
  set.mean = sum / static_cast<double>(train.size());
  return set;
}

}  // namespace alsbench
