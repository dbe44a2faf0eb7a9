// SPDX-License-Identifier: Apache-2.0
#include "harness/model/ranking.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "harness/model/recommender.h"

namespace alsbench {
namespace {

bool holds(std::span<const int32_t> ascending, int32_t value) {
  return std::binary_search(ascending.begin(), ascending.end(), value);
}

std::span<const int32_t> row_of(const Csr& matrix, int64_t row) {
  if (row >= matrix.rows) return {};
  const auto begin = static_cast<size_t>(matrix.offsets[row]);
  return matrix.indices.span().subspan(begin, static_cast<size_t>(matrix.offsets[row + 1]) - begin);
}

// The relevant items of each user that is ranked, ascending.
struct Relevant {
  std::vector<int32_t> users;
  std::vector<std::vector<int32_t>> items;
};

Relevant relevant_items(const Model& model, const Csr& test, const Csr& seen, double minimum,
                        Ranking& ranking) {
  Relevant relevant;
  for (int64_t user = 0; user < test.rows; ++user) {
    std::vector<int32_t> items;
    for (int64_t k = test.offsets[user]; k < test.offsets[user + 1]; ++k) {
      if (static_cast<double>(test.values[k]) < minimum) continue;
      if (holds(row_of(seen, user), test.indices[k]))
        ++ranking.seen;
      else
        items.push_back(test.indices[k]);
    }
    if (items.empty()) continue;
    if (model.users.is_cold(user)) {
      ++ranking.cold_users;
      continue;
    }
    relevant.users.push_back(static_cast<int32_t>(user));
    relevant.items.push_back(std::move(items));
  }
  return relevant;
}

// Weight of place `rank`, from 1 on.
double discount(size_t rank) { return 1 / std::log2(static_cast<double>(rank) + 1); }

// Adds the measures of one user.
void add_user(std::span<const int32_t> found, std::span<const int32_t> relevant, int k,
              Ranking& sum) {
  const size_t maximum = std::min(static_cast<size_t>(k), relevant.size());
  double hits = 0, gain = 0, ideal = 0, precisions = 0;
  for (size_t rank = 1; rank <= found.size(); ++rank) {
    if (!holds(relevant, found[rank - 1])) continue;
    ++hits;
    gain += discount(rank);
    precisions += hits / static_cast<double>(rank);
  }
  for (size_t rank = 1; rank <= maximum; ++rank) ideal += discount(rank);
  sum.precision += hits / k;
  sum.recall += hits / static_cast<double>(relevant.size());
  sum.ndcg += gain / ideal;
  sum.map += precisions / static_cast<double>(maximum);
}

}  // namespace

Ranking ranking_of(Device& device, const Model& model, const Csr& test, const Csr& seen,
                   const RankingRequest& request) {
  Ranking ranking;
  const Relevant relevant = relevant_items(model, test, seen, request.relevant, ranking);
  Recommender recommender(device, model.items);
  const auto add = [&](const Recommender::Found& found) {
    for (size_t i = 0; i < found.users; ++i)
      add_user(found.items(i), relevant.items[found.begin + i], request.k, ranking);
  };
  recommender.recommend({&model.users, relevant.users}, {&seen, relevant.users}, request.k, add);
  ranking.users = static_cast<int64_t>(relevant.users.size());
  for (double* mean : {&ranking.precision, &ranking.recall, &ranking.ndcg, &ranking.map})
    *mean /= static_cast<double>(ranking.users);
  return ranking;
}

}  // namespace alsbench
