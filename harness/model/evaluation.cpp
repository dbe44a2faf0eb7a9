// SPDX-License-Identifier: Apache-2.0
#include "harness/model/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "harness/model/ranking_metric.h"
#include "harness/model/recommender.h"
#include "harness/record/document.h"

namespace alsbench {

void describe(Fields<EvaluationDocument::Trained>& fields) {
  using T = EvaluationDocument::Trained;
  fields.record("model", "The model.");
  fields("data", &T::data, "what it was trained on, as its record calls it");
  fields("feedback", &T::feedback, "explicit or implicit");
  fields("rank", &T::rank).range(Range::Kind::from_1);
}

void describe(Fields<EvaluationDocument::Test>& fields) {
  using T = EvaluationDocument::Test;
  using Kind = Range::Kind;
  fields.record("test", "The test ratings.");
  fields("ratings", &T::ratings).range(Kind::from_1);
  fields("cold", &T::cold, "whose user or item has no training rating").range(Kind::from_0);
  fields("unknown_users", &T::unknown_users, "that the model does not know").range(Kind::from_0);
  fields("unknown_items", &T::unknown_items).range(Kind::from_0);
}

void describe(Fields<EvaluationDocument::Ranked>& fields) {
  using R = EvaluationDocument::Ranked;
  using Kind = Range::Kind;
  fields.record("ranking", "Means over the users; null without any.");
  fields("k", &R::k).range(Kind::from_1);
  fields("relevant_from", &R::relevant_from,
         "--relevant; null: all, of implicit feedback those above 0");
  fields("users", &R::users, "that the means are over").range(Kind::from_0);
  fields("cold_users", &R::cold_users, "with relevant items but without training ratings: left out")
      .range(Kind::from_0);
  fields("seen_relevant", &R::seen_relevant,
         "relevant test ratings of cells in the training ratings: left out")
      .range(Kind::from_0);
  fields("precision", &R::precision).range(Kind::share).nullable();
  fields("recall", &R::recall).range(Kind::share).nullable();
  fields("ndcg", &R::ndcg).range(Kind::share).nullable();
  fields("map", &R::map).range(Kind::share).nullable();
}

void describe(Fields<EvaluationDocument>& fields) {
  using D = EvaluationDocument;
  fields.record("", "A model held against test ratings (`alsbench evaluate`).");
  describe_document(fields, "evaluation");
  fields("model", &D::model);
  fields("test", &D::test);
  fields("rmse", &D::rmse, "null of implicit feedback and of pairs without ratings").nullable();
  fields("mae", &D::mae, "null of implicit feedback and of pairs without ratings").nullable();
  fields("ranking", &D::ranking, "null without --train");
}

namespace {

struct Partial {
  double squares = 0, magnitudes = 0;
  int64_t cold = 0;
};

Partial partial_of(const Model& model, const Csr& test, int64_t begin, int64_t end) {
  Partial partial;
  for (int64_t user = begin; user < end; ++user)
    for (int64_t k = test.offsets[user]; k < test.offsets[user + 1]; ++k) {
      const int64_t item = test.indices[k];
      const double error = static_cast<double>(test.values[k]) - model.predict(user, item);
      partial.squares += error * error;
      partial.magnitudes += std::abs(error);
      partial.cold += model.is_cold(user, item) ? 1 : 0;
    }
  return partial;
}

}  // namespace

Accuracy accuracy_of(const Model& model, const Csr& test) {
  constexpr int64_t kRowsPerPart = 1024;
  std::vector<Partial> partials(static_cast<size_t>((test.rows + kRowsPerPart - 1) / kRowsPerPart));
  const auto parts = static_cast<int64_t>(partials.size());
#pragma omp parallel for schedule(dynamic, 1)  // cannot throw
  for (int64_t part = 0; part < parts; ++part)
    partials[static_cast<size_t>(part)] = partial_of(
        model, test, part * kRowsPerPart, std::min(test.rows, (part + 1) * kRowsPerPart));
  Partial sum;
  for (const Partial& partial : partials) {
    sum.squares += partial.squares;
    sum.magnitudes += partial.magnitudes;
    sum.cold += partial.cold;
  }
  const auto count = static_cast<double>(test.nnz());
  return {test.nnz(), sum.cold, std::sqrt(sum.squares / count), sum.magnitudes / count};
}

namespace {

constexpr double kAboveZero = std::numeric_limits<float>::denorm_min();

}  // namespace

RankingRequest ranking_request(const std::string& feedback, int k,
                               const std::optional<double>& relevant) {
  RankingRequest request;
  request.k = k;
  if (relevant)
    request.relevant = *relevant;
  else if (feedback != kExplicitFeedback)
    request.relevant = kAboveZero;  // a count of 0 prefers nothing
  return request;
}

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

// `users`: whose factors are not read.
Relevant relevant_items(const ModelSide& users, const Csr& test, const Csr& seen, double minimum,
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
    if (users.is_cold(user)) {
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
  const Relevant relevant = relevant_items(model.users, test, seen, request.relevant, ranking);
  Recommender recommender(device, model.items);
  const auto add = [&](const Recommender::Found& found) {
    for (size_t i = 0; i < found.users; ++i)
      add_user(found.items(i), relevant.items[found.begin + i], request.k, ranking);
  };
  recommender.recommend({&model.users, relevant.users}, {&seen, relevant.users}, request.k, add);
  ranking.users = static_cast<int64_t>(relevant.users.size());
  for (const RankingMeasure& measure : kRankingMeasures)
    ranking.*measure.mean /= static_cast<double>(ranking.users);
  return ranking;
}

Ranking ranked_users(const Csr& test, const Csr& seen, const RankingRequest& request) {
  Ranking ranking;
  ModelSide users;
  users.factors.rows = seen.rows;
  users.cold = cold_rows(seen);
  ranking.users = static_cast<int64_t>(
      relevant_items(users, test, seen, request.relevant, ranking).users.size());
  return ranking;
}

std::string reason_of_no_ranking(const Ranking& ranking, const Csr& test,
                                 const RankingRequest& request) {
  if (ranking.cold_users > 0)
    return fmt::format("the {} users with relevant test ratings have no training rating",
                       ranking.cold_users);
  if (ranking.seen > 0) return "all relevant test ratings are of cells in the training ratings";
  const float highest = *std::max_element(test.values.begin(), test.values.end());
  return fmt::format(
      "no test rating is {}; the highest is {}",
      request.relevant == kAboveZero ? "above 0" : fmt::format("{} or more", request.relevant),
      highest);
}

}  // namespace alsbench
