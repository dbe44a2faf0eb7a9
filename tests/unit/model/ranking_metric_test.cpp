// SPDX-License-Identifier: Apache-2.0
#include "harness/model/ranking_metric.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/texts.h"

namespace alsbench {
namespace {

TEST(RankingMetric, IsReadByItsNameAndGivesItsMean) {
  const Ranking ranking{.precision = 0.1, .recall = 0.2, .ndcg = 0.3, .map = 0.4};
  const auto value = [&](const std::string& name) {
    const RankingMetric metric = ranking_metric("--search-by", name);
    EXPECT_EQ(metric.name(), name);
    return metric.of(ranking);
  };
  EXPECT_EQ(value("precision@1"), 0.1);
  EXPECT_EQ(value("recall@20"), 0.2);
  EXPECT_EQ(value("ndcg@10"), 0.3);
  EXPECT_EQ(value("map@2147483647"), 0.4);
  EXPECT_EQ(ranking_metric("--search-by", "recall@20").k, 20);
}

TEST(RankingMetric, AnotherTextIsRefusedWithTheNamesThatThereAre) {
  for (const char* text : {"", "ndcg", "ndcg@", "ndcg@0", "ndcg@-1", "ndcg@1.5", "ndcg@010",
                           "ndcg@+1", "ndcg@10 ", "ndcg@2147483648", "NDCG@10", "rmse", "auc@10"}) {
    const std::string error = thrown_by([&] { ranking_metric("--search-by", text); });
    EXPECT_TRUE(
        contains(error, std::string("--search-by ") + text + ": give precision@K, recall@K"))
        << text;
  }
}

}  // namespace
}  // namespace alsbench
