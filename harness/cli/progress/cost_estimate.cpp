// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/progress/cost_estimate.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace alsbench {
namespace {

// As many items of the kind above count as if they were of the kind itself.
constexpr double kBorrowed = 1;
constexpr double kMaxMediansPerPiece = 3;  // that one piece counts

std::string kind_above(const std::string& kind) {
  const size_t slash = kind.rfind('/');
  return slash == std::string::npos ? "" : kind.substr(0, slash);
}

}  // namespace

size_t CostEstimate::add(WorkItem item) {
  items_.push_back({std::move(item)});
  return items_.size() - 1;
}

void CostEstimate::spend(size_t item, double seconds, double share) {
  items_.at(item).spent += seconds;
  items_.at(item).share = std::min(1.0, items_.at(item).share + share);
  spent_ += seconds;
}

void CostEstimate::finish(size_t item) {
  Item& done = items_.at(item);
  if (!done.open) return;
  drop(item);
  Costs& own = costs_[done.work.kind];
  own.pieces.push_back({done.work.expected_seconds, done.spent});
  const double more = capped(own.pieces) - own.spent;
  for (std::string kind = done.work.kind; !kind.empty(); kind = kind_above(kind)) {
    Costs& costs = costs_[kind];
    costs.expected += done.work.expected_seconds;
    costs.spent += more;
    ++costs.items;
  }
  all_.spent += done.spent;
  ++all_.items;
}

double CostEstimate::capped(const std::vector<Piece>& pieces) {
  std::vector<double> ratios;
  for (const Piece& piece : pieces) ratios.push_back(piece.ratio());
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  double sum = 0;
  for (const Piece& piece : pieces)
    sum += piece.expected * std::min(piece.ratio(), kMaxMediansPerPiece * *middle);
  return sum;
}

void CostEstimate::drop(size_t item) {
  if (std::exchange(items_.at(item).open, false)) ++ended_;
}

std::optional<double> CostEstimate::ratio(const std::string& kind) const {
  const std::string above = kind_above(kind);
  const auto found = costs_.find(kind);
  if (found == costs_.end()) return above.empty() ? std::nullopt : ratio(above);
  const Costs& costs = found->second;
  if (above.empty()) return costs.spent / costs.expected;
  const double borrowed = kBorrowed * costs.expected / costs.items;
  return (costs.spent + borrowed * *ratio(above)) / (costs.expected + borrowed);
}

std::optional<double> CostEstimate::cost(const Item& item,
                                         const std::optional<double>& ratio) const {
  if (item.share > 0) return item.spent / item.share;
  if (ratio) return item.work.expected_seconds * *ratio;
  if (!item.work.relative_only) return item.work.expected_seconds;
  if (all_.items > 0) return all_.spent / all_.items;  // as the others
  return std::nullopt;
}

std::optional<double> CostEstimate::remaining_seconds() const {
  if (ended_ < items_.size() && spent_ <= 0) return std::nullopt;
  std::map<std::string, std::optional<double>> ratios;
  double seconds = 0;
  for (const Item& item : items_) {
    if (!item.open) continue;
    const auto [found, added] = ratios.try_emplace(item.work.kind);
    if (added) found->second = ratio(item.work.kind);
    const std::optional<double> whole = cost(item, found->second);
    if (!whole) return std::nullopt;
    seconds += std::max(0.0, *whole - item.spent);
  }
  return seconds;
}

}  // namespace alsbench
