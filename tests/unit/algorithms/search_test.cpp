// SPDX-License-Identifier: Apache-2.0
// Judges of the trials of a search: test metrics, and rankings of test items.
#include "harness/train/search.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "harness/model/evaluation.h"
#include "harness/train/trained_model.h"
#include "tests/unit/algorithms/small_training.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

TrainOptions implicit_options(const std::string& hyper) {
  TrainOptions options = options_of("exact");
  options.recipe = recipe_of(algorithm_of_feedback("implicit"), "exact", hyper);
  options.lambda = 1;
  return options;
}

SearchRequest request_of(const std::vector<TrainOptions>& candidates) {
  SearchRequest request;
  for (const TrainOptions& options : candidates)
    request.candidates.push_back(
        {{{"candidate", std::to_string(request.candidates.size())}}, options});
  return request;
}

std::optional<SearchRanking> ranking_by(const std::string& name) {
  return SearchRanking{ranking_metric("--search-by", name)};
}

// Ratings of opinions that are counts as well.
RatingSet positive_set() {
  RatingSet set = planted_set(60, 40, 0.5);
  for (Csr* ratings : {&set.by_user, &set.test}) {
    std::vector<float> values;
    for (const float value : ratings->values) values.push_back(std::max(value, 0.25f));
    ratings->values = Array<float>(values);
  }
  set.by_item = transpose(set.by_user);
  return set;
}

class Search : public testing::Test {
 protected:
  FinishedSearch run(const SearchRequest& request) {
    SearchObserver nobody;
    return run_search(request, {*team_, set_}, {}, nobody);
  }
  double ndcg_of(const TrainOptions& options, int k) {
    const Model model = model_of(options, set_, train(*team_, set_, options).model);
    const RankingRequest asked =
        ranking_request(options.recipe.algorithm->feedback, k, std::nullopt);
    return ranking_of(team_->device(), model, set_.test, set_.by_user, asked).ndcg;
  }

  std::unique_ptr<Team> team_ = team_of_cpus(1);
  RatingSet set_ = positive_set();
};

TEST_F(Search, LossesThatWeighCellsDifferentlyAreComparedByRankingsAlone) {
  for (const char* other : {"alpha=1", "confidence=direct"}) {
    SearchRequest request = request_of({implicit_options(""), implicit_options(other)});
    const std::string error = thrown_by([&] { check_comparable(request); });
    EXPECT_TRUE(contains(error, std::string(other).substr(0, std::string(other).find('='))));
    EXPECT_TRUE(contains(error, "--search-by ndcg@10"));
    request.ranking = ranking_by("ndcg@5");
    EXPECT_NO_THROW(check_comparable(request));
  }
}

TEST_F(Search, ByARankingItFindsTheCandidateThatRanksBest) {
  const std::vector<TrainOptions> candidates{
      implicit_options("alpha=0"), implicit_options("alpha=1"), implicit_options("alpha=100")};
  SearchRequest request = request_of(candidates);
  request.ranking = ranking_by("ndcg@5");
  const FinishedSearch search = run(request);
  EXPECT_EQ(search.metric, "ndcg@5");
  const Halving& halving = search.halving;
  ASSERT_TRUE(halving.best.has_value());
  const HalvingTrial &one = halving.trials.at(3), &other = halving.trials.at(4);
  EXPECT_NE(one.metric(), other.metric());
  EXPECT_EQ(*halving.best, one.metric() > other.metric() ? one.candidate : other.candidate);
  for (const HalvingTrial* trial : {&one, &other})
    EXPECT_EQ(trial->metric(), ndcg_of(candidates[trial->candidate], 5));
  EXPECT_EQ(record_of(search).metric, "ndcg@5");
}

TEST_F(Search, ByARankingItJudgesTheModelOfTheBestIteration) {
  TrainOptions options = options_of("exact");
  options.lambda = 1e-4f;
  options.iterations = 12;
  TrainOptions best = options;
  best.keep = Keep::best;
  ASSERT_LT(train(*team_, set_, best).kept_iteration, 12) << "it does not overfit";
  SearchRequest request = request_of({best, best});
  request.ranking = ranking_by("ndcg@5");
  const double found = run(request).halving.trials.at(0).metric();
  EXPECT_EQ(found, ndcg_of(best, 5));
  EXPECT_NE(found, ndcg_of(options, 5));
}

TEST_F(Search, ByARankingItComparesAlgorithmsOfDifferentFeedback) {
  SearchRequest request = request_of({options_of("exact"), implicit_options("")});
  EXPECT_TRUE(contains(thrown_by([&] { run(request); }), "cannot compare a test rmse"));
  request.ranking = ranking_by("recall@5");
  EXPECT_TRUE(run(request).halving.best.has_value());
  std::vector<float> values(set_.test.values.begin(), set_.test.values.end());
  values[0] = 0;  // relevant to one of them
  set_.test.values = Array<float>(values);
  EXPECT_TRUE(contains(thrown_by([&] { run(request); }), "a test rating of 0 is relevant to"));
  request.ranking->relevant = 3;
  EXPECT_TRUE(run(request).halving.best.has_value());
}

TEST_F(Search, ARankingWithoutUsersOrItemsIsRefusedBeforeATraining) {
  SearchRequest request = request_of({options_of("exact"), options_of("exact")});
  request.ranking = ranking_by("map@41");
  EXPECT_EQ(thrown_by([&] { run(request); }),
            "a search by map@41: there are 40 items; give a K from 1 to 40");
  request.ranking = ranking_by("map@40");
  EXPECT_EQ(run(request).metric, "map@40");
  request.ranking->relevant = 100;
  EXPECT_TRUE(contains(thrown_by([&] { run(request); }), "no test rating is 100 or more"));
  set_.by_user = set_.test;
  set_.by_item = transpose(set_.by_user);
  request.ranking->relevant.reset();
  EXPECT_TRUE(contains(thrown_by([&] { run(request); }), "of cells in the training ratings"));
}

}  // namespace
}  // namespace alsbench
