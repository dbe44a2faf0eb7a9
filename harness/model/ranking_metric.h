// SPDX-License-Identifier: Apache-2.0
// RankingMetric: a measure of the ranking of k items by its name, such as "ndcg@10".
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "harness/model/evaluation.h"

namespace alsbench {

struct RankingMeasure {
  std::string_view name;
  double Ranking::*mean;  // greater is better
};

// In the order in which `alsbench evaluate` prints them.
inline constexpr auto kRankingMeasures = std::to_array<RankingMeasure>({
    {"precision", &Ranking::precision},
    {"recall", &Ranking::recall},
    {"ndcg", &Ranking::ndcg},
    {"map", &Ranking::map},
});

struct RankingMetric {
  RankingMeasure measure;
  int k = RankingRequest().k;

  std::string name() const;
  double of(const Ranking& ranking) const { return ranking.*measure.mean; }
};

// The metric of that name. Throws UsageError, which begins with the option that the text is of.
RankingMetric ranking_metric(std::string_view option, std::string_view text);

}  // namespace alsbench
