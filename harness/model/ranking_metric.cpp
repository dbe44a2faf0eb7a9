// SPDX-License-Identifier: Apache-2.0
#include "harness/model/ranking_metric.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <vector>

#include "base/error.h"

namespace alsbench {

std::string RankingMetric::name() const { return fmt::format("{}@{}", measure.name, k); }

RankingMetric ranking_metric(std::string_view option, std::string_view text) {
  std::vector<std::string> names;
  for (const RankingMeasure& measure : kRankingMeasures) {
    names.push_back(fmt::format("{}@K", measure.name));
    const std::string before = fmt::format("{}@", measure.name);
    if (!text.starts_with(before)) continue;
    RankingMetric metric{measure, 0};
    std::from_chars(text.data() + before.size(), text.data() + text.size(), metric.k);
    if (metric.k >= 1 && metric.name() == text) return metric;
  }
  throw UsageError(
      fmt::format("{} {}: give {}, where K is a whole number from 1 on; ndcg@10, for instance",
                  option, text, fmt::join(names, ", ")));
}

}  // namespace alsbench
